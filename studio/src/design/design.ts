// The design that is open: its text, what the checker says of it, and its plan.
// Everything follows from `source`; views read the signals and never ask the server themselves.
import { computed, effect, signal } from '@preact/signals';
import { route } from '../app/route.ts';
import { model as api, type Example, type Finding, type Model, type Plan } from '../api/model.ts';

export const examples = signal<Example[]>([]);
export const source = signal('');
export const findings = signal<Finding[]>([]);
export const model = signal<Model | null>(null);
export const plan = signal<Plan | null>(null);
// Why the server could not be asked; null while all is well.
export const trouble = signal<string | null>(null);
// The file that `serve --model` was given.
export const file = signal<{ name: string; version: string; writable: boolean } | null>(null);

const checkDelay = 120; // Milliseconds after the last key stroke.

// `?model=file` is the server's file, any other name an example.
export const openName = computed(
  () => route.value.query['model'] ?? (file.value ? 'file' : 'd05_education'),
);

export async function startDesign(): Promise<void> {
  try {
    const [list, onDisk] = await Promise.all([api.examples(), api.source()]);
    examples.value = list;
    if (onDisk.file !== null) {
      file.value = { name: onDisk.file, version: onDisk.version, writable: onDisk.writable };
    }
  } catch (error) {
    trouble.value = `The server does not answer: ${(error as Error).message}`;
    return;
  }
  effect(() => void open(openName.value));
  effect(() => followSource(source.value));
}

async function open(name: string): Promise<void> {
  try {
    const text = name === 'file' ? (await api.source()).source : (await api.example(name)).source;
    if (name === openName.peek()) source.value = draft(name) ?? text;
    trouble.value = null;
  } catch (error) {
    trouble.value = (error as Error).message;
  }
}

const draftKey = (name: string) => `prejoin-draft:${name}`;

function draft(name: string): string | null {
  return localStorage.getItem(draftKey(name));
}

// What is typed survives a reload until it is saved or thrown away.
export function edit(text: string): void {
  localStorage.setItem(draftKey(openName.peek()), text);
  source.value = text;
}

export async function discardDraft(): Promise<void> {
  localStorage.removeItem(draftKey(openName.peek()));
  await open(openName.peek());
}

export async function save(): Promise<void> {
  const to = file.peek();
  if (!to) return;
  const { version } = await api.save(source.peek(), to.version);
  file.value = { ...to, version };
  localStorage.removeItem(draftKey('file'));
}

let pending: AbortController | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

function followSource(text: string): void {
  clearTimeout(timer);
  pending?.abort();
  if (text === '') return;
  timer = setTimeout(() => void check(text), model.peek() === null ? 0 : checkDelay);
}

async function check(text: string): Promise<void> {
  const controller = new AbortController();
  pending = controller;
  try {
    const checked = await api.check(text, controller.signal);
    findings.value = checked.findings;
    if (checked.model) {
      model.value = checked.model;
      plan.value = await api.plan(text, controller.signal);
    }
    trouble.value = null;
  } catch (error) {
    if (!controller.signal.aborted) trouble.value = (error as Error).message;
  }
}
