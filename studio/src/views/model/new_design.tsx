// Begins a design of one's own: nearly empty, or as a copy of what is open or of an example.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { model as api } from '../../api/model.ts';
import { openName, source } from '../../design/design.ts';
import { emptyDesign, freeName, ownDesigns, ownPrefix, removeOwn, renameOwn, writeOwn } from '../../design/own_designs.ts';
import { designFrom } from '../../design/four_questions.ts';
import { exampleOptions } from '../../parts/options.tsx';
import { answers, Questions } from './questions.tsx';
import { formatRoute, go, route, setQuery } from '../../app/route.ts';

// `begin` in the address: other views and the finder lead here.
export const newDesignOpen = () => route.value.query['begin'] !== undefined;
export const showNewDesign = (open: boolean) => setQuery({ begin: open ? '1' : undefined }, { replace: true });

const name = signal('');
const from = signal('questions');
const trouble = signal<string | null>(null);

async function textFrom(choice: string): Promise<string> {
  if (choice === 'empty') return emptyDesign(name.peek().trim() || 'My design');
  if (choice === 'questions') return (await api.format(designFrom({ ...answers.peek(), title: name.peek().trim() }))).source;
  if (choice === 'open') return source.peek();
  return (await api.example(choice)).source;
}

async function create(): Promise<void> {
  try {
    const text = await textFrom(from.peek());
    const title = /^model "([^"\\]+)"/m.exec(text)?.[1] ?? '';
    const own = freeName(name.peek().trim() || (from.peek() === 'questions' ? title : ''), ownDesigns.peek());
    writeOwn(own, text);
    name.value = '';
    trouble.value = null;
    go(formatRoute({ view: 'model', query: { model: own } }));
  } catch (error) {
    trouble.value = (error as Error).message;
  }
}

async function openFile(file: File): Promise<void> {
  const own = freeName(file.name.replace(/\.prejoin$/, ''), ownDesigns.peek());
  writeOwn(own, await file.text());
  go(formatRoute({ view: 'model', query: { model: own } }));
}

function rename(own: string, wanted: string): void {
  const renamed = renameOwn(own, wanted);
  const draft = localStorage.getItem(`prejoin-draft:${own}`);
  localStorage.removeItem(`prejoin-draft:${own}`);
  if (draft !== null) localStorage.setItem(`prejoin-draft:${renamed}`, draft);
  if (openName.peek() === own) go(formatRoute({ view: 'model', query: { model: renamed, begin: '1' } }));
}

function remove(own: string): void {
  removeOwn(own);
  localStorage.removeItem(`prejoin-draft:${own}`);
  if (openName.peek() === own) go(formatRoute({ view: 'model' }));
}

function OwnDesigns() {
  if (ownDesigns.value.length === 0) return null;
  return (
    <section class="own-designs">
      <h3>Your designs, in this browser</h3>
      <ul aria-label="Designs in this browser">
        {ownDesigns.value.map((own) => (
          <li key={own}>
            <a href={formatRoute({ view: 'model', query: { model: own } })}>{own.slice(ownPrefix.length)}</a>
            <input
              aria-label={`New name of ${own.slice(ownPrefix.length)}`}
              placeholder="new name"
              maxLength={60}
              onChange={(event) => rename(own, event.currentTarget.value)}
            />
            <button type="button" class="quiet" aria-label={`Delete ${own.slice(ownPrefix.length)}`} onClick={() => remove(own)}>
              Delete
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function NewDesign() {
  const frame = useRef<HTMLFormElement>(null);
  // On a narrow screen it stands below the picture.
  useEffect(() => frame.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <form
      ref={frame}
      class="new-design"
      aria-label="New design"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
      onKeyDown={(event) => event.key === 'Escape' && showNewDesign(false)}
    >
      <h2>New design</h2>
      <label>
        <span>Name</span>
        <input value={name.value} placeholder="My design" maxLength={60} autoFocus onInput={(event) => (name.value = event.currentTarget.value)} />
      </label>
      <label>
        <span>Begin with</span>
        <select value={from.value} onChange={(event) => (from.value = event.currentTarget.value)}>
          <option value="questions">four questions</option>
          <option value="empty">a small template</option>
          <option value="open">a copy of what is open</option>
          {exampleOptions()}
        </select>
      </label>
      {from.value === 'questions' && <Questions />}
      <div class="new-design-go">
        <button class="main" type="submit">
          Create
        </button>
        <button type="button" onClick={() => showNewDesign(false)}>
          Close
        </button>
      </div>
      <label class="new-design-file">
        <span>Or open a file</span>
        <input
          type="file"
          accept=".prejoin,text/plain"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            if (file) void openFile(file);
          }}
        />
      </label>
      {trouble.value && <p class="model-said bad">{trouble.value}</p>}
      <OwnDesigns />
    </form>
  );
}
