// Begins a design of one's own, nearly empty, or as a copy of what is open or of an example; and opens, renames and deletes those there are.
import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { model as api } from '../../api/model.ts';
import { openName, source } from '../../design/design.ts';
import { emptyDesign, freeName, ownDesigns, ownPrefix, removeOwn, renameOwn, titleIn, writeOwn } from '../../design/own_designs.ts';
import { exampleOptions } from '../../parts/options.tsx';
import { ForeignText, foreign, importedText } from './foreign_text.tsx';
import { answeredText, Questions, showAnswer, wrongNow } from './questions.tsx';
import { formatRoute, go, route, setQuery } from '../../app/route.ts';

// `begin` in the address: other views and the finder lead here. `open`: what there is comes first.
export const newDesignOpen = () => route.value.query['begin'] !== undefined;
export const showNewDesign = (what: 'new' | 'open' | null) => setQuery({ begin: what === null ? undefined : { new: '1', open: 'open' }[what] }, { replace: true });

const nameMost = 60;
// What is typed is kept: a name that is cut would be another one.
const nameTrouble = (name: string) => (name.trim().length > nameMost ? `A name has at most ${nameMost} characters. This one has ${name.trim().length}.` : '');

const name = signal('');
const from = signal('questions');
const trouble = signal<string | null>(null);

// Whether the answers to the questions make the new design.
export const beginsWithQuestions = () => route.value.query['begin'] === '1' && from.value === 'questions';
export const beginsWithImport = () => route.value.query['begin'] === '1' && from.value === 'import';

async function textFrom(choice: string): Promise<string> {
  if (choice === 'empty') return emptyDesign(name.peek().trim() || 'My design');
  if (choice === 'import') return importedText(name.peek().trim());
  if (choice === 'questions') return answeredText(name.peek().trim());
  if (choice === 'open') return source.peek();
  return (await api.example(choice)).source;
}

async function create(tab?: string): Promise<void> {
  try {
    const text = await textFrom(from.peek());
    const title = titleIn(text);
    const own = freeName(name.peek().trim() || (from.peek() === 'questions' || from.peek() === 'import' ? title : ''), ownDesigns.peek());
    writeOwn(own, text);
    name.value = '';
    trouble.value = null;
    go(formatRoute({ view: 'model', query: { model: own, ...(tab ? { tab } : {}) } }));
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
  if (renamed === own) return;
  const draft = localStorage.getItem(`prejoin-draft:${own}`);
  localStorage.removeItem(`prejoin-draft:${own}`);
  if (draft !== null) localStorage.setItem(`prejoin-draft:${renamed}`, draft);
  if (openName.peek() === own) go(formatRoute({ view: 'model', query: { model: renamed, begin: 'open' } }));
}

function remove(own: string): void {
  removeOwn(own);
  localStorage.removeItem(`prejoin-draft:${own}`);
  if (openName.peek() === own) go(formatRoute({ view: 'model' }));
}

// Renaming and deleting are asked for, each with its own way out.
function OwnDesign({ own }: { own: string }) {
  const title = own.slice(ownPrefix.length);
  const doing = useSignal<'rename' | 'delete' | null>(null);
  const wanted = useSignal(title);
  if (doing.value === 'rename') {
    return (
      <form
        class="own-design"
        onSubmit={(event) => {
          event.preventDefault();
          doing.value = null;
          rename(own, wanted.peek());
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          doing.value = null;
        }}
      >
        <input aria-label={`New name of ${title}`} value={wanted.value} required maxLength={60} ref={(field) => field?.focus()} onInput={(event) => (wanted.value = event.currentTarget.value)} />
        <button type="submit">Rename it</button>
        <button type="button" onClick={() => (doing.value = null)}>
          Leave the name
        </button>
      </form>
    );
  }
  return (
    <div class="own-design">
      <a href={formatRoute({ view: 'model', query: { model: own } })}>{title}</a>
      {doing.value === 'delete' ? (
        <>
          <span>Delete it for good?</span>
          <button type="button" class="danger" onClick={() => remove(own)}>
            Yes, delete {title}
          </button>
          <button type="button" onClick={() => (doing.value = null)}>
            Keep it
          </button>
        </>
      ) : (
        <>
          <button
            type="button"
            onClick={() => {
              wanted.value = title;
              doing.value = 'rename';
            }}
          >
            Rename<span class="unseen"> {title}</span>
          </button>
          <button type="button" onClick={() => (doing.value = 'delete')}>
            Delete<span class="unseen"> {title}</span>
          </button>
        </>
      )}
    </div>
  );
}

function OpenDesign() {
  return (
    <section class="own-designs" aria-label="Open a design">
      <h2>Open a design</h2>
      {ownDesigns.value.length > 0 && (
        <>
          <h3>Yours, in this browser</h3>
          <ul aria-label="Designs in this browser">
            {ownDesigns.value.map((own) => (
              <li key={own}>
                <OwnDesign own={own} />
              </li>
            ))}
          </ul>
        </>
      )}
      <div class="open-others">
        <label>
          <span>A file</span>
          <input
            type="file"
            accept=".prejoin,text/plain"
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? [];
              if (file) void openFile(file);
            }}
          />
        </label>
        <label>
          <span>An example</span>
          <select value="" onChange={(event) => go(formatRoute({ view: 'model', query: { model: event.currentTarget.value } }))}>
            <option value="">choose one…</option>
            {exampleOptions()}
          </select>
        </label>
      </div>
    </section>
  );
}

