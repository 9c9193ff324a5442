// Colours and indentation of model files (docs/model/grammar.md).
import { StreamLanguage, type StreamParser, type StringStream } from '@codemirror/language';
import { Tag } from '@lezer/highlight';
import { wordTable } from './word_table.ts';

const blocks = new Set(['file', 'entity', 'relationship', 'pattern', 'write', 'table', 'item']);
const noTypes = new Set(['references', 'max', 'of']);
const wordsAt = (keep: (place: string, word: string) => boolean) => [...new Set(wordTable.filter(({ place, word }) => keep(place, word)).map(({ word }) => word))];

// Words that begin a statement, at the top or in a block.
export const statements = wordsAt((place) => blocks.has(place));
export const types = wordsAt((place, word) => place === 'type' && !noTypes.has(word));
// Words inside a statement.
export const words = wordsAt((place, word) => !blocks.has(place) && (place !== 'type' || noTypes.has(word)));

const statementWords = new Set(statements);
const otherWords = new Set(words);
const typeWords = new Set(types);
// These words are followed by the name of something new.
const naming = new Set(['entity', 'relationship', 'hierarchy', 'pattern', 'write', 'table', 'index', 'item', 'sample']);

// Our own names for what the editor colours: theme.ts gives each a colour.
export const modelTags = {
  statement: Tag.define(),
  word: Tag.define(),
  valueType: Tag.define(), // Not `type`: that is a token name of CodeMirror's own.
  name: Tag.define(),
  text: Tag.define(),
  hole: Tag.define(),
  number: Tag.define(),
  parameter: Tag.define(),
  comment: Tag.define(),
};

export interface ModelState {
  depth: number; // Open blocks.
  first: boolean; // Nothing of the statement has been read yet.
  previous: string; // The word before.
  inText: boolean;
  inHole: boolean; // Inside {…} of a text.
}

function readText(stream: StringStream, state: ModelState): string {
  if (state.inHole) {
    stream.match(/^[^}"]*/);
    if (stream.peek() === '}') stream.next();
    state.inHole = false;
    return 'hole';
  }
  while (!stream.eol()) {
    if (stream.peek() === '{') {
      state.inHole = true;
      return 'text';
    }
    const sign = stream.next();
    if (sign === '\\') stream.next();
    else if (sign === '"') {
      state.inText = false;
      return 'text';
    }
  }
  state.inText = false; // Texts end with their line.
  return 'text';
}

function readWord(stream: StringStream, state: ModelState): string | null {
  const word = stream.current();
  const { first, previous } = state;
  state.first = false;
  state.previous = word;
  if (first && statementWords.has(word)) return 'statement';
  if (naming.has(previous)) return word === 'index' ? 'statement' : 'name';
  if (typeWords.has(word) && !first) return 'valueType';
  if (otherWords.has(word) && !first) return 'word';
  return null;
}

export const modelParser: StreamParser<ModelState> = {
  name: 'prejoin',
  startState: () => ({ depth: 0, first: true, previous: '', inText: false, inHole: false }),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    if (stream.sol()) Object.assign(state, { first: true, previous: '', inText: false, inHole: false });
    if (state.inText) {
      const token = readText(stream, state);
      if (stream.pos > stream.start) return token;
      return readText(stream, state);
    }
    if (stream.eatSpace()) return null;
    if (stream.match('//')) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match(/^~?\d[\d_]*(\.\d+)?[kMG]?(\/(s|sec|min|hour|day|week|month|year)\b)?/)) {
      Object.assign(state, { first: false, previous: '' });
      return 'number';
    }
    if (stream.match(/^:[A-Za-z_]\w*/)) return 'parameter';
    if (stream.match(/^[A-Za-z_]\w*(-\w+)*/)) return readWord(stream, state);
    const sign = stream.next();
    if (sign === '"') {
      Object.assign(state, { inText: true, first: false, previous: '' });
      return readText(stream, state);
    }
    if (sign === '{') ++state.depth;
    if (sign === '}') state.depth = Math.max(0, state.depth - 1);
    if (sign !== '.') state.previous = '';
    return null;
  },
  indent(state, textAfter, context) {
    const depth = textAfter.trimStart().startsWith('}') ? state.depth - 1 : state.depth;
    return Math.max(0, depth) * context.unit;
  },
  languageData: { commentTokens: { line: '//' }, closeBrackets: { brackets: ['(', '[', '{', '"'] }, indentOnInput: /^\s*\}$/ },
  tokenTable: modelTags,
};

export const modelLanguage = StreamLanguage.define(modelParser);
