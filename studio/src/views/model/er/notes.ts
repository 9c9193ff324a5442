// Notes of the picture: the comment right above an entity or a relationship in the text. So they travel with the file and its links.
import { lineOfDeclaration } from '../editor/places.ts';

export type Noted = 'entity' | 'relationship';

const isComment = (line: string | undefined) => /^\s*\/\//.test(line ?? '');

// The lines of the note and of the declaration, from 0; null if there is no such declaration.
function placeOfNote(lines: string[], source: string, kind: Noted, name: string): { from: number; to: number } | null {
  const line = lineOfDeclaration(source, kind, name) ?? (kind === 'relationship' ? lineOfDeclaration(source, 'hierarchy', name) : null);
  if (line === null) return null;
  let from = line - 1;
  while (isComment(lines[from - 1])) --from;
  return { from, to: line - 1 };
}

export function noteOf(source: string, kind: Noted, name: string): string {
  const lines = source.split('\n');
  const place = placeOfNote(lines, source, kind, name);
  if (!place) return '';
  return lines
    .slice(place.from, place.to)
    .map((line) => line.replace(/^\s*\/\/\s?/, '').trimEnd())
    .join('\n')
    .trim();
}

// The text with another note; an empty one removes it.
export function withNote(source: string, kind: Noted, name: string, note: string): string {
  const lines = source.split('\n');
  const place = placeOfNote(lines, source, kind, name);
  if (!place) return source;
  const written = note.trim() === '' ? [] : note.trim().split(/\r?\n/).map((line) => `// ${line}`.trimEnd());
  lines.splice(place.from, place.to - place.from, ...written);
  return lines.join('\n');
}

const letters = 30;
const linesMost = 7;

// The lines of a note's box.
export function wrapNote(note: string): string[] {
  const lines: string[] = [];
  for (const paragraph of note.split('\n')) {
    let line = '';
    for (const word of paragraph.split(/\s+/).flatMap((one) => one.match(new RegExp(`.{1,${letters}}`, 'gu')) ?? [])) {
      if (line !== '' && line.length + 1 + word.length > letters) {
        lines.push(line);
        line = '';
      }
      line += line === '' ? word : ` ${word}`;
    }
    if (line !== '') lines.push(line);
  }
  return lines.length > linesMost ? [...lines.slice(0, linesMost - 1), `${lines[linesMost - 1]!.slice(0, letters - 1)}…`] : lines;
}
