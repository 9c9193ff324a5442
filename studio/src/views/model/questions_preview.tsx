// What the answers make, while they are given: the price, the proof, the sample in its keys, and each access pattern at a click. Stands
// where the picture of the open design would.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { model as api, type Trace } from '../../api/model.ts';
import { count, money, plural, rate } from '../../parts/numbers.ts';
import { openSample, SampleStage, TraceFigures, type OpenedSample } from '../../parts/sample_stage.tsx';
import { tableSide } from '../../parts/sample_items.ts';
import { KeysPicture } from './design/keys_picture.tsx';
import { defaultsUsed, holdInterview, made, showAnswer, troubleNow, wrongNow } from './questions.tsx';

// The read or write that costs most. Nobody has measured the rates yet, so a surprising price is a surprising rate.
function MostlyFrom({ source, questions }: { source: string; questions: number }) {
  const found = useSignal<{ name: string; money: number; perSecond: number; units: number; write: boolean } | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    found.value = null;
    api.cost(source, undefined, abort.signal).then(
      ({ patterns, writes }) => {
        const reads = patterns.map(({ name, moneyPerMonth, unitsPerSecond, readUnits }) => ({ name, money: moneyPerMonth, perSecond: unitsPerSecond / (readUnits || 1), units: readUnits, write: false }));
        const all = [...reads, ...writes.map(({ name, moneyPerMonth, unitsPerSecond, writeUnits }) => ({ name, money: moneyPerMonth, perSecond: unitsPerSecond / (writeUnits || 1), units: writeUnits, write: true }))];
        found.value = all.sort((a, b) => b.money - a.money)[0] ?? null;
      },
      () => {}, // The price stands without its reason.
    );
    return () => abort.abort();
  }, [source]);
  const most = found.value;
  if (!most || most.money === 0) return null;
  return (
    <p class="hint">
      Most of it is {most.name}: {money(most.money)} a month, with {plural(most.units, most.write ? 'write unit' : 'read unit')} each time and {rate(most.perSecond)}, at the numbers of rows in the form.{' '}
      {questions > 0 && `${plural(questions, 'question')} about rates and numbers ${questions === 1 ? 'is' : 'are'} answered with defaults: change them in the form.`}
    </p>
  );
}

// A pattern that runs lights up what it reads.
function Living({ source }: { source: string }) {
  const opened = useSignal<OpenedSample | null>(null);
  const trace = useSignal<{ name: string; trace: Trace } | null>(null);
  const side = useSignal(tableSide);
  const run = async (name: string) => {
    const now = opened.peek();
    const pattern = now?.plan.find((one) => one.name === name);
    if (!now || !pattern) return;
    const found = await api.runOnSample(source, name, pattern.examples[0] ?? now.argumentsOf(pattern)).catch(() => null);
    if (!found || opened.peek() !== now) return;
    trace.value = { name, trace: found };
    const steps = found.steps.filter((step) => step.table === now.table.name);
    side.value = steps.find(({ index }) => index !== null)?.index ?? tableSide;
  };
  useEffect(() => {
    let here = true;
    trace.value = null;
    side.value = tableSide;
    openSample(source).then(
      (sample) => {
        if (!here) return;
        opened.value = sample;
        const first = sample.plan.find(({ served }) => served);
        if (first) void run(first.name);
      },
      () => here && (opened.value = null), // The keys and the price stand without it.
    );
    return () => {
      here = false;
    };
  }, [source]);
  const now = opened.value;
  if (!now || now.source !== source) return null;
  return (
    <>
      <h3>Your access patterns: run one on a sample of {plural(now.table.items.length, 'item')}, and see what it reads</h3>
      <p class="group-add">
        {now.plan.filter(({ served }) => served).map(({ name, title }) => (
          <button key={name} type="button" aria-pressed={trace.value?.name === name} onClick={() => void run(name)}>
            {title || name}
          </button>
        ))}
      </p>
      <p class="card-figures" role="status">
        {trace.value && (
          <>
            {side.value === tableSide ? 'From the table' : `From the index ${side.value}`}, of this sample: <TraceFigures trace={trace.value.trace} />
          </>
        )}
      </p>
      <SampleStage opened={now} side={side.value} trace={trace.value?.trace ?? null} />
      <h3>Its keys</h3>
      <KeysPicture model={now.model} />
    </>
  );
}

// Instead of the price and the proof, which would be those of another design.
function WrongAnswers() {
  const wrong = wrongNow.value;
  if (wrong.length === 0) return null;
  return (
    <div class="note" role="status">
      <p>{wrong.length === 1 ? 'One answer cannot be read' : `${plural(wrong.length, 'answer')} cannot be read`}, so there is no design to price or prove yet.</p>
      <ul>
        {wrong.map(({ key, label, trouble }) => (
          <li key={key}>
            <button type="button" onClick={() => showAnswer(key)}>
              {label}
            </button>{' '}
            {trouble}
          </li>
        ))}
      </ul>
    </div>
  );
}

export function Preview() {
  useEffect(holdInterview, []);
  const now = made.value;
  const design = now?.design ?? null;
  return (
    <section class="questions-preview" aria-label="What this makes">
      <WrongAnswers />
      {troubleNow.value && wrongNow.value.length === 0 && <p class="note">{troubleNow.value[0]!.toUpperCase() + troubleNow.value.slice(1)}.</p>}
      {!now && !troubleNow.value && wrongNow.value.length === 0 && <p class="hint">Searching for keys…</p>}
      {now && (
        <>
          <h2>What this makes</h2>
          {design && (
            <p class="design-price">
              <strong>{money(design.money)}</strong> a month
              {design.proved && <span class="good"> · ✓ proved: every access pattern returned the right rows{design.proofRows ? `, on ${count(design.proofRows)} rows` : ''}</span>}
            </p>
          )}
          {design && <MostlyFrom source={design.source} questions={defaultsUsed.value} />}
          {design && !design.proved && <p class="note">Not proved. {design.problems.join(' ')}</p>}
          {!design && <p class="note">{now.trouble || `No key supports every access pattern: ${now.unserved.join(', ')}.`}</p>}
          {design && <Living source={design.source} />}
        </>
      )}
    </section>
  );
}
