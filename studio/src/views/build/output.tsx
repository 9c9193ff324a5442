// The request as code, and what it gives.
import { route, setQuery } from '../../app/route.ts';
import type { Item } from '../../api/attribute_value.ts';
import { CodeBlock } from '../../parts/code_block.tsx';
import { Grid } from '../../parts/grid.tsx';
import { hasCondition, isRead } from '../../requests/draft.ts';
import type { Target } from '../../requests/emit/emitted.ts';
import { languages } from '../../requests/emit/languages.ts';
import { compiled, draft, mistakes, outcome, run, schema } from './state.ts';
import { keysFor } from '../../requests/schema.ts';

function target(): Target {
  return { endpoint: location.origin, region: 'us-east-1', ...(schema.value ? { table: schema.value } : {}) };
}

export function CodeTabs() {
  const chosen = languages.find(({ name }) => name === route.value.query['as']) ?? languages[0]!;
  const emitted = chosen.emit(draft.value, compiled.value, target());
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const next = languages[(languages.indexOf(chosen) + step + languages.length) % languages.length]!;
    setQuery({ as: next.name }, { replace: true });
    document.getElementById(`as-${next.name}`)?.focus();
    event.preventDefault();
  };
  return (
    <section class="panel" aria-label="Code">
      <h2>Code</h2>
      <div role="tablist" aria-label="Language" class="tabs" onKeyDown={onKeyDown}>
        {languages.map(({ name, title }) => (
          <button
            key={name}
            id={`as-${name}`}
            type="button"
            role="tab"
            aria-selected={name === chosen.name}
            aria-controls="code-panel"
            tabIndex={name === chosen.name ? 0 : -1}
            onClick={() => setQuery({ as: name }, { replace: true })}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="code-panel" aria-labelledby={`as-${chosen.name}`}>
        {mistakes.value.length > 0 && <p class="hint">The request is not complete yet. See what is marked on the form.</p>}
        {'refused' in emitted ? (
          <p class="refused" role="status">
            <strong>{chosen.title} cannot say this.</strong> {emitted.refused}
          </p>
        ) : (
          <>
            <CodeBlock code={emitted.code} label={`${chosen.title} code`} unfinished={mistakes.value.length > 0} />
            {emitted.notes.map((note) => (
              <p key={note} class="hint">
                {note}
              </p>
            ))}
          </>
        )}
      </div>
    </section>
  );
}

const shownMax = 200; // Rows of the live result; a page of the service may have thousands.

const units = (count: number | undefined) => (count === undefined ? '' : count === 1 ? '1 unit' : `${count} units`);

function Answer() {
  const now = outcome.value;
  if (now.state === 'running') return <p class="hint">Asking…</p>;
  if (now.state === 'failed') {
    if (now.stored === undefined) {
      return (
        <p class="refused" role="alert">
          <strong>{now.code}</strong> {now.message}
        </p>
      );
    }
    return (
      <>
        <p class="refused" role="alert">
          <strong>The condition was not met, so nothing was written.</strong> {now.stored ? 'It was tested on this item, which is stored now:' : 'No item has this key.'}
        </p>
        {now.stored && <Grid label="Stored now" items={[now.stored]} keys={(schema.value?.keys ?? []).map(({ name }) => name)} />}
      </>
    );
  }
  if (now.state !== 'done') return null;
  const { answer, sent, milliseconds } = now;
  const items: Item[] = answer.Items ?? (answer.Item ? [answer.Item] : answer.Attributes ? [answer.Attributes] : []);
  const table = schema.value;
  const keys = table ? [...keysFor(table, draft.value.index), ...table.keys].map(({ name }) => name) : [];
  const facts = [
    isRead(sent.operation) ? `${items.length === 1 ? '1 item' : `${items.length} items`}` : 'Written',
    answer.ScannedCount !== undefined && answer.ScannedCount !== answer.Count ? `${answer.ScannedCount} read, ${answer.ScannedCount - answer.Count} thrown away by the filter` : '',
    units(answer.ConsumedCapacity?.CapacityUnits),
    `${milliseconds.toFixed(1)} ms`,
    answer.LastEvaluatedKey ? 'there is more' : '',
    items.length > shownMax ? `the first ${shownMax} are shown` : '',
  ];
  return (
    <>
      <p class="facts" role="status">
        {facts.filter((fact) => fact !== '').join(' · ')}
      </p>
      {sent.operation === 'Scan' && (
        <p class="warning">A Scan reads every item of the table and pays for each, whatever the filter keeps. A Query reads one collection.</p>
      )}
      {items.length > 0 && <Grid label="Result" items={items.slice(0, shownMax)} keys={[...new Set(keys)]} />}
    </>
  );
}

export function Result() {
  const write = hasCondition(draft.value.operation);
  const ready = mistakes.value.length === 0 && schema.value?.stored === true;
  return (
    <section class="panel" aria-label="Result">
      <div class="panel-head">
        <h2>Result</h2>
        <button type="button" class={write ? 'main' : ''} disabled={!ready} onClick={() => void run()}>
          {write ? `Run ${draft.value.operation}` : 'Run again'}
        </button>
      </div>
      {!write && ready && outcome.value.state === 'idle' && <p class="hint">Reads run by themselves while you build.</p>}
      {write && outcome.value.state === 'idle' && <p class="hint">Writes run when you say so.</p>}
      <Answer />
    </section>
  );
}
