// Designs that are kept in this browser, by name.
import { signal } from '@preact/signals';

export const ownPrefix = 'own:';
const keyPrefix = 'prejoin-own:';

function list(): string[] {
  if (typeof localStorage === 'undefined') return [];
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(keyPrefix))
    .map((key) => ownPrefix + key.slice(keyPrefix.length))
    .sort();
}

// As `?model=` names them.
export const ownDesigns = signal<string[]>(list());

const keyOf = (name: string) => keyPrefix + name.slice(ownPrefix.length);

export function readOwn(name: string): string | null {
  return localStorage.getItem(keyOf(name));
}

const lastKey = 'prejoin-last-design';

// The one that was open last, if it is still there.
export function lastOwn(): string | null {
  if (typeof localStorage === 'undefined') return null;
  const name = localStorage.getItem(lastKey);
  return name !== null && readOwn(name) !== null ? name : null;
}

export function rememberOwn(name: string): void {
  localStorage.setItem(lastKey, name);
}

export function writeOwn(name: string, text: string): void {
  localStorage.setItem(keyOf(name), text);
  ownDesigns.value = list();
}

export function removeOwn(name: string): void {
  localStorage.removeItem(keyOf(name));
  ownDesigns.value = list();
}

// Under another name, if that is free; the answer is the name as `?model=` has it.
export function renameOwn(name: string, wanted: string): string {
  const text = readOwn(name);
  if (text === null || wanted.trim() === '' || ownPrefix + wanted.trim() === name) return name;
  const renamed = freeName(wanted, ownDesigns.peek());
  // A title that was the name goes with it.
  const [old, next] = [name, renamed].map((one) => `model "${one.slice(ownPrefix.length).replace(/[\\"]/g, '')}"`);
  localStorage.setItem(keyOf(renamed), text.replace(old!, () => next!));
  removeOwn(name);
  return renamed;
}

// Calls back with the name of a design that another tab has written or removed. The answer ends it.
export function followOtherTabs(onChange: (name: string) => void): () => void {
  const listen = ({ key }: StorageEvent) => {
    if (!key?.startsWith(keyPrefix)) return;
    ownDesigns.value = list();
    onChange(ownPrefix + key.slice(keyPrefix.length));
  };
  addEventListener('storage', listen);
  return () => removeEventListener('storage', listen);
}

// The title in the text of a model, without its escapes.
export const titleIn = (text: string): string => /^model "((?:[^"\\]|\\.)*)"/m.exec(text)?.[1]?.replace(/\\(.)/g, '$1') ?? '';

// A name that is not taken: `Shop`, then `Shop 2`.
export function freeName(wanted: string, taken: readonly string[]): string {
  const base = wanted.trim() || 'My design';
  let name = base;
  for (let i = 2; taken.includes(ownPrefix + name); ++i) name = `${base} ${i}`;
  return ownPrefix + name;
}

// Enough to be read, checked and proved; every part says what to put there.
export const emptyDesign = (title: string) => `// What the design is for, in a sentence.
model "${title.replace(/[\\"]/g, '\\$&')}"

// The entities. Say how large and how many: the figures follow from it.
entity Customer {
  id    text(~8) key
  name  text(~20)
  count 1_000
}

// The questions, and how often they come. A design is right when every pattern is served.
pattern Profile "A customer by id" {
  find Customer where id = :customer
  rate 10/s
  example customer = "c1" gives 1
}

write Join "A new customer" {
  put Customer once
  rate 1/min
}

// How it is stored: the keys of each kind of item.
table Shop partition PK sort SK {
  item Customer {
    PK = "CUSTOMER#{id}"
    SK = "PROFILE"
    without id
  }
}

// A few rows to look at and to prove the patterns with.
sample Customer (id, name) {
  "c1", "Ada Byron"
  "c2", "Ben Okri"
}
`;
