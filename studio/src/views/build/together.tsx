// Requests that are collected and sent as one.
import { computed, signal } from '@preact/signals';
import type { Item } from '../../api/attribute_value.ts';
import { call, DynamoDbError, type ConsumedCapacity } from '../../api/dynamodb.ts';
import { Grid } from '../../parts/grid.tsx';
import { plural } from '../../parts/numbers.ts';
import type { Draft } from '../../requests/draft.ts';
import { canJoin, combine, formsFor, type Form } from '../../requests/together.ts';
import { compile } from '../../requests/request.ts';
import { TogetherCode } from '../../parts/request_code.tsx';
import { draft, mistakes, schema } from './state.ts';

const parts = signal<Draft[]>([]);
const wanted = signal<Form | null>(null);
const said = signal<{ text: string; bad: boolean; reasons: string[]; items: Item[] } | null>(null);

const possible = computed(() => formsFor(parts.value));
const form = computed(() => (wanted.value && possible.value.forms.includes(wanted.value) ? wanted.value : (possible.value.forms[0] ?? null)));
const together = computed(() => (form.value ? combine(parts.value, form.value) : null));

const set = (next: Draft[]) => {
  parts.value = next;
  said.value = null;
};

interface Answered {
  Responses?: Record<string, Item[]> | { Item?: Item }[];
  ConsumedCapacity?: ConsumedCapacity[];
}

async function send(): Promise<void> {
  const now = together.peek();
  if (!now) return;
  try {
    const { Responses, ConsumedCapacity = [] } = await call<Answered>(now.operation, { ...now.request, ReturnConsumedCapacity: 'TOTAL' });
    const units = ConsumedCapacity.reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
    const items = Array.isArray(Responses) ? Responses.flatMap(({ Item }) => (Item ? [Item] : [])) : Object.values(Responses ?? {}).flat();
    const what = now.operation.includes('Get') ? plural(items.length, 'item') : `${plural(parts.peek().length, 'item')} written`;
    said.value = { text: `${what} · ${plural(units, 'unit')} · one ${now.operation}`, bad: false, reasons: [], items };
  } catch (error) {
    const reasons = error instanceof DynamoDbError ? ((error.body['CancellationReasons'] ?? []) as { Code?: string; Message?: string }[]) : [];
    const texts = reasons.map(({ Code, Message }, at) => `${at + 1}: ${!Code || Code === 'None' ? 'could have been done' : `${Code}${Message ? `, ${Message}` : ''}`}`);
    said.value = { text: (error as Error).message, bad: true, reasons: texts, items: [] };
  }
}

function partText(one: Draft): string {
  const { request } = compile(one);
  const key = (request['Key'] ?? request['Item'] ?? {}) as Item;
  return `${one.operation} ${one.table} ${Object.values(key).slice(0, 2).map((value) => Object.values(value)[0]).join(' / ')}`;
}

function Parts() {
  return (
    <ol class="together-parts">
      {parts.value.map((one, at) => (
        <li key={at}>
          <code>{partText(one)}</code>{' '}
          <button type="button" class="remove" aria-label={`Take ${partText(one)} out`} onClick={() => set(parts.peek().filter((_, other) => other !== at))}>
            ×
          </button>
        </li>
      ))}
    </ol>
  );
}

function Outcome() {
  const now = said.value;
  if (!now) return null;
  return (
    <div role="status">
      <p class={now.bad ? 'refused' : 'facts'}>{now.text}</p>
      {now.reasons.length > 0 && (
        <ul>
          {now.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {now.items.length > 0 && <Grid label="Items of all requests" items={now.items} keys={[]} />}
    </div>
  );
}

export function TogetherPanel() {
  const joins = canJoin(draft.value);
  return (
    <section class="panel" aria-label="Several at once">
      <div class="panel-head">
        <h2>Several at once</h2>
        <button type="button" disabled={!joins || mistakes.value.length > 0} onClick={() => set([...parts.peek(), draft.peek()])}>
          Add this request
        </button>
      </div>
      <p class="hint">
        {joins ? 'Collect requests for single items: reads as a batch or a transaction, writes as a transaction or a batch.' : `A ${draft.value.operation} cannot be combined with other requests. Requests for single items can be sent together.`}
      </p>
      {parts.value.length > 0 && <Parts />}
      {possible.value.why && <p class="hint">{possible.value.why}</p>}
      {together.value && (
        <>
          <div class="group-add">
            <label>
              As{' '}
              <select value={form.value!} onChange={(event) => (wanted.value = event.currentTarget.value as Form)}>
                {possible.value.forms.map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
            </label>
            <button type="button" class="main" onClick={() => void send()}>
              Send {plural(parts.value.length, 'request')} as one
            </button>
          </div>
          <Outcome />
          <TogetherCode together={together.value} table={schema.value} />
        </>
      )}
    </section>
  );
}
