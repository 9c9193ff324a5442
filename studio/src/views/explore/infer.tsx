// A table that the open design does not know: a design can be made of its items.
import { useSignal } from '@preact/signals';
import type { Item } from '../../api/attribute_value.ts';
import { pages } from '../../api/dynamodb.ts';
import { model as api } from '../../api/model.ts';
import { formatRoute, go } from '../../app/route.ts';
import { freeName, ownDesigns, ownPrefix, readOwn, writeOwn } from '../../design/own_designs.ts';
import { count, plural } from '../../parts/numbers.ts';
import { described } from './decoded.tsx';
import { answer, openTable } from './state.ts';

const itemsMost = 2000;
const charactersMost = 3_000_000; // Of JSON; the server takes four million.

// Designs of this browser that have a table of that name.
const describing = (table: string) => ownDesigns.value.filter((own) => readOwn(own)?.split('\n').some((line) => line.startsWith(`table ${table} `) || line.startsWith(`table "${table}" `)));

export function OfferInfer() {
  const busy = useSignal(0);
  const trouble = useSignal('');
  const table = openTable.value;
  if (!table || described.value || !answer.value || answer.value.items.length === 0) return null;
  const start = async () => {
    busy.value = 1;
    trouble.value = '';
    try {
      const items: Item[] = [];
      let characters = 0;
      for await (const { Items = [] } of pages('Scan', { TableName: table.TableName, Limit: 500 })) {
        items.push(...Items);
        characters += JSON.stringify(Items).length;
        busy.value = items.length;
        if (items.length >= itemsMost || characters > charactersMost) break;
      }
      const { source } = await api.infer({ ...table }, items);
      const own = freeName(table.TableName, ownDesigns.peek());
      writeOwn(own, source);
      go(formatRoute({ view: 'model', query: { model: own } })); // There it can be read, and proved.
    } catch (error) {
      trouble.value = (error as Error).message;
    }
    busy.value = 0;
  };
  return (
    <p class="decoded-said">
      The open design does not describe {table.TableName}.{' '}
      {describing(table.TableName).map((own) => (
        <a key={own} class="button" href={formatRoute({ view: 'explore', path: [table.TableName], query: { model: own } })}>
          Open “{own.slice(ownPrefix.length)}”, which does
        </a>
      ))}{' '}
      <button type="button" disabled={busy.value > 0} onClick={() => void start()}>
        {busy.value > 0 ? `Reading… ${count(busy.value)}` : 'Make a design of its items'}
      </button>{' '}
      <span class="hint">Reads up to {plural(itemsMost, 'item')} and finds entities, key templates and relationships.</span> {trouble.value && <span class="refused">{trouble.value}</span>}
    </p>
  );
}
