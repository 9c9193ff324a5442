// The design that is open: its text, what the checker says of it, and its plan.
// Everything follows from `source`; views read the signals and never ask the server themselves.
import { batch, computed, effect, signal } from '@preact/signals';
import { route } from '../app/route.ts';
import { model as api, ModelError, type Example, type Finding, type Model, type Plan } from '../api/model.ts';
import { whereTo } from '../api/remote.ts';
import { returns, Unreachable } from '../api/reach.ts';
import { packText, unpackText } from '../requests/link.ts';
import { followOtherTabs, lastOwn, ownPrefix, readOwn, rememberOwn, writeOwn } from './own_designs.ts';

export const examples = signal<Example[]>([]);
export const source = signal('');
export const findings = signal<Finding[]>([]);
// The last version of the text that could be read; `unread` says that the text has moved on since.
export const model = signal<Model | null>(null);
export const plan = signal<Plan | null>(null);
export const unread = signal(false);
// The text that `model` and `plan` belong to. What else is asked about the design takes this text.
export const readSource = signal('');
// Why the server could not be asked; null while all is well.
export const trouble = signal<string | null>(null);
// Why the design that the address names cannot be opened; null if it can.
export const missing = signal<string | null>(null);
// The file that `serve --model` was given.
export const file = signal<{ name: string; version: string; writable: boolean } | null>(null);

const saved = signal('');
export const changed = computed(() => source.value !== saved.value);

// `?model=link:…` holds the whole design, packed.
export const sharedPrefix = 'link:';

export const shareWord = async (text = source.peek()) => sharedPrefix + (await packText(text));

const planDelayMs = 150; // After the last key stroke.
let opened: string | null = null; // The design whose text is here.
let typed = false; // The text came from the keyboard, not from opening a design.

// `?model=file` is the server's file, `own:…` a design kept in this browser, any other name an example. Without a name it is the one of this
// browser that was open last.
export const openName = computed(
  () => route.value.query['model'] ?? (file.value ? 'file' : (lastOwn() ?? 'd05_education')),
);

// Whether `findings` speak of the text as it stands.
export const checked = computed(() => checkedSource.value === source.value);
const checkedSource = signal<string | null>(null);

// What is known of the design is that of its text, or cannot be known.
const settled = computed(
  () => trouble.value !== null || missing.value !== null || (checked.value && (unread.value || readSource.value === source.value)),
);
const settleMsMax = 10_000; // A server that does not answer refuses the write by itself.

// For writes that the design may forbid: one that comes right after the page must not pass a rule that is still on its way.
export function whenSettled(): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      queueMicrotask(() => stop());
      resolve();
    };
    const timer = setTimeout(finish, settleMsMax);
    const stop = effect(() => {
      if (settled.value) finish();
    });
  });
}

// Again whenever the server comes back: until it has answered once, there is nothing to follow.
export function startDesign(): void {
  let started = false;
  effect(() => {
    void returns.value;
    if (!started) void begin().then((done) => (started ||= done));
  });
}

async function begin(): Promise<boolean> {
  try {
    const [list, onDisk] = await Promise.all([api.examples(), api.source(), whereTo()]);
    examples.value = list;
    if (onDisk.file !== null) {
      file.value = { name: onDisk.file, version: onDisk.version, writable: onDisk.writable };
    }
  } catch {
    return false; // The frame says so.
  }
  effect(() => void open(openName.value));
  effect(() => followSource(source.value));
  // Another tab has saved the open design: who has not changed it sees it at once.
  followOtherTabs((name) => {
    if (name === openName.peek() && !changed.peek()) void open(name);
  });
  effect(() => {
    if (returns.value === 0) return;
    if (opened !== openName.peek()) void open(openName.peek());
    else if (!checked.peek() || readSource.peek() !== source.peek()) followSource(source.peek());
  });
  return true;
}

// The text of the design that an address names.
export async function textOf(name: string): Promise<string> {
  if (name === 'file') {
    const onDisk = await api.source();
    if (file.value && onDisk.file !== null && openName.peek() === 'file') file.value = { ...file.value, version: onDisk.version };
    return onDisk.source;
  }
  if (name.startsWith(sharedPrefix)) {
    try {
      return await unpackText(name.slice(sharedPrefix.length));
    } catch {
      throw new Error('The link to this design is incomplete. Ask for it again.');
    }
  }
  if (!name.startsWith(ownPrefix)) {
    try {
      return (await api.example(name)).source;
    } catch (error) {
      if (error instanceof ModelError && error.status === 404) throw new Error(`There is no design called “${name}” here.`);
      throw error;
    }
  }
  const text = readOwn(name);
  if (text === null) throw new Error(`This browser keeps no design called “${name.slice(ownPrefix.length)}”.`);
  return text;
}

