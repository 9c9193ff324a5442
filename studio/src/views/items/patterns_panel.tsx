// The model's access patterns and writes. One that is chosen runs; what it reads lights up in the
// picture, and its figures stand here.
import { useState } from 'preact/hooks';
import type { ModelWrite, PlannedPattern } from '../../api/model.ts';
import { model, plan, source } from '../../design/design.ts';
import { showBytes } from '../../design/sizes.ts';
import { CodeBlock } from '../../parts/code_block.tsx';
import { EntityForm } from './entity_form.tsx';
import {
  choosePattern,
  closePattern,
  data,
  decoder,
  lagMs,
  parameters,
  patternName,
  run,
  say,
  sayChanges,
  selectedItem,
  showStep,
  stepNumber,
} from './state.ts';
import { show } from '../../api/attribute_value.ts';
import { collectValues, valuesFor } from './suggest.ts';
import { askedFor, copiesOf, Refused, runWrite, type Outcome } from './writes.ts';

export function PatternsPanel() {
  const patterns = plan.value?.patterns ?? [];
  const writes = model.value?.writes ?? [];
  const [open, setOpen] = useState<string | null>(null);
  return (
    <div class="patterns">
      <p class="hint">
        Click a pattern: the items that it reads light up, in the order of reading. Grey is read, paid for and thrown away.
      </p>
      <details class="hint">
        <summary>How to read the picture</summary>
        <p>
          The cell at the left is a partition key. Its rows are the items of that key, a collection, in the order of their sort key. A
          query reads one collection, or a run of neighbouring rows of it. An index holds the same items again under other keys: press
          its name above the picture to see where they go.
        </p>
      </details>
      <h2>Reads</h2>
      <ul class="pattern-list">
        {patterns.map((pattern) => (
          <li key={pattern.name}>
            <PatternButton pattern={pattern} />
            {patternName.value === pattern.name && <PatternDetails pattern={pattern} />}
          </li>
        ))}
      </ul>
      {writes.length > 0 && (
        <>
          <h2>Writes</h2>
          <ul class="pattern-list">
            {writes.map((write) => (
              <li key={write.name}>
                <button
                  class="pattern-button"
                  aria-expanded={open === write.name}
                  onClick={() => setOpen(open === write.name ? null : write.name)}
                >
                  <b>{write.name}</b> {write.title}
                </button>
                {open === write.name && <WriteDetails key={write.name} write={write} />}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function PatternButton({ pattern }: { pattern: PlannedPattern }) {
  const on = patternName.value === pattern.name;
  return (
    <button
      class="pattern-button"
      aria-expanded={on}
      onClick={() => (on ? closePattern() : choosePattern(pattern.name, pattern.examples[0] ?? {}))}
    >
      <b>{pattern.name}</b> {pattern.title}
      {!pattern.served && <span class="badge bad">not served</span>}
    </button>
  );
}

function PatternDetails({ pattern }: { pattern: PlannedPattern }) {
  const now = run.value;
  return (
    <div class="pattern-details" aria-busy={now?.running ?? false}>
      {!pattern.served ? (
        <NotServed pattern={pattern} />
      ) : (
        <>
          <Parameters key={JSON.stringify(parameters.value)} pattern={pattern} />
          {now?.error && (
            <p class="wrong" role="alert">
              {now.error}
            </p>
          )}
          {now?.trace && <Figures />}
          {now?.trace && <Steps />}
          <Plan pattern={pattern} />
        </>
      )}
    </div>
  );
}

function Plan({ pattern }: { pattern: PlannedPattern }) {
  return (
    <details>
      <summary>How it is served, and why so</summary>
      {pattern.plan.map((line) => (
        <p key={line} class="plan-line">
          <code>{line}</code>
        </p>
      ))}
      {pattern.why?.split('\n').map((line) => (
        <p key={line}>{line}</p>
      ))}
    </details>
  );
}

function NotServed({ pattern }: { pattern: PlannedPattern }) {
  return (
    <>
      <p class="wrong">No request on this design's keys gives this answer. {pattern.why}</p>
      {pattern.proposal && <CodeBlock label="A change that would serve it" code={pattern.proposal} />}
    </>
  );
}

function Parameters({ pattern }: { pattern: PlannedPattern }) {
  const [texts, setTexts] = useState<Record<string, string>>(parameters.value);
  const [found, setFound] = useState<Map<string, Set<string>>>(new Map());
  const known = model.value;
  if (pattern.parameters.length === 0 || !known) return null;
  // The values of the data are looked for only when somebody wants to choose.
  const look = () => {
    const side = data.peek()?.side(null);
    if (side && found.size === 0) setFound(collectValues(side, decoder.peek()));
  };
  return (
    <form
      class="entity-form"
      onSubmit={(event) => {
        event.preventDefault();
        choosePattern(pattern.name, texts);
      }}
    >
      {pattern.parameters.map(({ name, attribute }) => {
        const id = `parameter-${name}`;
        const examples = pattern.examples.map((example) => String(example[name] ?? ''));
        const choices = [...new Set([...examples, ...valuesFor(known, found, attribute)])].filter((one) => one !== '');
        return (
          <label key={name} for={id}>
            <span>
              {name} <small>{attribute}</small>
            </span>
            <input
              id={id}
              list={`${id}-list`}
              autocomplete="off"
              value={texts[name] ?? ''}
              onFocus={look}
              onInput={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
            />
            <datalist id={`${id}-list`}>
              {choices.map((choice) => (
                <option key={choice} value={choice} />
              ))}
            </datalist>
          </label>
        );
      })}
      <button class="main">Run</button>
    </form>
  );
}

// 0.000000125 → "$0.125 for a million".
export function priceOfMillion(price: number, currency: string): string {
  const million = price * 1e6;
  const digits = million >= 100 ? 0 : million >= 1 ? 2 : 4;
  return `${currency}${million.toFixed(digits).replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')}`;
}

function Figures() {
  const trace = run.value!.trace!;
  const figures: [string, string, string][] = [
    ['Read units', String(trace.readUnits), 'Each request rounds what it reads up to 4 KB; an eventually consistent read costs half'],
    ['Requests', String(trace.requests), 'Pages of one query count each'],
    ['Items read', String(trace.itemsRead), 'All that the keys selected'],
    ['Thrown away', String(trace.itemsThrownAway), 'Read and paid for, but not part of the answer'],
    ['Bytes read', showBytes(trace.bytesRead), 'Before rounding'],
    ['Consistency', trace.consistency, trace.consistency === 'strong' ? 'Sees every write that was confirmed before' : 'May miss a write of the last moments'],
    ['Price', `${priceOfMillion(trace.price, trace.currency)} per million runs`, 'On-demand prices, see docs/model/prices.md'],
  ];
  return (
    <dl class="figures" aria-label={`What ${run.value!.pattern} costs`}>
      {figures.map(([name, value, hint]) => (
        <div key={name} title={hint} data-figure={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Steps() {
  const { steps } = run.value!;
  const number = stepNumber.value;
  const step = steps[number - 1];
  if (!step) return <p class="hint">No request was needed.</p>;
  const go = (to: number) => to >= 1 && to <= steps.length && showStep(to, { replace: true });
  return (
    <div
      class="steps"
      role="group"
      aria-label="Steps of the plan"
      onKeyDown={(event) => {
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
        event.preventDefault();
        go(number + (event.key === 'ArrowRight' ? 1 : -1));
      }}
    >
      <div class="step-bar">
        <button aria-disabled={number <= 1} onClick={() => go(number - 1)}>
          Previous
        </button>
        <span aria-live="polite">
          Step {number} of {steps.length}
        </span>
        <button aria-disabled={number >= steps.length} onClick={() => go(number + 1)}>
          Next
        </button>
      </div>
      <p>
        <b>{step.operation}</b> on {step.index === null ? `table ${step.table}` : `index ${step.index} of ${step.table}`}
        {step.pages > 1 && `, page ${step.page} of ${step.pages}`}: {step.read.length} read
        {step.thrownAway > 0 && `, ${step.thrownAway} thrown away`}, {showBytes(step.bytes)}, {step.readUnits}{' '}
        {step.readUnits === 1 ? 'unit' : 'units'}.
        {step.read.length === 0 && ' Nothing is there under this key.'}
      </p>
      <details>
        <summary>The request as sent</summary>
        <CodeBlock label={`${step.operation} request`} code={JSON.stringify(step.request, null, 2)} />
      </details>
    </div>
  );
}

function WriteDetails({ write }: { write: ModelWrite }) {
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [refused, setRefused] = useState<Error | null>(null);
  const known = model.value;
  const table = data.value;
  const [step] = write.steps;
  const entity = known?.entities.find((one) => one.name === step?.entity);
  if (!known || !table || !step || !entity) return <p class="hint">Open the table first.</p>;
  const send = async (attributes: Record<string, unknown>) => {
    setBusy(true);
    setRefused(null);
    setOutcome(null);
    try {
      const done = await runWrite(table, known, source.peek(), write, attributes, lagMs.peek());
      setOutcome(done);
      sayChanges(`${write.name} is done.`, done.changes);
    } catch (error) {
      setRefused(error as Error);
      say((error as Error).message, 'bad');
    }
    setBusy(false);
  };
  const initial = initialFor(entity.name);
  const found = table.side(null) ? collectValues(table.side(null)!, decoder.value) : new Map<string, Set<string>>();
  const names = askedFor(known, step);
  const copies = copiesOf(known, step);
  return (
    <div class="pattern-details">
      <p class="hint">
        {step.kind === 'put' && `Writes a new ${step.entity}${step.once ? '; refused if it is there already' : ''}.`}
        {step.kind === 'update' && `Changes ${step.set.join(', ')} of one ${step.entity}. Select one in the picture to fill in its key.`}
        {copies.length > 0 && ` The copies that ${copies.join(', ')} items keep are not changed with it.`}
        {step.kind === 'delete' && `Removes one ${step.entity}. Select one in the picture to fill in its key.`}
      </p>
      <EntityForm
        key={JSON.stringify(initial)}
        entity={entity}
        names={names}
        initial={initial}
        suggestions={Object.fromEntries(names.map((name) => [name, valuesFor(known, found, `${entity.name}.${name}`)]))}
        action={`Run ${write.name}`}
        busy={busy}
        onSend={(attributes) => void send(attributes)}
      />
      {refused && <p class="wrong">{refused.message}</p>}
      {outcome && (
        <p class="done">
          Done with {outcome.sent.operation}, {outcome.writeUnits} write {outcome.writeUnits === 1 ? 'unit' : 'units'}, indexes included.
        </p>
      )}
      {(outcome ?? (refused instanceof Refused && refused.sent ? refused : null)) && (
        <details>
          <summary>The request as sent</summary>
          <CodeBlock
            label="Write request"
            code={JSON.stringify(outcome?.sent.request ?? (refused as Refused).sent?.request, null, 2)}
          />
        </details>
      )}
    </div>
  );
}

// The selected item's attributes, if it is of this entity.
function initialFor(entity: string): Record<string, string> {
  const known = selectedItem.value ? decoder.value.attributesOf(selectedItem.value) : null;
  if (known?.entity !== entity) return {};
  return Object.fromEntries(Object.entries(known.attributes).map(([name, value]) => [name, show(value)]));
}
