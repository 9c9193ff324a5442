// The model's access patterns and writes. One that is chosen runs; what it reads lights up in the
// picture, and its figures stand here.
import { member } from '../../api/attribute_value.ts';
import { useState } from 'preact/hooks';
import type { PlannedPattern, Trace } from '../../api/model.ts';
import { linkTo } from '../../app/route.ts';
import { model, plan } from '../../design/design.ts';
import { keysFor } from '../../design/key_reasons.ts';
import { CodeBlock } from '../../parts/code_block.tsx';
import { bytes as showBytes, count, perMillion, plural } from '../../parts/numbers.ts';
import { Choice, choicesOf } from './entity_fields.tsx';
import { choosePattern, closePattern, data, decoder, designTables, openedWrite, openWrite, parameters, patternName, run, showStep, stepNumber } from './state.ts';
import { collectValues, oneOf, valuesFor } from './suggest.ts';
import { WriteDetails } from './write_details.tsx';

export function PatternsPanel() {
  const patterns = plan.value?.patterns ?? [];
  const writes = model.value?.writes ?? [];
  return (
    <div class="patterns">
      <Foreign />
      <p class="hint">
        Click a pattern: the items that it reads light up, in the order of reading. Grey is read, paid for and discarded.
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
            <PatternButton pattern={pattern} onChoose={() => openWrite(null)} />
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
                  aria-expanded={openedWrite.value === write.name}
                  onClick={() => {
                    if (patternName.peek() !== null) closePattern();
                    openWrite(openedWrite.peek() === write.name ? null : write.name);
                  }}
                >
                  <b>{write.name}</b> {write.title}
                </button>
                {openedWrite.value === write.name && <WriteDetails key={write.name} write={write} />}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

// The table that is shown is not one of the design's: its patterns read other tables.
function Foreign() {
  const shown = data.value?.name;
  if (shown === undefined || !model.value || designTables.value.length === 0 || designTables.value.includes(shown)) return null;
  return (
    <div class="misfit">
      <p>
        {shown} is not a table of “{model.value.title}”. The patterns below are that design’s, and read{' '}
        <a href={linkTo('items', [], { table: designTables.value[0] })}>{designTables.value.join(', ')}</a>.
      </p>
    </div>
  );
}

// Without an example: values that are stored, of one item as far as it has them.
function storedExample({ parameters: asked }: PlannedPattern): Record<string, string> {
  const [side, known] = [data.peek()?.side(null), model.peek()];
  return side && known ? oneOf(known, side, decoder.peek(), asked) : {};
}

function PatternButton({ pattern, onChoose }: { pattern: PlannedPattern; onChoose(): void }) {
  const on = patternName.value === pattern.name;
  return (
    <button
      class="pattern-button"
      aria-expanded={on}
      onClick={() => {
        onChoose();
        if (on) closePattern();
        else choosePattern(pattern.name, pattern.examples[0] ?? storedExample(pattern));
      }}
    >
      <b>{pattern.name}</b> {pattern.title}
      {!pattern.served && <span class="badge bad">not supported</span>}
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
          {now && now.asks.length > 0 && <p class="hint">Fill in {now.asks.join(' and ')}, and it runs.</p>}
          {now?.error && (
            <p class="wrong" role="alert">
              {now.error}
            </p>
          )}
          {now?.trace && <Figures pattern={pattern} />}
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
      <summary>The plan, and the reasons for it</summary>
      {pattern.plan.map((line) => (
        <p key={line} class="plan-line">
          <code>{line}</code>
        </p>
      ))}
      {pattern.why?.split('\n').map((line) => (
        <p key={line}>{line}</p>
      ))}
      {(model.value && plan.value ? keysFor(model.value, plan.value, pattern.name) : []).map((line) => (
        <p key={line}>{line}</p>
      ))}
    </details>
  );
}

function NotServed({ pattern }: { pattern: PlannedPattern }) {
  return (
    <>
      <p class="wrong">No request on this design's keys returns this answer. {pattern.why}</p>
      {pattern.proposal && <CodeBlock label="A change that would support it" code={pattern.proposal} />}
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
        const [entity, plainName] = attribute.split('.');
        const described = known.entities.find((one) => one.name === entity)?.attributes.find((one) => one.name === plainName);
        const only = described ? choicesOf(described) : null;
        const set = (text: string) => setTexts({ ...texts, [name]: text });
        return (
          <label key={name} for={id}>
            <span>
              {name} <small>{attribute}</small>
            </span>
            {only ? (
              <Choice id={id} choices={only} value={member(texts, name) ?? ''} required onText={set} />
            ) : (
              <input
                id={id}
                list={`${id}-list`}
                autocomplete="off"
                value={member(texts, name) ?? ''}
                onFocus={look}
                onInput={(event) => set(event.currentTarget.value)}
              />
            )}
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

// The price of a run with the data that the design expects; null if this run cost nothing, so that the
// price of a unit is not known.
export function designedPrice(trace: Pick<Trace, 'price' | 'readUnits'>, designedUnits: number): number | null {
  return trace.readUnits > 0 ? (trace.price / trace.readUnits) * designedUnits : null;
}

function Figures({ pattern }: { pattern: PlannedPattern }) {
  const trace = run.value!.trace!;
  const designed = designedPrice(trace, pattern.readUnits);
  const figures: [string, string, string][] = [
    ['Read units', String(trace.readUnits), 'Each request is rounded up to 4 KB; an eventually consistent read costs half'],
    ['Requests', String(trace.requests), 'Pages of one query count each'],
    ['Items read', String(trace.itemsRead), 'All that the keys selected'],
    ['Discarded', String(trace.itemsThrownAway), 'Read and paid for, but not part of the answer'],
    ['Bytes read', showBytes(trace.bytesRead), 'Before rounding'],
    ['Consistency', trace.consistency, trace.consistency === 'strong' ? 'Sees every write that was confirmed before' : 'May miss a write of the last moments'],
    ['Price', perMillion(trace.price, trace.currency), 'On-demand prices, see docs/model/prices.md'],
  ];
  return (
    <>
      <h3>With the stored items</h3>
      <dl class="figures" aria-label={`What ${run.value!.pattern} costs`}>
        {figures.map(([name, value, hint]) => (
          <div key={name} title={hint} data-figure={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h3>As designed</h3>
      <p class="as-designed">
        {count(pattern.readUnits)} read {pattern.readUnits === 1 ? 'unit' : 'units'} in {plural(pattern.requests, 'request')}
        {designed !== null && `, ${perMillion(designed, trace.currency)}`}.{' '}
        <small>With as many rows as the design expects.</small>
      </p>
    </>
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
      {steps.length > 1 && (
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
      )}
      <p>
        <b>{step.operation}</b> on {step.index === null ? `table ${step.table}` : `index ${step.index} of ${step.table}`}
        {step.pages > 1 && `, page ${step.page} of ${step.pages}`}: {step.read.length} read
        {step.thrownAway > 0 && `, ${step.thrownAway} discarded`}, {showBytes(step.bytes)}, {step.readUnits}{' '}
        {step.readUnits === 1 ? 'unit' : 'units'}.
        {step.request['ScanIndexForward'] === false && ' Read backwards: the last of the collection comes first.'}
        {step.read.length === 0 && ' No item has this key.'}
      </p>
      <details>
        <summary>The request as sent</summary>
        <CodeBlock label={`${step.operation} request`} code={JSON.stringify(step.request, null, 2)} />
      </details>
    </div>
  );
}
