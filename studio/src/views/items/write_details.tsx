// A write of the model: a form for each of its steps, and what came of sending it.
import { useState } from 'preact/hooks';
import { show } from '../../api/attribute_value.ts';
import type { Model, ModelAttribute, ModelWrite, WriteStep } from '../../api/model.ts';
import { model, source } from '../../design/design.ts';
import { fallOfChanges } from '../../design/fan_out.ts';
import { CodeBlock } from '../../parts/code_block.tsx';
import { EntityFields, readFields, useSubmit } from './entity_fields.tsx';
import { data, decoder, fall, lagMs, said, say, sayChanges, selectedItem } from './state.ts';
import { runWrite, StepsRefused, type StepResult, type WriteOutcome } from './steps.ts';
import { collectValues, valuesFor } from './suggest.ts';
import type { TableData } from './table_data.ts';
import { askedFor, copiesOf, Refused, type PlainItem } from './writes.ts';

export function WriteDetails({ write }: { write: ModelWrite }) {
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<WriteOutcome | null>(null);
  const [refused, setRefused] = useState<Error | null>(null);
  const known = model.value;
  const table = data.value;
  if (!known || !table || write.steps.length === 0) return <p class="hint">Open the table first.</p>;
  const send = async (given: PlainItem[]) => {
    setBusy(true);
    setRefused(null);
    setOutcome(null);
    said.value = null;
    try {
      const done = await runWrite(table, known, source.peek(), write, given, lagMs.peek());
      setOutcome(done);
      sayChanges(`${write.name} is done.`, done.changes);
      fall.value = fallOfChanges(write.name, done.changes, done.units);
    } catch (error) {
      setRefused(error as Error);
      say((error as Error).message, 'bad');
    }
    setBusy(false);
  };
  // New items of several steps begin empty: what is selected is none of them.
  const initial = write.steps.map((step) => (write.steps.length > 1 && step.kind === 'put' ? {} : initialFor(step)));
  const together = write.together && write.steps.length > 1;
  return (
    <div class="pattern-details">
      {together && (
        <p class="hint">
          {write.steps.length} steps in one transaction: all are written or none. It costs twice the table’s write units; index entries cost the same.
        </p>
      )}
      <StepsForm key={JSON.stringify(initial)} {...{ write, known, table, initial, busy }} onSend={(given) => void send(given)} />
      {refused && <p class="wrong">{refused.message}</p>}
      {outcome && (
        <p class="done">
          Done with {outcome.sent.map((one) => one.operation).join(', ')}, {outcome.writeUnits} write{' '}
          {outcome.writeUnits === 1 ? 'unit' : 'units'}, indexes included.
        </p>
      )}
      <Results steps={outcome?.steps ?? (refused instanceof StepsRefused ? refused.steps : [])} />
      <Sent requests={outcome?.sent.map((one) => one.request) ?? (refused instanceof Refused && refused.sent ? [refused.sent.request] : [])} />
    </div>
  );
}

// One step's result stands in the sentence above already.
function Results({ steps }: { steps: StepResult[] }) {
  if (steps.length < 2) return null;
  return (
    <ol class="step-results" aria-label="Result of each step">
      {steps.map(({ name, text, done }) => (
        <li key={name} class={done ? 'done' : text.startsWith('refused') ? 'wrong' : undefined}>
          <b>{name}</b>: {text}
        </li>
      ))}
    </ol>
  );
}

function Sent({ requests }: { requests: unknown[] }) {
  if (requests.length === 0) return null;
  return (
    <details>
      <summary>{requests.length === 1 ? 'The request as sent' : 'The requests as sent'}</summary>
      {requests.map((request, i) => (
        <CodeBlock key={i} label="Write request" code={JSON.stringify(request, null, 2)} />
      ))}
    </details>
  );
}

interface StepsFormProps {
  write: ModelWrite;
  known: Model;
  table: TableData;
  initial: Record<string, string>[];
  busy: boolean;
  onSend(given: PlainItem[]): void;
}

function StepsForm({ write, known, table, initial, busy, onSend }: StepsFormProps) {
  const [typed, setTyped] = useState(initial);
  const found = table.side(null) ? collectValues(table.side(null)!, decoder.value) : new Map<string, Set<string>>();
  const asked = write.steps.map((step) => attributesOf(known, step));
  const texts = withReferences(write.steps, asked, typed);
  const { wrong, send } = useSubmit(() => asked.map((attributes, i) => readFields(attributes, texts[i]!)), onSend);
  return (
    <form class="entity-form" onSubmit={send}>
      {write.steps.map((step, i) => (
        <fieldset key={i} class="write-step">
          <legend class={write.steps.length === 1 ? 'unseen' : undefined}>
            {write.steps.length > 1 && `${i + 1}. `}
            {step.kind} {step.entity}
          </legend>
          <p class="hint">{describe(known, step)}</p>
          <EntityFields
            prefix={write.steps.length === 1 ? `field-${step.entity}` : `step-${i + 1}-${step.entity}`}
            attributes={asked[i]!}
            texts={texts[i]!}
            suggestions={Object.fromEntries(asked[i]!.map(({ name }) => [name, valuesFor(known, found, `${step.entity}.${name}`)]))}
            onText={(name, text) => setTyped(typed.map((one, at) => (at === i ? { ...one, [name]: text } : one)))}
          />
        </fieldset>
      ))}
      {wrong && <p class="wrong">{wrong}</p>}
      <button class="main" disabled={busy}>
        Run {write.name}
      </button>
    </form>
  );
}

function attributesOf(known: Model, step: WriteStep): ModelAttribute[] {
  const names = askedFor(known, step);
  return known.entities.find((one) => one.name === step.entity)?.attributes.filter((one) => names.includes(one.name)) ?? [];
}

// A field that refers to another step's entity has the value typed there, until it gets its own.
export function withReferences(
  steps: Pick<WriteStep, 'entity'>[],
  asked: Pick<ModelAttribute, 'name' | 'references'>[][],
  typed: Record<string, string>[],
): Record<string, string>[] {
  return typed.map((texts, i) => {
    const all = { ...texts };
    for (const { name, references } of asked[i]!) {
      const at = steps.findIndex((step, other) => other !== i && references?.startsWith(`${step.entity}.`));
      const value = at < 0 ? undefined : typed[at]?.[references!.slice(references!.indexOf('.') + 1)];
      if (all[name] === undefined && value !== undefined) all[name] = value;
    }
    return all;
  });
}

function describe(known: Model, step: WriteStep): string {
  if (step.kind === 'put') return `Writes a new ${step.entity}${step.once ? '; refused if it exists already' : ''}.`;
  if (step.kind === 'delete') return `Removes one ${step.entity}. Select one in the picture to fill in its key.`;
  const copies = copiesOf(known, step);
  const does = [step.set.length > 0 ? `changes ${step.set.join(', ')}` : '', (step.remove ?? []).length > 0 ? `removes ${step.remove!.join(', ')}` : ''].filter((one) => one !== '').join(' and ');
  return (
    `${does[0]?.toUpperCase() ?? ''}${does.slice(1)} of one ${step.entity}. Select one in the picture to fill in its key.` +
    (copies.length > 0 ? ` The copies that ${copies.join(', ')} items keep are not changed with it.` : '')
  );
}

// The selected item's attributes, if it is of this entity.
function initialFor({ entity }: WriteStep): Record<string, string> {
  const known = selectedItem.value ? decoder.value.attributesOf(selectedItem.value) : null;
  if (known?.entity !== entity) return {};
  return Object.fromEntries(Object.entries(known.attributes).map(([name, value]) => [name, show(value)]));
}