function Begin() {
  // It stands alone where it is not below the designs that there are.
  const wrong = from.value === 'questions' ? wrongNow.value[0] : undefined;
  const Title = route.value.query['begin'] === 'open' ? 'h2' : 'h1';
  return (
    <form
      class="new-design"
      aria-label="New design"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <Title>New design</Title>
      <label>
        <span>Name</span>
        <input value={name.value} placeholder="My design" aria-invalid={nameTrouble(name.value) !== ''} autoFocus={route.peek().query['begin'] !== 'open'} onInput={(event) => (name.value = event.currentTarget.value)} />
        {nameTrouble(name.value) && (
          <small class="bad" role="status">
            {nameTrouble(name.value)}
          </small>
        )}
      </label>
      <label>
        <span>Begin with</span>
        <select value={from.value} onChange={(event) => (from.value = event.currentTarget.value)}>
          <option value="questions">a few questions</option>
          <option value="import">SQL, or another tool’s file</option>
          <option value="empty">a small template</option>
          <option value="open">a copy of what is open</option>
          {exampleOptions()}
        </select>
      </label>
      {from.value === 'questions' && <Questions />}
      {from.value === 'import' && <ForeignText />}
      <div class="new-design-go">
        <button class="main" type="submit" disabled={(from.value === 'import' && foreign.value.trim() === '') || wrong !== undefined || nameTrouble(name.value) !== ''}>
          Create
        </button>
        {wrong && (
          <span class="bad">
            An answer cannot be read:{' '}
            <button type="button" onClick={() => showAnswer(wrong.key)}>
              {wrong.label}
            </button>
          </span>
        )}
        {from.value === 'import' && foreign.value.trim() !== '' && (
          <button
            type="button"
            onClick={(event) => {
              if (event.currentTarget.form!.reportValidity()) void create('design');
            }}
          >
            Create, and design it for me
          </button>
        )}
        <button type="button" onClick={() => showNewDesign(null)}>
          Close
        </button>
        {from.value === 'questions' && (
          <button type="button" class="open-instead" onClick={() => showNewDesign('open')}>
            Open a design instead
          </button>
        )}
      </div>
      {trouble.value && <p class="model-said bad">{trouble.value}</p>}
    </form>
  );
}

export function NewDesign() {
  const frame = useRef<HTMLDivElement>(null);
  const opening = route.value.query['begin'] === 'open';
  // On a narrow screen it stands below the picture.
  useEffect(() => frame.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div ref={frame} class={opening ? 'designs-panel opening' : 'designs-panel'} onKeyDown={(event) => event.key === 'Escape' && showNewDesign(null)}>
      {opening && <OpenDesign />}
      <Begin />
      {!opening && <OpenDesign />}
    </div>
  );
}
