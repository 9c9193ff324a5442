// The first page, and the way to the lessons. A lesson's own parts load when one is opened.
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { linkTo, route } from '../../app/route.ts';
import { views } from '../../app/views.ts';
import { remote } from '../../api/remote.ts';
import { PivotPicture } from './pivot/pivot_picture.tsx';
import { finished } from './finished.ts';
import { stepAddress, type Lesson } from './lesson.ts';
import { chapters, lessons } from './lessons.ts';
import '../../parts/forms.css';
import './learn.css';

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
      {chapters.map((chapter) => (
        <section key={chapter.title} class="chapter" aria-label={chapter.title}>
          <h3>{chapter.title}</h3>
          <ol class="lessons">
            {chapter.lessons.map((lesson) => (
              <li key={lesson.id} class="panel">
                <h4>
                  <a href={stepAddress(lesson, 0)}>{lesson.title}</a>
                </h4>
                <p>{lesson.question}</p>
                <p class="hint">
                  {lesson.strategy} · {lesson.steps.length} steps{finished.value.includes(lesson.id) && <strong class="done-mark"> · ✓ done</strong>}
                </p>
              </li>
            ))}
          </ol>
        </section>
      ))}
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

const view = signal<ComponentType<{ lesson: Lesson; at: number }> | null>(null);
const failed = signal('');

function OpenLesson(props: { lesson: Lesson; at: number }) {
  useEffect(() => {
    import('./lesson_view.tsx').then(
      (module) => (view.value = module.default),
      (error: Error) => (failed.value = error.message),
    );
  }, []);
  const View = view.value;
  if (View) return <View {...props} />;
  return failed.value ? <p class="refused">{failed.value}</p> : <p class="hint">Loading the lesson…</p>;
}

export default function LearnView() {
  const [id, number] = route.value.path;
  const lesson = lessons.find((each) => each.id === id);
  const at = Math.min(Math.max(0, (Number(number ?? 1) || 1) - 1), (lesson?.steps.length ?? 1) - 1);
  return <div class="learn forms">{lesson ? <OpenLesson lesson={lesson} at={at} /> : <Overview />}</div>;
}
