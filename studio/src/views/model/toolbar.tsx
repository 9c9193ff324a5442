// Actions on the design as a whole: save, format, begin another, create its tables.
import { effect, signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { listTables } from '../../api/dynamodb.ts';
import { returns } from '../../api/reach.ts';
import { model as api, ModelError } from '../../api/model.ts';
import { changed, discardDraft, file, model, openName, readSource, save, SaveConflict, savesTo, sharedPrefix, shareWord, source, textOf, unread } from '../../design/design.ts';
import { describeReport, loadDesign, resetDesign, type Progress } from '../../design/load.ts';
import { stranger } from '../../design/misfit.ts';
import { withOtherTables } from '../../design/table_names.ts';
import { freeName, ownDesigns, ownPrefix, writeOwn } from '../../design/own_designs.ts';
import { formatRoute, go, linkTo, route, setQuery } from '../../app/route.ts';
import { addForm, replaceText, reveal } from './editor/handle.ts';
import { templates } from './editor/templates.ts';
import { LanguagePanel, languageOpen } from './language_panel.tsx';
import { comparing, ComparePanel, CompareTrouble } from './compare_panel.tsx';
import { UndoButton } from './proposal_panel.tsx';
import { copyText } from '../../parts/copy_text.ts';
import { saveFile } from '../../parts/save_file.ts';
import { CardPanel, cardPanelOpen } from './card_panel.tsx';
import { NewDesign, newDesignOpen, showNewDesign } from './new_design.tsx';

interface Said {
  design: string; // A message is about one design, and goes with it.
  text: string;
  bad?: boolean;
  items?: boolean; // Offer the way to the items.
}

const last = signal<Said | null>(null);
const said = {
  get value(): Said | null {
    return last.value?.design === openName.value ? last.value : null;
  },
  set value(next: Omit<Said, 'design'> | null) {
    last.value = next && { ...next, design: openName.peek() };
  },
};
// What was said of the text before goes with the next change of it; what asks for an answer stays.
effect(() => {
  void source.value;
  const now = last.peek();
  if (now && !now.bad && !now.items) last.value = null;
});
const loading = signal<Progress | null>(null);
const skipped = signal(false); // Tables were there already: offer to replace them.
const stored = signal<string[]>([]); // The tables that the server has.
const foreign = signal<string[]>([]); // Of these, not this design's: offer another name, and ask twice.

function fail(error: unknown): void {
  said.value = { text: (error as Error).message, bad: true };
}

export async function formatDesign(): Promise<void> {
  try {
    const { source: text } = await api.format(source.peek());
    if (text !== source.peek()) replaceText(text);
    said.value = { text: 'Formatted.' };
  } catch (error) {
    fail(error);
    if (error instanceof ModelError && error.line) reveal({ line: error.line, column: error.column ?? 1 }, true);
  }
}

function download(): void {
  const name = openName.peek() === 'file' ? (file.peek()?.name ?? 'model') : openName.peek().startsWith('link:') ? 'design' : openName.peek().replace(/^own:/, '');
  saveFile(name.replace(/^.*\//, '').replace(/(\.prejoin)?$/, '.prejoin'), new Blob([source.peek()], { type: 'text/plain' }));
}

const conflict = signal(false);

export async function saveDesign(options: { over?: boolean } = {}): Promise<void> {
  conflict.value = false;
  try {
    if (savesTo.peek() === 'download') {
      download();
      said.value = { text: 'Downloaded. The example in the program stays as it is.' };
      return;
    }
    await save(options);
    said.value = { text: savesTo.peek() === 'file' ? `Saved to ${file.peek()!.name}.` : 'Saved in this browser.' };
  } catch (error) {
    if (!(error instanceof SaveConflict)) return fail(error);
    conflict.value = true;
    const where = savesTo.peek() === 'file' ? 'the file was changed by somebody else' : 'another tab saved this design';
    said.value = { text: `Not saved: ${where} meanwhile.`, bad: true };
  }
}

// The address itself holds the text: who opens the link needs nothing else but a studio.
async function share(): Promise<void> {
  try {
    const { with: other, ...query } = route.peek().query;
    const both = other === undefined ? {} : { with: other.startsWith(sharedPrefix) ? other : await shareWord(await textOf(other)) };
    await copyText(location.origin + formatRoute({ view: 'model', query: { ...query, model: await shareWord(), ...both } }));
    said.value = { text: other === undefined ? 'Copied a link that holds the whole design.' : 'Copied a link that holds both designs.' };
  } catch (error) {
    fail(error);
  }
}

async function load(how: typeof loadDesign): Promise<void> {
  loading.value = { text: 'Looking for its tables', done: 0, total: 0 };
  said.value = null;
  try {
    const report = await how(readSource.peek(), (progress) => (loading.value = progress));
    skipped.value = report.skipped.length > 0;
    const known = model.peek();
    const strange: string[] = [];
    const names: string[] = [];
    for (const name of known ? report.skipped : []) {
      const why = await stranger(known!, name);
      if (!why) continue;
      names.push(name);
      strange.push(`${name} belongs to something else: ${why}. Give this design’s table another name, or delete that one.`);
    }
    foreign.value = names;
    said.value = { text: [describeReport(report), ...strange].join(' '), items: true, bad: strange.length > 0 };
  } catch (error) {
    fail(error);
  } finally {
    loading.value = null;
    void lookForTables();
  }
}

const lookForTables = () => listTables().then((names) => (stored.value = names), () => {}); // The frame says that the server is gone.

// Renames the tables in the text, and creates them when the text has been read again.
async function loadElsewhere(names: string[]): Promise<void> {
  try {
    const text = withOtherTables(source.peek(), names, await listTables());
    replaceText(text);
    const stop = effect(() => {
      if (readSource.value !== text) return;
      queueMicrotask(() => {
        stop();
        void load(loadDesign);
      });
    });
  } catch (error) {
    fail(error);
  }
}

const added: [string, string][] = [['entity', 'an entity'], ['relationship', 'a relationship'], ['pattern', 'an access pattern'], ['write', 'a write']];

const saveTitles = { file: 'Save', browser: 'Save', download: 'Download' };

function Replace() {
  const sure = useSignal(false);
  const label = 'Delete them and load the sample';
  const others = foreign.value.length > 0;
  if (others && !sure.value) return <button onClick={() => (sure.value = true)}>{label}…</button>;
  return (
    <button onClick={() => void load(resetDesign)} title="Deletes the design's tables with all they hold, and loads the sample again">
      {others ? 'Yes, delete what somebody else may need' : label}
    </button>
  );
}

function Message() {
  if (loading.value) {
    const { text, done, total } = loading.value;
    return (
      <p class="model-said">
        {text}… {total > 0 && <progress value={done} max={total} aria-label={text} />}
      </p>
    );
  }
  if (!said.value) return null;
  return (
    <p class={said.value.bad ? 'model-said bad' : 'model-said'}>
      {said.value.text}{' '}
      {said.value.items && (
        <>
          <a href={linkTo('items')}>See the items</a>{' '}
          {foreign.value.length > 0 && <button onClick={() => void loadElsewhere(foreign.peek())}>Use another name for it</button>} {skipped.value && <Replace />}
        </>
      )}
      {conflict.value && (
        <>
          <button onClick={() => void saveDesign({ over: true })}>Save mine over it</button> <button onClick={download}>Download mine</button>{' '}
          <button onClick={() => void discardDraft().then(() => (said.value = null))}>Discard mine, load theirs</button>
        </>
      )}
      <button class="quiet" aria-label="Close this message" onClick={() => (said.value = null)}>
        ×
      </button>
    </p>
  );
}

// A copy of one's own: examples belong to the program, and so does a file that cannot be written.
function saveAsOwn(): void {
  const own = freeName(model.peek()?.title ?? '', ownDesigns.peek());
  writeOwn(own, source.peek());
  localStorage.removeItem(`prejoin-draft:${openName.peek()}`);
  go(formatRoute({ view: 'model', query: { ...route.peek().query, model: own } }));
  said.value = { text: `Saved in this browser as “${own.slice(ownPrefix.length)}”. Select it in the list of designs above.` };
}

function Discard() {
  const sure = useSignal(false);
  if (!sure.value) return <button onClick={() => (sure.value = true)}>Discard</button>;
  return (
    <>
      <button onClick={() => void discardDraft()}>Yes, discard my changes</button>
      <button onClick={() => (sure.value = false)}>Keep them</button>
    </>
  );
}

// What the text is, whether it is saved, and what can be added to it.
function About() {
  return (
    <>
      {changed.value ? (
        <p class="model-changed">
          <span>Changed, not saved. This browser keeps the text meanwhile.</span>
          {savesTo.value === 'download' && <button onClick={saveAsOwn}>Save as my design</button>}
          <Discard />
        </p>
      ) : (
        <p class="hint model-about">
          {savesTo.value === 'browser' ? 'Yours, kept in this browser.' : 'A design is a text: change it and everything else follows.'}{' '}
          <button class="quiet" onClick={() => showNewDesign('open')}>
            {savesTo.value === 'browser' ? 'Rename, delete or open another' : 'Open another'}
          </button>
        </p>
      )}
      <p class="hint">
        Add{' '}
        {added.map(([name, words], at) => (
          <span key={name}>
            {at > 0 && (at + 1 < added.length ? ', ' : ' or ')}
            <button class="quiet" onClick={() => addForm(templates[name]!)}>
              {words}
            </button>
          </span>
        ))}
        .{' '}
        <button class="quiet" onClick={() => (languageOpen.value = !languageOpen.value)} aria-expanded={languageOpen.value} title="The words of the text, with examples">
          Language
        </button>
      </p>
    </>
  );
}

// What the design is for next: to be created here, or, when that is done, to be looked at.
function CreateTables() {
  const known = model.value;
  useEffect(() => void lookForTables(), [known, returns.value]);
  const there = known !== null && known.tables.length > 0 && known.tables.every(({ name }) => stored.value.includes(name));
  return (
    <span class="model-next">
      {there && (
        <a class="button main" href={linkTo('items')}>
          Open in Items
        </a>
      )}
      <button
        class={there ? undefined : 'main'}
        disabled={loading.value !== null || unread.value || !known || readSource.value !== source.value}
        onClick={() => void load(loadDesign)}
        title={there ? 'They exist; this offers to replace them with the sample' : "Creates the design's tables in this server and writes the sample rows"}
      >
        Create its tables here
      </button>
    </span>
  );
}

export function Toolbar() {
  return (
    <div class="model-toolbar">
      <div class="model-title">
        <h1>{model.value?.title || 'Untitled design'}</h1>
        <CreateTables />
      </div>
      <About />
      <div class="buttons">
        <button onClick={() => showNewDesign(newDesignOpen() ? null : 'new')} aria-expanded={newDesignOpen()} title="Begin, open, rename or delete a design">
          New design…
        </button>
        <button onClick={() => setQuery({ tab: 'design' })} title="Finds the cheapest keys and indexes for the model, and proves them">
          Design it for me
        </button>
        <button onClick={() => void formatDesign()} title="Ctrl+Shift+F">
          Format
        </button>
        <button onClick={() => void saveDesign()} title="Ctrl+S">
          {saveTitles[savesTo.value]}
        </button>
        {savesTo.value !== 'download' && <button onClick={download}>Download</button>}
        {openName.value.startsWith(sharedPrefix) && !changed.value && <button onClick={saveAsOwn}>Save as my design</button>}
        <button onClick={() => void share()} title="Copies a link that holds the whole design">
          Share
        </button>
        <button onClick={() => (comparing.value = !comparing.value)} aria-expanded={comparing.value} title="Another design beside this one: lines, plans and prices">
          Compare…
        </button>
        <button onClick={() => (cardPanelOpen.value = !cardPanelOpen.value)} aria-expanded={cardPanelOpen.value} title="A working table for an article">
          Card…
        </button>
        <UndoButton />
      </div>
      {newDesignOpen() && <NewDesign />}
      {languageOpen.value && <LanguagePanel />}
      {comparing.value && <ComparePanel />}
      <CompareTrouble />
      {cardPanelOpen.value && <CardPanel changed={changed.value} />}
      <div role="status">
        <Message />
      </div>
    </div>
  );
}
