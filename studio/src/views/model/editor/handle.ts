// The editor's services to the rest of the view, without knowing CodeMirror.
import { signal } from '@preact/signals';

export interface Handle {
  reveal(place: { line: number; column?: number; length?: number }, focus: boolean): void;
  walk(forward: boolean): void;
  replace(text: string): void;
  add(form: string): void; // A declaration at the end, with its places to fill in.
}

let handle: Handle | null = null;

export const caretLine = signal(1);

export function setHandle(to: Handle | null): void {
  handle = to;
}

// Scrolls to a place and selects it; `focus` also moves the keyboard there.
export function reveal(place: { line: number; column?: number; length?: number }, focus = false): void {
  handle?.reveal(place, focus);
}

export const nextFinding = () => handle?.walk(true);
export const previousFinding = () => handle?.walk(false);
export const addForm = (form: string) => handle?.add(form);
export const replaceText = (text: string) => handle?.replace(text);
