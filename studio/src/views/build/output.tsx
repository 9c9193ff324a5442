// The request as code, and what it gives.
import type { Item } from '../../api/attribute_value.ts';
import { Grid } from '../../parts/grid.tsx';
import { hasCondition, isRead } from '../../requests/draft.ts';
import { RequestCode } from '../../parts/request_code.tsx';
import { draft, mistakes, outcome, readOn, run, schema } from './state.ts';
import { keysFor } from '../../requests/schema.ts';

export function CodeTabs() {
  return (
    <section class="panel" aria-label="Code">
      <h2>Code</h2>
      <RequestCode draft={draft.value} table={schema.value} unfinished={mistakes.value.length > 0} />
    </section>
  );
}

const shownMax = 200; // Rows of the live result; a page of the service may have thousands. What was read on is shown at its end.

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
    answer.ScannedCount !== undefined && answer.ScannedCount !== answer.Count ? `${answer.ScannedCount} read, ${answer.ScannedCount - answer.Count} discarded by the filter` : '',
    units(answer.ConsumedCapacity?.CapacityUnits),
    `${milliseconds.toFixed(1)} ms`,
    items.length > shownMax ? `the last ${shownMax} are shown` : '',
  ];
  return (
    <>
      <p class="facts" role="status">
        {facts.filter((fact) => fact !== '').join(' · ')}
        {answer.LastEvaluatedKey && (
          <>
            {' '}
            · there is more{' '}
            <button type="button" onClick={() => void readOn()}>
              Read on
            </button>
          </>
        )}
      </p>
      {sent.operation === 'Scan' && (
        <p class="warning">A Scan reads every item of the table and pays for each, whatever the filter keeps. A Query reads one collection.</p>
      )}
      {items.length > 0 && <Grid label="Result" items={items.slice(-shownMax)} keys={[...new Set(keys)]} />}
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
      {!write && ready && outcome.value.state === 'idle' && <p class="hint">Reads run as you type.</p>}
      {write && outcome.value.state === 'idle' && <p class="hint">Writes run when you press Run.</p>}
      <Answer />
    </section>
  );
}
