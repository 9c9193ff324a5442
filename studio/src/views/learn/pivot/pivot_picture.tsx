// The picture that the page begins with: one table, two questions. It plays by itself until somebody touches it; then every
// collection can be clicked, the two sides turned, and the items changed.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { bytes, plural } from '../../../parts/numbers.ts';
import { valueSegments } from '../../../parts/key_segments.ts';
import { rowHeight } from '../../../parts/stack.ts';
import { beginning, enrol, gradeOf, groupsOf, heightOfBoth, itemsOf, leave, placesOf, readOf, type Changed, type Link, type Side, type StoryItem } from './story.ts';
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

function FiguresLine({ side, lit, items: all }: Scene & { items: StoryItem[] }) {
  if (lit === null) return <p class="pivot-figures hint">{titles[side].question}</p>;
  const { items, bytes: read, units } = readOf(all, side, lit);
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

// An enrolment of one's own. Typing stops the play.
function EnrolForm({ onEnrol }: { onEnrol(link: Link): void }) {
  const typed = useSignal<Link>({ student: '', course: '', grade: '' });
  const field = (name: keyof Link, label: string, example: string) => (
    <label>
      <span class="unseen">{label}</span>
      <input value={typed.value[name]} placeholder={example} maxLength={20} size={name === 'grade' ? 4 : 8} onInput={(event) => (typed.value = { ...typed.peek(), [name]: event.currentTarget.value })} />
    </label>
  );
  return (
    <form
      class="pivot-enrol"
      aria-label="Enrol a student"
      onSubmit={(event) => {
        event.preventDefault();
        onEnrol(typed.peek());
        typed.value = { student: '', course: '', grade: '' };
        event.currentTarget.querySelector('input')?.focus();
      }}
    >
      {field('student', 'Student', 'student')} takes {field('course', 'Course', 'course')} {field('grade', 'Grade', 'grade')}
      <button type="submit">Enrol</button>
    </form>
  );
}

interface RowProps {
  item: StoryItem;
  side: Side;
  lit: boolean;
  top: number;
  onGrade(link: Link, grade: string): void;
  onLeave(link: Link): void;
}

function Row({ item, side, lit, top, onGrade, onLeave }: RowProps) {
  const key = item.keys[side];
  const { link } = item;
  return (
    <div
      class={`pivot-item entity-${item.entity}`}
      data-lit={lit ? '' : undefined}
      data-absent={key === null ? '' : undefined}
      aria-hidden={key === null}
      style={{ transform: `translateY(${top}px)`, height: `${rowHeight}px` }}
    >
      <Key text={key?.sort ?? item.keys.table!.sort} />
      <span class="pivot-tag">{item.entity}</span>
      {link ? (
        <>
          <label class="pivot-label">
            <span class="pivot-word">grade </span>
            <input
              aria-label={`Grade of ${link.student} in ${link.course}`}
              value={link.grade}
              placeholder="–"
              maxLength={2}
              size={2}
              onChange={(event) => event.currentTarget.value.trim() !== link.grade && onGrade(link, event.currentTarget.value.trim())}
            />
          </label>
          <button type="button" class="pivot-leave" aria-label={`Remove ${link.student} from ${link.course}`} title="Delete this item" onClick={() => onLeave(link)}>
            ×
          </button>
        </>
      ) : (
        <span class="pivot-label">{item.label}</span>
      )}
    </div>
  );
}

export function PivotPicture() {
  const { scene, plays, show } = useScenes();
  const story = useSignal(beginning);
  const said = useSignal('');
  const { side, lit } = scene.value;
  const items = itemsOf(story.value);
  const places = placesOf(items, side);
  const home = placesOf(items, 'table');
  const take = ({ story: next, said: words }: Changed, light: string | null) => {
    story.value = next;
    said.value = words;
    show({ side, lit: light });
  };
  const collectionOf = ({ student, course }: Link) => (side === 'table' ? `STUDENT#${student}` : `COURSE#${course}`);
  return (
    <figure class="pivot-picture" aria-label="Students and courses in one table">
      <figcaption>
        <div class="pivot-sides" role="group" aria-label="Side">
          {(['table', 'index'] as const).map((each) => (
            <button key={each} aria-pressed={side === each} onClick={() => show({ side: each, lit: null })}>
              {each === 'table' ? 'By student' : 'By course'}
            </button>
          ))}
          {story.value !== beginning && <button onClick={() => take({ story: beginning, said: '' }, null)}>Reset</button>}
          <button class="pivot-play" aria-pressed={plays.value} onClick={() => (plays.value = !plays.value)}>
            {plays.value ? 'Pause' : 'Play'}
          </button>
        </div>
        <h2>{titles[side].title}</h2>
        <FiguresLine side={side} lit={lit} items={items} />
      </figcaption>
      <div class="pivot-stage" style={{ height: `${heightOfBoth(items)}px` }} data-reads={lit === null ? undefined : ''} onFocusIn={() => (plays.value = false)}>
        {groupsOf(items, side).map(({ partition, top, height }) => (
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
        {items.map((item) => (
          <Row
            key={item.id}
            item={item}
            side={side}
            lit={item.keys[side] !== null && item.keys[side]!.partition === lit}
            top={places.get(item.id) ?? home.get(item.id)!}
            onGrade={(link, grade) => take(gradeOf(story.peek(), link, grade), collectionOf(link))}
            onLeave={(link) => take(leave(story.peek(), link), null)}
          />
        ))}
      </div>
      <EnrolForm
        onEnrol={(link) => {
          const changed = enrol(story.peek(), link);
          take(changed, changed.story === story.peek() ? lit : collectionOf(changed.story.links.at(-1)!));
        }}
      />
      <p class="pivot-said hint" role="status">
        {said.value}
      </p>
    </figure>
  );
}
