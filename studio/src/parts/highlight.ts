// Colours for code in any of the languages that the page shows: comments, texts, numbers and words. It reads line by line what all
// of them have in common, so it needs no grammar and never changes a character.
export interface Piece {
  kind: 'comment' | 'text' | 'number' | 'word' | 'plain';
  text: string;
}

const words = new Set(
  ('abstract and as async await begin bool boolean break case catch class const constexpr continue def default defer del do double elif else end enum except export extends false False ' +
    'final finally float fn for from func function if implements import in include int interface is lambda let long map module namespace new nil None not null nullptr or output ' +
    'package private protected provider public raise range readonly record resource return select self static string struct super switch template this throw throws true True try type ' +
    'typename using val var variable void while with yield SELECT FROM WHERE AND OR NOT INSERT INTO VALUE UPDATE SET DELETE CREATE TABLE PRIMARY KEY REFERENCES').split(' '),
);

// A sharp sign begins a comment where a line or a gap does not make it part of a word: in Python, shell, YAML and Terraform.
const pieces = /(\/\/[^\n]*|\/\*[^]*?\*\/|(?<=^|\s)#(?!include|pragma|if|define|end|el)[^\n]*|^-- [^\n]*)|("""[^]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|(\b\d[\d_.]*\b)|([A-Za-z_]\w*)/gm;
const charactersMax = 60_000; // Of larger files the beginning has colours, the rest is plain.

export function highlighted(code: string): Piece[] {
  const head = code.slice(0, charactersMax);
  const found: Piece[] = [];
  let at = 0;
  const plain = (to: number) => {
    if (to > at) found.push({ kind: 'plain', text: head.slice(at, to) });
  };
  for (const match of head.matchAll(pieces)) {
    const [text, comment, quoted, number, word] = match;
    const kind = comment !== undefined ? 'comment' : quoted !== undefined ? 'text' : number !== undefined ? 'number' : words.has(word!) ? 'word' : null;
    if (!kind) continue;
    plain(match.index);
    found.push({ kind, text });
    at = match.index + text.length;
  }
  plain(head.length);
  if (code.length > head.length) found.push({ kind: 'plain', text: code.slice(head.length) });
  return found;
}
