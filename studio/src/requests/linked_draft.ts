// A draft that the address bar follows: `q` holds it, packed, a moment after the last change.
import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { route, setQuery } from '../app/route.ts';
import type { Draft } from './draft.ts';
import { packDraft } from './link.ts';

const linkDelayMs = 200; // The address bar need not follow every key stroke.

export interface LinkedDraft {
  draft: Signal<Draft>;
  behind: ReadonlySignal<boolean>; // The address does not yet have the last change.
  change(changes: Partial<Draft>): void;
  isOwn(word: string): boolean; // The address has it from here.
  take(word: string): void; // The address had it before, from a link.
  forget(): void; // The last change must not come into the address any more.
}

export function linkedDraft(view: string, first: Draft): LinkedDraft {
  const draft = signal<Draft>(first);
  const behind = signal(false);
  let packed: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = async () => {
    const word = await packDraft(draft.peek());
    behind.value = false;
    if (route.peek().view !== view) return;
    packed = word;
    setQuery({ q: word }, { replace: true });
  };
  return {
    draft,
    behind,
    change(changes) {
      const next: Draft = { ...draft.peek(), ...changes };
      // An absent member and an undefined one must look alike in the link.
      for (const name of Object.keys(next) as (keyof Draft)[]) if (next[name] === undefined) delete next[name];
      draft.value = next;
      behind.value = true;
      clearTimeout(timer);
      timer = setTimeout(() => void write(), linkDelayMs);
    },
    isOwn: (word) => word === packed,
    take: (word) => void (packed = word),
    forget() {
      clearTimeout(timer);
      behind.value = false;
    },
  };
}
