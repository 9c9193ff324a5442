// The picture that the page begins with: one table, two questions. It plays by itself until somebody touches it; then every
// collection can be clicked, and the two sides turned.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { bytes, plural } from '../../../parts/numbers.ts';
import { valueSegments } from '../../../parts/key_segments.ts';
import { rowHeight } from '../../../parts/stack.ts';
import { groupsOf, placesOf, readOf, story, storyHeight, type Side } from './story.ts';
import '../../../parts/key_text.css';
import './pivot_picture.css';

interface Scene {
  side: Side;
  lit: string | null;
}

const scenes: Scene[] = [
  { side: 'table', lit: 'STUDENT#ada' },
  { side: 'index', lit: null },
  { side: 'index', lit: 'COURSE#math' },
  { side: 'table', lit: null },
];
const sceneMs = 2600;

const titles: Record<Side, { title: string; question: string }> = {
  table: { title: 'The table', question: 'What does a student take? One Query of one collection.' },
  index: { title: 'The same items, in an index', question: 'Who takes a course? The same links, filed the other way round.' },
};

// As the design of the lesson has them: students, courses, enrolments.
const colours: Record<string, number> = { STUDENT: 0, COURSE: 1 };

function Key({ text }: { text: string }) {
  return (
    <code>
      {valueSegments(text, null, () => 0).map(({ text: part, attribute }, at) => (
        <span key={at} class={attribute === null || !text.includes('#') ? 'key-word' : `key-value key-value-${colours[text.split('#')[0]!] ?? 2}`}>
          {part}
        </span>
      ))}
    </code>
  );
}

function FiguresLine({ side, lit }: Scene) {
  if (lit === null) return <p class="pivot-figures hint">{titles[side].question}</p>;
  const { items, bytes: read, units } = readOf(side, lit);
  return (
    <p class="pivot-figures" role="status">
      <strong>{lit}</strong> · {plural(items, 'item')} · {bytes(read)} · {units} read units · no join
    </p>
  );
}

// Plays until it is touched. Nothing moves where less motion was asked for, nor while nobody looks.
function useScenes() {
  const scene = useSignal<Scene>(scenes[0]!);
  const plays = useSignal(!matchMedia('(prefers-reduced-motion: reduce)').matches);
  useEffect(() => {
    if (!plays.value) return;
    let at = 0;
    const timer = setInterval(() => {
      if (document.visibilityState === 'hidden') return;
      at = (at + 1) % scenes.length;
      scene.value = scenes[at]!;
    }, sceneMs);
    return () => clearInterval(timer);
  }, [plays.value]);
  const show = (next: Scene) => {
    plays.value = false;
    scene.value = next;
  };
  return { scene, plays, show };
}

export function PivotPicture() {
  const { scene, plays, show } = useScenes();
  const { side, lit } = scene.value;
  const places = placesOf(side);
  const home = placesOf('table');
  return (
    <figure class="pivot-picture" aria-label="Students and courses in one table">
      <figcaption>
        <div class="pivot-sides" role="group" aria-label="Side">
          {(['table', 'index'] as const).map((each) => (
            <button key={each} aria-pressed={side === each} onClick={() => show({ side: each, lit: null })}>
              {each === 'table' ? 'By student' : 'By course'}
            </button>
          ))}
          <button class="pivot-play" aria-pressed={plays.value} onClick={() => (plays.value = !plays.value)}>
            {plays.value ? 'Pause' : 'Play'}
          </button>
        </div>
        <h2>{titles[side].title}</h2>
        <FiguresLine side={side} lit={lit} />
      </figcaption>
      <div class="pivot-stage" style={{ height: `${storyHeight}px` }} data-reads={lit === null ? undefined : ''}>
        {groupsOf(side).map(({ partition, top, height }) => (
          <button
            key={`${side} ${partition}`}
            class="pivot-key"
            aria-pressed={lit === partition}
            style={{ top: `${top}px`, height: `${height}px` }}
            onClick={() => show({ side, lit: lit === partition ? null : partition })}
          >
            <Key text={partition} />
          </button>
        ))}
        {story.map((item) => {
          const key = item.keys[side];
          return (
            <div
              key={item.id}
              class={`pivot-item entity-${item.entity}`}
              data-lit={key !== null && key.partition === lit ? '' : undefined}
              data-absent={key === null ? '' : undefined}
              aria-hidden={key === null}
              style={{ transform: `translateY(${places.get(item.id) ?? home.get(item.id)}px)`, height: `${rowHeight}px` }}
            >
              <Key text={key?.sort ?? item.keys.table!.sort} />
              <span class="pivot-tag">{item.entity}</span>
              <span class="pivot-label">{item.label}</span>
            </div>
          );
        })}
      </div>
    </figure>
  );
}
