// One lesson: short steps with a table of their own, everything run on the real engine.
import { signal, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { returns } from '../../api/reach.ts';
import { formatRoute, go, linkTo } from '../../app/route.ts';
import { CodeBlock } from '../../parts/code_block.tsx';
import { Grid } from '../../parts/grid.tsx';
import { Prose } from '../../parts/prose.tsx';
import { Refused } from '../../parts/refused.tsx';
import { RelationalTables } from '../../parts/relational_tables.tsx';
import { SentCode } from '../../parts/request_code.tsx';
import type { Draft } from '../../requests/draft.ts';
import { draftOf } from '../../requests/from_request.ts';
import { packDraft } from '../../requests/link.ts';
import { finish, finished } from './finished.ts';
import { patternOf, pricedPattern, stepAddress, type Call, type Lesson, type Step, type Try } from './lesson.ts';
import { lessons } from './lessons.ts';
import { beginning, runTry, type Outcome } from './run_try.ts';
import { chosenRow, chooseRow, design, keys, light, lit, markOf, openLesson, refreshItems, reset, source, state, tableItems, touched } from './state.ts';

// What stands below “In code”.
const inCode = signal<{ label: string; calls: Call[] } | null>(null);

function InCode({ lesson, step }: { lesson: Lesson; step: Step }) {
  const now = inCode.value;
  const chosen = useSignal(0);
  useEffect(() => void (chosen.value = (now?.calls.length ?? 1) - 1), [now]);
  if (!now) return null;
  const { label, calls } = now;
  const at = Math.min(chosen.value, calls.length - 1);
  const call = calls[at]!;
  return (
    <section class="lesson-code" aria-label="In code">
      <h3>In code: {label}</h3>
      {calls.length > 1 && (
        <p class="hint">
          <label>
            Request{' '}
            <select value={at} onChange={(event) => (chosen.value = Number(event.currentTarget.value))}>
              {calls.map((_, number) => (
                <option key={number} value={number}>
                  {number + 1} of {calls.length}
                </option>
              ))}
            </select>
          </label>{' '}
          Try it sends all {calls.length}, one after the other. The code is for one of them.
        </p>
      )}
      <SentCode operation={call.operation} request={call.request} />
      <BuildLink draft={step.draft ?? draftOf(call.operation, call.request)} lesson={lesson} />
    </section>
  );
}

function OutcomeView({ outcome, wanted, lesson, earlier = false }: { outcome: Outcome; wanted: Try; lesson: Lesson; earlier?: boolean }) {
  return (
    <div class={earlier ? 'outcome-before' : 'outcome'} role={earlier ? 'group' : 'status'} aria-label={earlier ? 'For comparison' : undefined}>
      <h4>{wanted.label}</h4>
      <p class={outcome.refused ? 'refused' : 'facts'}>
        {outcome.refused && <strong>{outcome.refused} </strong>}
        {outcome.facts.join(' · ')}
      </p>
      <p>
        <Prose text={wanted.note} />
      </p>
      {outcome.items.length > 0 && <Grid label={`${earlier ? 'Earlier answer' : 'Answer'}: ${wanted.label}`} items={outcome.items} keys={keys.value} />}
      <details>
        <summary>What was sent</summary>
        <CodeBlock
          label={`${earlier ? 'Earlier requests' : 'Requests'} of ${wanted.label}`}
          code={outcome.sent.map(({ operation, request }) => `${operation} ${JSON.stringify(request, null, 2)}`).join('\n\n')}
        />
        <p class="hint">All of it went to the table {lesson.table}.</p>
      </details>
    </div>
  );
}

function Tries({ lesson, step, onRun }: { lesson: Lesson; step: Step; onRun: () => void }) {
  const done = useSignal<{ wanted: Try; outcome: Outcome } | null>(null);
  const earlier = useSignal<{ wanted: Try; outcome: Outcome } | null>(null); // Another answer, to compare with.
  const problem = useSignal('');
  const busy = useSignal(false);
  const ran = useSignal<string[]>([]);
  // What was refused because the server was gone is no news when it is back.
  useEffect(() => void (problem.value = ''), [returns.value]);
  // Before anything has run, the code is that of the first example.
  useEffect(() => {
    inCode.value = null;
    const [first] = step.tries;
    if (state.value === 'ready') void beginning(source.peek(), first!).then((calls) => calls.length > 0 && (inCode.value ??= { label: first!.label, calls }));
  }, [step, state.value]);
  const next = step.tries.find(({ label }) => !ran.value.includes(label));
  const start = async (wanted: Try) => {
    busy.value = true;
    problem.value = '';
    try {
      const outcome = await runTry(source.peek(), wanted, pricedPattern(lesson));
      if (done.peek() && done.peek()!.wanted !== wanted) earlier.value = done.peek();
      done.value = { wanted, outcome };
      ran.value = [...new Set([...ran.peek(), wanted.label])];
      onRun();
      await refreshItems(lesson, step.index);
      light(outcome.touched);
      inCode.value = { label: wanted.label, calls: outcome.sent };
    } catch (error) {
      problem.value = (error as Error).message;
    }
    busy.value = false;
  };
  return (
    <section class="panel" aria-label="Try it">
      <h3>Try it</h3>
      <div class="group-add">
        {step.tries.map((wanted) => (
          <button
            key={wanted.label}
            type="button"
            class={wanted === next ? 'main' : undefined}
            aria-current={wanted === done.value?.wanted ? 'true' : undefined}
            aria-description={ran.value.includes(wanted.label) ? 'has run' : undefined}
            disabled={busy.value || state.value !== 'ready'}
            onClick={() => void start(wanted)}
          >
            {ran.value.includes(wanted.label) && <span aria-hidden="true">✓ </span>}
            {wanted.label}
          </button>
        ))}
      </div>
      <Refused reason={problem.value} />
      <div class="outcomes">
        {done.value && <OutcomeView outcome={done.value.outcome} wanted={done.value.wanted} lesson={lesson} />}
        {earlier.value && <OutcomeView outcome={earlier.value.outcome} wanted={earlier.value.wanted} lesson={lesson} earlier />}
      </div>
    </section>
  );
}

function BuildLink({ draft, lesson }: { draft: Draft | null; lesson: Lesson }) {
  const word = useSignal('');
  useEffect(() => {
    word.value = '';
    if (draft) void packDraft(draft).then((packed) => (word.value = packed));
  }, [JSON.stringify(draft)]);
  return word.value === '' ? null : <a href={formatRoute({ view: 'build', query: { model: lesson.model, q: word.value } })}>Build this request yourself</a>;
}

function Further({ lesson, step }: { lesson: Lesson; step: Step }) {
  const query = { model: lesson.model, table: lesson.table, index: step.index };
  const pattern = patternOf(step);
  const marked = pattern ? { pattern: pattern.name, ...Object.fromEntries(Object.entries(pattern.parameters).map(([name, value]) => [`p.${name}`, String(value)])) } : {};
  return (
    <nav class="further" aria-label="Further">
      <a href={formatRoute({ view: 'items', query: { ...query, ...marked } })}>{pattern ? 'See it light up in Items' : 'See the items'}</a>
      <a href={formatRoute({ view: 'model', query: { model: lesson.model } })}>Read the model</a>
    </nav>
  );
}

function LiveTable({ lesson, step }: { lesson: Lesson; step: Step }) {
  const problem = useSignal('');
  useEffect(() => void (problem.value = ''), [returns.value]);
  const restore = async () => {
    try {
      await reset(lesson);
      await refreshItems(lesson, step.index);
    } catch (error) {
      problem.value = (error as Error).message;
    }
  };
  return (
    <section class="panel" aria-label="The table now">
      <div class="panel-head">
        <h3>{step.index ? `The index ${step.index} of ${lesson.table} now` : `The table ${lesson.table} now`}</h3>
        <button type="button" disabled={state.value === 'loading'} onClick={() => void restore()}>
          Reset
        </button>
      </div>
      {state.value === 'loading' && <p class="hint">Loading the lesson’s table…</p>}
      {state.value !== 'loading' && state.value !== 'ready' && <p class="refused">{state.value}</p>}
      {problem.value && <p class="refused">{problem.value}</p>}
      {state.value === 'ready' && touched.value && (
        <p class="hint">The table has changed since the lesson began, so numbers may differ from the text. Reset brings it back.</p>
      )}
      {tableItems.value.length > 0 && <Grid label="Live table" items={tableItems.value} keys={keys.value} mark={markOf} lit={lit.value} />}
    </section>
  );
}

function Relational() {
  const model = design.value;
  if (!model) return null;
  const chosen = chosenRow.value;
  return (
    <details class="panel relational-panel" open>
      <summary>
        <h3>The same rows in relational tables</h3>
      </summary>
      <p class="hint">Each colour is one entity, here and in the table above. Press a key to see where its row is stored.</p>
      <RelationalTables model={model} chosen={chosen} onChoose={chooseRow} />
      {chosen && lit.value.size === 0 && (
        <p class="hint" role="status">
          This side of the table has no item of its own for that row: it is stored inside another item, or not in this index.
        </p>
      )}
    </details>
  );
}

const keepsArrows = 'input, select, textarea, [role=grid], [role=tablist], [role=radiogroup], pre, .cm-editor';

export default function LessonView({ lesson, at }: { lesson: Lesson; at: number }) {
  const step = lesson.steps[at]!;
  const next = at + 1 < lesson.steps.length ? stepAddress(lesson, at + 1) : null;
  const previous = at > 0 ? stepAddress(lesson, at - 1) : null;
  const following = lessons[lessons.indexOf(lesson) + 1];
  const last = at === lesson.steps.length - 1;
  useEffect(() => void openLesson(lesson).then(() => refreshItems(lesson, step.index)), [lesson, step, returns.value]);
  // Before the page is painted: who sees the step may press the key.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || (event.target as Element).closest?.(keepsArrows)) return;
      const to = event.key === 'ArrowRight' ? next : event.key === 'ArrowLeft' ? previous : null;
      if (to) go(to);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [next, previous]);
  return (
    <article class="lesson">
      <header>
        <p class="crumbs">
          <a href={linkTo('learn')}>‹ All lessons</a> <span class="hint">{lesson.strategy}</span>
        </p>
        <h1>{lesson.title}</h1>
        <p class="hint">{lesson.question}</p>
        <ol class="steps" aria-label="Steps">
          {lesson.steps.map((each, number) => (
            <li key={each.title}>
              <a href={stepAddress(lesson, number)} aria-current={number === at ? 'step' : undefined}>
                {number + 1}
                <span class="step-title">. {each.title}</span>
              </a>
            </li>
          ))}
        </ol>
      </header>
      <div class="lesson-text">
        <h2>{step.title}</h2>
        {step.text.map((paragraph) => (
          <p key={paragraph}>
            <Prose text={paragraph} />
          </p>
        ))}
        {step.trap && (
          <aside class="trap" aria-label={`Trap: ${step.trap.title}`}>
            <strong>Trap: {step.trap.title}.</strong> <Prose text={step.trap.text} />
          </aside>
        )}
        <Further lesson={lesson} step={step} />
        {last && finished.value.includes(lesson.id) && (
          <p class="done">
            <strong>✓ Done.</strong> This was the last step of “{lesson.title}”. Its answer in short: {lesson.strategy.replace(/^[^:]*: /, '')}.
          </p>
        )}
        <InCode lesson={lesson} step={step} />
        <div class="turn">
          {previous ? <a href={previous}>‹ Previous</a> : <span />}
          <span class="hint">Arrow keys turn the page.</span>
          {next ? <a href={next}>Next ›</a> : following ? <a href={stepAddress(following, 0)}>Next lesson: {following.title} ›</a> : <a href={linkTo('learn')}>All lessons</a>}
        </div>
      </div>
      <div class="lesson-side">
        <Tries key={`${lesson.id} ${at}`} lesson={lesson} step={step} onRun={() => last && finish(lesson.id)} />
        <LiveTable lesson={lesson} step={step} />
        <Relational />
      </div>
    </article>
  );
}
