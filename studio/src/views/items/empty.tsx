// When the design's tables are not in the engine: what to do about it.
import { batch } from '@preact/signals';
import { useState } from 'preact/hooks';
import { listTables } from '../../api/dynamodb.ts';
import { linkTo, setQuery } from '../../app/route.ts';
import { missing, model, source } from '../../design/design.ts';
import { describeReport, loadDesign, makeUpRows, resetDesign, type LoadReport, type Progress } from '../../design/load.ts';
import { designTables, missing as absent, reload, runAgain, say, tables } from './state.ts';

type Load = (source: string, onProgress: (progress: Progress) => void) => Promise<LoadReport>;

function useLoad(): { progress: Progress | null; start(load: Load): void } {
  const [progress, setProgress] = useState<Progress | null>(null);
  const start = (load: Load) => {
    setProgress({ text: 'Starting', done: 0, total: 1 });
    load(source.peek(), setProgress)
      .then(async (report) => {
        const there = await listTables();
        batch(() => {
          tables.value = there;
          reload.value += 1;
          runAgain.value += 1;
          say(describeReport(report), 'good');
        });
      })
      .catch((error: Error) => say(error.message, 'bad'))
      .finally(() => setProgress(null));
  };
  return { progress, start };
}

export const hasSample = () => model.value?.samples.some(({ rows }) => rows.length > 0) ?? false;

// For a design without a sample.
export function MakeUpButton({ title = 'Make up rows' }: { title?: string }) {
  const { progress, start } = useLoad();
  if (progress) return <span role="status">{progress.text}…</span>;
  return (
    <button class="main" onClick={() => start(makeUpRows)} title="Rows by the counts and sizes of the design; references point at existing rows">
      {title}
    </button>
  );
}

function ToLoad({ progress, start }: ReturnType<typeof useLoad>) {
  return (
    <>
      <p>
        The design keeps its items in {designTables.value.join(', ')}
        {absent.value.length === designTables.value.length ? '' : `; ${absent.value.join(', ')} does not exist`}. {hasSample() ? 'Load the sample' : 'It has no sample: generate rows'} to see them as item collections, to
        light up its access patterns and to try writes.
      </p>
      <p>
        {hasSample() ? (
          <button class="main" disabled={progress !== null} onClick={() => start(loadDesign)}>
            Load the sample of this design
          </button>
        ) : (
          <MakeUpButton title="Create it and generate rows" />
        )}{' '}
        <a href={linkTo('model')}>Look at the design first</a>
      </p>
      {progress && (
        <p role="status">
          {progress.text} <progress max={Math.max(1, progress.total)} value={progress.done} />
        </p>
      )}
    </>
  );
}

export function Empty() {
  const { progress, start } = useLoad();
  const others = (tables.value ?? []).filter((name) => !designTables.value.includes(name));
  return (
    <div class="items-empty">
      <section class="empty-card">
        <h1>{model.value ? `${model.value.title}: nothing is stored yet` : 'No design to show'}</h1>
        {!model.value && (
          <p>
            {missing.value ? (
              'Choose a design above.'
            ) : (
              <>
                The text of the design has errors that keep it from being read. <a href={linkTo('model')}>Open it in Model</a>, or choose another above.
              </>
            )}
          </p>
        )}
        {model.value && <ToLoad progress={progress} start={start} />}
        {others.length > 0 && (
          <>
            <h2>Other tables on this server</h2>
            <ul>
              {others.map((name) => (
                <li key={name}>
                  <button class="link" onClick={() => setQuery({ table: name })}>
                    {name}
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
    </div>
  );
}

// Deletes the design's tables and loads the sample again; asks first.
export function ResetButton({ title = 'Reset' }: { title?: string }) {
  const { progress, start } = useLoad();
  const [sure, setSure] = useState(false);
  if (progress) return <span role="status">{progress.text}…</span>;
  if (!sure) {
    return (
      <button title="Back to the sample of the design" onClick={() => setSure(true)}>
        {title}
      </button>
    );
  }
  return (
    <>
      <button
        class="danger"
        onClick={() => {
          setSure(false);
          start(resetDesign);
        }}
      >
        Delete {designTables.value.join(', ')} and load the sample
      </button>
      <button onClick={() => setSure(false)}>Keep</button>
    </>
  );
}
