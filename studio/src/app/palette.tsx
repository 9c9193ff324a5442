// Ctrl+K: every view, design, pattern, entity and key by its name. Arrow keys choose, Enter goes there.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { examples, model, openName } from '../design/design.ts';
import { ownDesigns, ownPrefix } from '../design/own_designs.ts';
import { copyText } from '../parts/copy_text.ts';
import { glossary } from '../views/reference/glossary.ts';
import { readerQuestions } from '../views/reference/questions.ts';
import { formatRoute, go, linkTo } from './route.ts';
import { theme, type Theme } from './theme.ts';
import { views } from './views.ts';
import './palette.css';

export interface Place {
  kind: string;
  title: string;
  href: string;
  act?: () => void; // Instead of going there.
}

const open = signal(false);
const wanted = signal('');
const chosen = signal(0);
const shownMax = 12;

// The lessons are many words, so they load when the finder first opens.
const lessons = signal<{ id: string; title: string }[]>([]);
const learnTitles = () => void import('../views/learn/lessons.ts').then((module) => (lessons.value = module.lessons), () => {});

const themes: [Theme, string][] = [['light', 'Light theme'], ['dark', 'Dark theme'], ['system', 'Theme of the system']];

function places(): Place[] {
  const known = model.value;
  const inModel = (tab: string, query: Record<string, string>) => linkTo('model', [], { tab, ...query });
  return [
    ...views.map(({ name, title }) => ({ kind: 'View', title, href: linkTo(name) })),
    { kind: 'Action', title: 'New design, open a file, rename or delete', href: linkTo('model', [], { begin: '1' }) },
    { kind: 'Action', title: 'Design it for me', href: inModel('design', {}) },
    { kind: 'Action', title: 'Prove the design', href: inModel('proof', {}) },
    { kind: 'Action', title: 'Generate code', href: inModel('code', {}) },
    { kind: 'Action', title: 'Create a table', href: linkTo('explore') },
    { kind: 'Action', title: 'Delete a table', href: linkTo('explore') },
    ...(known?.patterns ?? []).map(({ name, title }) => ({ kind: 'Pattern', title: `${name} ${title}`, href: linkTo('items', [], { pattern: name }) })),
    ...(known?.entities ?? []).map(({ name }) => ({ kind: 'Entity', title: name, href: inModel('er', { entity: name }) })),
    ...(known?.relationships ?? []).map(({ name }) => ({ kind: 'Relationship', title: name, href: inModel('advise', { relationship: name }) })),
    ...(known?.tables ?? []).flatMap(({ name, partition, sort, indexes }) => [
      { kind: 'Table', title: name, href: linkTo('explore', [name]) },
      ...[partition, sort, ...indexes.flatMap((index) => [...index.partition, ...index.sort])]
        .filter((key) => key !== '')
        .map((key) => ({ kind: 'Key', title: `Why is ${key} in ${name}?`, href: inModel('chart', { key: `${name}.${key}` }) })),
    ]),
    ...lessons.value.map(({ id, title }) => ({ kind: 'Lesson', title, href: linkTo('learn', [id, '1']) })),
    ...themes.map(([name, title]) => ({ kind: 'Action', title, href: `#${name}`, act: () => void (theme.value = name) })),
    { kind: 'Action', title: 'Copy a link to this place', href: '#link', act: () => void copyText(location.href) },
    ...glossary.map(({ word }) => ({ kind: 'Glossary', title: word, href: linkTo('reference', [], { word }) })),
    ...readerQuestions.map(({ ask }) => ({ kind: 'Question', title: ask, href: linkTo('reference', [], { ask }) })),
    ...['Cost', 'Proof', 'Advice'].map((title) => ({ kind: 'Figures', title, href: inModel({ Cost: 'cost', Proof: 'proof', Advice: 'advise' }[title]!, {}) })),
    ...[...ownDesigns.value.map((name) => ({ name, title: name.slice(ownPrefix.length) })), ...examples.value]
      .filter(({ name }) => name !== openName.value)
      .map(({ name, title }) => ({ kind: 'Design', title: `${title} (${name.split('_')[0]})`, href: formatRoute({ view: 'model', query: { model: name } }) })),
  ];
}

// Those that have all the words, the ones that begin with them first; each once.
export function matching(all: Place[], text: string): Place[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = ({ title }: Place) => (title.toLowerCase().startsWith(words.join(' ')) ? 0 : 1);
  const seen = new Set<string>();
  return all
    .filter(({ kind, title, href }) => {
      const known = seen.has(href + title);
      seen.add(href + title);
      return !known && words.every((word) => `${kind} ${title}`.toLowerCase().includes(word));
    })
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, shownMax);
}

function close(): void {
  open.value = false;
  wanted.value = '';
  chosen.value = 0;
}

function Finder() {
  const field = useRef<HTMLInputElement>(null);
  const frame = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    frame.current?.showModal();
    field.current?.focus();
    learnTitles();
  }, []);
  const found = matching(places(), wanted.value);
  const at = Math.min(chosen.value, Math.max(0, found.length - 1));
  const visit = (place: Place | undefined) => {
    if (!place) return;
    close();
    if (place.act) place.act();
    else go(place.href);
  };
  const walk = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') chosen.value = Math.min(at + 1, found.length - 1);
    else if (event.key === 'ArrowUp') chosen.value = Math.max(at - 1, 0);
    else if (event.key === 'Enter') visit(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={frame} class="palette" aria-label="Find anything" onClose={close} onClick={(event) => event.target === frame.current && close()}>
      <input
        ref={field}
        role="combobox"
        aria-label="Find anything"
        aria-expanded="true"
        aria-controls="palette-found"
        aria-activedescendant={found.length > 0 ? `palette-${at}` : undefined}
        placeholder="A pattern, an entity, a key, a table, a lesson, a design…"
        value={wanted.value}
        onKeyDown={walk}
        onInput={(event) => {
          wanted.value = event.currentTarget.value;
          chosen.value = 0;
        }}
      />
      <ul id="palette-found" role="listbox" aria-label="Found">
        {found.map((place, number) => (
          <li key={place.href + place.title} id={`palette-${number}`} role="option" aria-selected={number === at} onClick={() => visit(place)}>
            <span>{place.title}</span> <small>{place.kind}</small>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p role="status">No match.</p>}
    </dialog>
  );
}

export function Palette() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open.value = !open.peek();
    };
    // Before the editor, which has a meaning for it too.
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, []);
  return open.value ? <Finder /> : null;
}

export function PaletteButton() {
  return (
    <button class="palette-button" title="Ctrl+K" aria-haspopup="dialog" onClick={() => (open.value = true)}>
      Find <kbd>Ctrl K</kbd>
    </button>
  );
}
