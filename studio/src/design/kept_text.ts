// A design that was found, written as its author would have: with the words that the keys have now, and with its tables where they stood.
import type { Model } from '../api/model.ts';
import { rootOf } from './colours.ts';
import { keyTemplate } from './key_template.ts';

const tableLine = /^table /m;
const logicalLine = /^(?:entity|relationship|hierarchy|pattern|write|sample|model) /m;

// The search writes tables at the end of the text; a comment above the old ones would be left alone.
export function inPlace(before: string, after: string): string {
  const [was, is] = [before.search(tableLine), after.search(tableLine)];
  if (was < 0 || is < 0 || logicalLine.test(after.slice(is))) return after;
  const lead = before.slice(0, was).trimEnd();
  const logical = after.slice(0, is);
  if (!logical.startsWith(lead)) return after;
  const between = before.slice(lead.length, was);
  return `${lead}${between}${after.slice(is).trim()}\n\n${logical.slice(lead.length).trim()}`.trimEnd() + '\n';
}

// The word that stands before the id of an entity: STU of `STU#{id}`. Null if the keys have several, or none.
function wordsOf(model: Model): Map<string, string> {
  const words = new Map<string, string>();
  for (const layout of model.tables.flatMap((table) => table.items)) {
    for (const { name } of layout.attributes) {
      const [, word, attribute] = /^([^{}#]+)#\{(\w+)\}$/.exec(keyTemplate(model, layout, name) ?? '') ?? [];
      if (word === undefined || attribute === undefined) continue;
      const entity = rootOf(model, layout.entity, attribute).split('.')[0]!;
      const whole = model.entities.find((one) => one.name === entity)?.attributes.filter(({ key }) => key);
      if (whole?.length === 1) words.set(entity, words.has(entity) && words.get(entity) !== word ? '' : word);
    }
  }
  return words;
}

// The text with the old words in its keys, where each old word stands for one entity.
export function withOldWords(text: string, old: Model): string {
  const at = text.search(tableLine);
  if (at < 0) return text;
  const renames = [...wordsOf(old)].map(([entity, word]) => [entity.toUpperCase(), word] as const).filter(([now, word]) => word !== '' && now !== word);
  const tables = text.slice(at);
  // A word that already means something else stays away from it.
  const free = renames.filter(([, word]) => !tables.includes(`"${word}#`) && renames.filter((other) => other[1] === word).length === 1);
  return text.slice(0, at) + free.reduce((now, [from, to]) => now.replaceAll(`"${from}#{`, `"${to}#{`), tables);
}
