// Of which lessons the last step was tried, in this browser.
import { signal } from '@preact/signals';

const key = 'prejoin-lessons';

function stored(): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(found) ? found.map(String) : [];
  } catch {
    return []; // No storage, or somebody else's word in it.
  }
}

export const finished = signal<readonly string[]>(stored());

export function finish(lesson: string): void {
  if (finished.peek().includes(lesson)) return;
  finished.value = [...finished.peek(), lesson];
  try {
    localStorage.setItem(key, JSON.stringify(finished.peek()));
  } catch {
    // Private windows may refuse; the mark then lasts as long as the page.
  }
}