async function open(name: string): Promise<void> {
  try {
    const text = await textOf(name);
    if (name !== openName.peek()) return;
    opened = name;
    if (readDesign !== name && readDesign !== '') {
      // The picture of the design before does not stand beside the text of this one.
      findings.value = [];
      show(null, null, '');
    }
    if (name.startsWith(ownPrefix)) rememberOwn(name);
    missing.value = null;
    typed = false;
    saved.value = text;
    source.value = draft(name) ?? text;
    trouble.value = null;
  } catch (error) {
    if (error instanceof Unreachable || name !== openName.peek()) return;
    opened = name;
    // Leftovers of another design must not pass for this one.
    batch(() => {
      missing.value = (error as Error).message;
      source.value = saved.value = '';
      findings.value = [];
      show(null, null, '');
    });
  }
}

const draftKey = (name: string) => `prejoin-draft:${name}`;

function draft(name: string): string | null {
  return localStorage.getItem(draftKey(name));
}

// Typed text survives a reload until it is saved or discarded.
export function edit(text: string): void {
  typed = true;
  if (text === saved.peek()) localStorage.removeItem(draftKey(openName.peek()));
  else localStorage.setItem(draftKey(openName.peek()), text);
  source.value = text;
}

export async function discardDraft(): Promise<void> {
  localStorage.removeItem(draftKey(openName.peek()));
  await open(openName.peek());
}

// Where `save` puts the text: examples belong to the program, so a changed one is downloaded.
export const savesTo = computed<'file' | 'browser' | 'download'>(() => {
  if (openName.value === 'file' && file.value?.writable) return 'file';
  return openName.value.startsWith(ownPrefix) ? 'browser' : 'download';
});

// Somebody else saved meanwhile: another tab, or another program in the file.
export class SaveConflict extends Error {}

// Throws SaveConflict, unless `over` says to write over what somebody else saved.
export async function save(options: { over?: boolean } = {}): Promise<void> {
  const text = source.peek();
  const name = openName.peek();
  const to = file.peek();
  if (savesTo.peek() === 'download') return;
  if (savesTo.peek() === 'browser') {
    const there = readOwn(name);
    if (!options.over && there !== null && there !== saved.peek()) throw new SaveConflict();
    writeOwn(name, text);
  } else {
    const version = options.over ? (await api.source()).version : to!.version;
    file.value = { ...to!, version: await saveFile(text, version) };
  }
  if (name !== openName.peek()) return;
  saved.value = text;
  edit(source.peek());
}

async function saveFile(text: string, version: string): Promise<string> {
  try {
    return (await api.save(text, version)).version;
  } catch (error) {
    throw error instanceof ModelError && error.status === 409 ? new SaveConflict() : error;
  }
}

// One check at a time, the first at once: findings appear while one types, and no keys queue up
// behind the server. Planning and drawing wait until the keys rest.
let checking = false;
let readDesign = ''; // The name of the design that `model` and `plan` belong to.
let planTimer: ReturnType<typeof setTimeout> | undefined;
let planRequest: AbortController | null = null;

function followSource(text: string): void {
  clearTimeout(planTimer);
  planRequest?.abort();
  if (text !== '' && !checking) void check();
}

async function check(): Promise<void> {
  checking = true;
  try {
    let text: string;
    do {
      text = source.peek();
      const answer = await api.check(text);
      if (text !== source.peek()) continue; // Its places are no longer right.
      checkedSource.value = text;
      findings.value = answer.findings;
      unread.value = answer.model === null;
      trouble.value = null;
      const read = answer.model;
      if (read) planTimer = setTimeout(() => void planFor(text, read), typed ? planDelayMs : 0);
      else if (readDesign !== openName.peek()) show(null, null, ''); // Not the picture of another design.
    } while (text !== source.peek() && source.peek() !== '');
  } catch (error) {
    if (!(error instanceof Unreachable)) trouble.value = (error as Error).message;
  } finally {
    checking = false;
  }
}

function show(read: Model | null, planned: Plan | null, text: string): void {
  readDesign = openName.peek();
  batch(() => {
    model.value = read;
    plan.value = planned;
    readSource.value = text;
  });
}

async function planFor(text: string, read: Model): Promise<void> {
  const request = new AbortController();
  planRequest = request;
  try {
    show(read, await api.plan(text, request.signal), text);
  } catch (error) {
    if (!request.signal.aborted && !(error instanceof Unreachable)) trouble.value = (error as Error).message;
  }
}
