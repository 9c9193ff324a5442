// Lessons: short steps with a table of their own, everything run on the real engine.
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { formatRoute, go, linkTo, route } from '../../app/route.ts';
import { views } from '../../app/views.ts';
import { returns } from '../../api/reach.ts';
import { remote } from '../../api/remote.ts';
import { Grid } from '../../parts/grid.tsx';
import { CodeBlock } from '../../parts/code_block.tsx';
import { Prose } from '../../parts/prose.tsx';
import { PivotPicture } from './pivot/pivot_picture.tsx';
import { Refused } from '../../parts/refused.tsx';
import type { Draft } from '../../requests/draft.ts';
import { packDraft } from '../../requests/link.ts';
import { finish, finished } from './finished.ts';
import { patternOf, type Lesson, type Step, type Try } from './lesson.ts';
import { lessons } from './lessons.ts';
import { runTry, type Outcome } from './run_try.ts';
import { keys, openLesson, refreshItems, reset, source, state, tableItems, touched } from './state.ts';
import '../../parts/forms.css';
import './learn.css';

// A lesson has its own model; the design that is chosen for the other views stays as it is.
const stepAddress = (lesson: Lesson, step: number) => linkTo('learn', [lesson.id, String(step + 1)]);

function Overview() {
  return (
    <>
      <header class="landing">
        <div class="landing-words">
          <h1>Join before you read.</h1>
          <p>
            DynamoDB has no joins: keys place items together that are read together. Write down your entities and access patterns. Prejoin checks
            the keys, runs every question on the real engine, and says what it costs.
          </p>
          <p class="group-add">
            <a class="button main" href={stepAddress(lessons[0]!, 0)}>
              Take the first lesson
            </a>
            <a class="button" href={linkTo('model', [], { begin: '1' })}>
              New design
            </a>
            <a class="button" href={linkTo('model', [], { begin: 'open' })}>
              Open a design
            </a>
          </p>
          {!remote.value && (
            <p class="hint">
              This server speaks the DynamoDB API: point any SDK or the AWS CLI at <code>{location.origin}</code>
            </p>
          )}
        </div>
        <PivotPicture />
      </header>
      <div class="lessons-head">
        <h2>Lessons</h2>
        <a href={linkTo('reference')}>Quick reference</a>
      </div>
      <ol class="lessons">
        {lessons.map((lesson, at) => (
          <li key={lesson.id} class="panel">
            <h3>
              <a href={stepAddress(lesson, 0)}>
                {at + 1}. {lesson.title}
              </a>
            </h3>
            <p>{lesson.question}</p>
            <p class="hint">
              {lesson.strategy}
            </p>
            <p class="hint">
              {lesson.steps.length} steps{finished.value.includes(lesson.id) && <strong class="done-mark"> · ✓ done</strong>}
            </p>
          </li>
        ))}
      </ol>
      <p class="hint">
        Each lesson has a small table of its own on this server. Elsewhere:{' '}
        {views
          .filter(({ name }) => name !== 'learn')
          .map(({ name, title, hint }) => (
            <span key={name}>
              <a href={linkTo(name)}>{title}</a> {hint.toLowerCase()}.{' '}
            </span>
          ))}
      </p>
    </>
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
      <p>{wanted.note}</p>
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

function Tries({ lesson, step }: { lesson: Lesson; step: Step }) {
  const done = useSignal<{ wanted: Try; outcome: Outcome } | null>(null);
  const earlier = useSignal<{ wanted: Try; outcome: Outcome } | null>(null); // Another answer, to compare with.
  const problem = useSignal('');
  const busy = useSignal(false);
  const ran = useSignal<string[]>([]);
  // What was refused because the server was gone is no news when it is back.
  useEffect(() => void (problem.value = ''), [returns.value]);
  const next = step.tries.find(({ label }) => !ran.value.includes(label));
  const start = async (wanted: Try) => {
    busy.value = true;
    problem.value = '';
    try {
      const outcome = await runTry(source.peek(), wanted);
      if (done.peek() && done.peek()!.wanted !== wanted) earlier.value = done.peek();
      done.value = { wanted, outcome };
      ran.value = [...new Set([...ran.peek(), wanted.label])];
      await refreshItems(lesson, step.index);
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

function BuildLink({ draft, lesson }: { draft: Draft; lesson: Lesson }) {
  const word = useSignal('');
  useEffect(() => void packDraft(draft).then((packed) => (word.value = packed)), [draft]);
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
      {step.draft && <BuildLink draft={step.draft} lesson={lesson} />}
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
        <p class="hint">The table has changed since the lesson began, so numbers may differ from the text. Reset restores it.</p>
      )}
      {tableItems.value.length > 0 && <Grid label="Live table" items={tableItems.value} keys={keys.value} />}
    </section>
  );
}

const keepsArrows = 'input, select, textarea, [role=grid], [role=tablist], [role=radiogroup], pre, .cm-editor';

function LessonView({ lesson, at }: { lesson: Lesson; at: number }) {
  const step = lesson.steps[at]!;
  const next = at + 1 < lesson.steps.length ? stepAddress(lesson, at + 1) : null;
  const previous = at > 0 ? stepAddress(lesson, at - 1) : null;
  const following = lessons[lessons.indexOf(lesson) + 1];
  const last = at === lesson.steps.length - 1;
  useEffect(() => void (last && finish(lesson.id)), [lesson, last]);
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
        {last && (
          <p class="done">
            <strong>✓ Done.</strong> This was the last step of “{lesson.title}”. Its answer in short: {lesson.strategy.replace(/^[^:]*: /, '')}.
          </p>
        )}
        <div class="turn">
          {previous ? <a href={previous}>‹ Previous</a> : <span />}
          <span class="hint">Arrow keys turn the page.</span>
          {next ? <a href={next}>Next ›</a> : following ? <a href={stepAddress(following, 0)}>Next lesson: {following.title} ›</a> : <a href={linkTo('learn')}>All lessons</a>}
        </div>
      </div>
      <div class="lesson-side">
        <Tries key={`${lesson.id} ${at}`} lesson={lesson} step={step} />
        <LiveTable lesson={lesson} step={step} />
      </div>
    </article>
  );
}

export default function LearnView() {
  const [id, number] = route.value.path;
  const lesson = lessons.find((each) => each.id === id);
  const at = Math.min(Math.max(0, (Number(number ?? 1) || 1) - 1), (lesson?.steps.length ?? 1) - 1);
  return <div class="learn forms">{lesson ? <LessonView lesson={lesson} at={at} /> : <Overview />}</div>;
}
