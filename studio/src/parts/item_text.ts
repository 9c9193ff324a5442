// Items as text, in two forms: DynamoDB JSON, where every value names its type, and plain JSON, as people write it.
// Plain JSON knows no sets and no binary values, so reading it takes a hint: the item as it was. What was a set stays one.
import type { AttributeValue, Item } from '../api/attribute_value.ts';
import { placeOf, readJson, TextError, type Node } from './json_text.ts';

export type Form = 'dynamodb' | 'plain';

export function printItem(item: Item, form: Form): string {
  return form === 'dynamodb' ? JSON.stringify(item, null, 2) : printMap(item, '');
}

function printMap(map: Item, margin: string): string {
  const entries = Object.entries(map);
  if (entries.length === 0) return '{}';
  const inner = `${margin}  `;
  return `{\n${entries.map(([name, value]) => `${inner}${JSON.stringify(name)}: ${printPlain(value, inner)}`).join(',\n')}\n${margin}}`;
}

// A JSON number may have any number of digits; only JSON.parse rounds them.
const printNumber = (digits: string) => (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(digits) ? digits : JSON.stringify(digits));

export function printPlain(value: AttributeValue, margin = ''): string {
  if ('S' in value) return JSON.stringify(value.S);
  if ('N' in value) return printNumber(value.N);
  if ('B' in value) return JSON.stringify(value.B);
  if ('BOOL' in value) return String(value.BOOL);
  if ('NULL' in value) return 'null';
  if ('M' in value) return printMap(value.M, margin);
  if ('SS' in value) return `[${value.SS.map((text) => JSON.stringify(text)).join(', ')}]`;
  if ('NS' in value) return `[${value.NS.map(printNumber).join(', ')}]`;
  if ('BS' in value) return `[${value.BS.map((text) => JSON.stringify(text)).join(', ')}]`;
  if (value.L.length === 0) return '[]';
  const inner = `${margin}  `;
  return `[\n${value.L.map((part) => inner + printPlain(part, inner)).join(',\n')}\n${margin}]`;
}

// Throws TextError with the place of the first thing that is wrong.
export function readItem(text: string, form: Form, hint?: Item): Item {
  const node = readJson(text);
  const fail = failing(text);
  if (node.kind !== 'object') return fail(node, 'An item is an object: { "name": value, … }');
  return form === 'dynamodb' ? typedMap(node, fail) : plainMap(node, hint, fail);
}

// One value in plain JSON, such as what is typed into a cell.
export function readPlainValue(text: string, hint?: AttributeValue): AttributeValue {
  return fromPlain(readJson(text), hint, failing(text));
}

type Fail = (node: { start: number; end: number }, message: string) => never;

const failing =
  (text: string): Fail =>
  (node, message) => {
    throw new TextError(message, placeOf(text, node.start, node.end - node.start));
  };

const entriesOf = <Value>(node: Node & { kind: 'object' }, read: (value: Node, name: string) => Value) =>
  Object.fromEntries(node.members.map(({ name, value }) => [name, read(value, name)]));

function plainMap(node: Node & { kind: 'object' }, hint: Item | undefined, fail: Fail): Item {
  return entriesOf(node, (value, name) => fromPlain(value, hint && Object.hasOwn(hint, name) ? hint[name] : undefined, fail));
}

function fromPlain(node: Node, hint: AttributeValue | undefined, fail: Fail): AttributeValue {
  switch (node.kind) {
    case 'string':
      if (hint && 'B' in hint && isBase64(node.text)) return { B: node.text };
      if (hint && 'N' in hint && node.text === hint.N) return { N: node.text };
      return { S: node.text };
    case 'number': return { N: node.digits };
    case 'word': return node.word === 'null' ? { NULL: true } : { BOOL: node.word === 'true' };
    case 'object': return { M: plainMap(node, hint && 'M' in hint ? hint.M : undefined, fail) };
    case 'array': return setLike(node.parts, hint) ?? { L: node.parts.map((part, at) => fromPlain(part, hint && 'L' in hint ? hint.L[at] : undefined, fail)) };
  }
}

// A set if it was one and every member still fits.
function setLike(parts: Node[], hint: AttributeValue | undefined): AttributeValue | null {
  if (!hint || parts.length === 0) return null;
  const texts = parts.flatMap((part) => (part.kind === 'string' ? [part.text] : []));
  const digits = parts.flatMap((part) => (part.kind === 'number' ? [part.digits] : []));
  if ('SS' in hint && texts.length === parts.length) return { SS: texts };
  if ('BS' in hint && texts.length === parts.length && texts.every(isBase64)) return { BS: texts };
  if ('NS' in hint && digits.length === parts.length) return { NS: digits };
  return null;
}

const isBase64 = (text: string) => /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0;

function typedMap(node: Node & { kind: 'object' }, fail: Fail): Item {
  return entriesOf(node, (value) => fromTyped(value, fail));
}

function textOf(node: Node, what: string, fail: Fail): string {
  return node.kind === 'string' ? node.text : fail(node, `${what} needs double quotes`);
}

function fromTyped(node: Node, fail: Fail): AttributeValue {
  const only = node.kind === 'object' && node.members.length === 1 ? node.members[0] : undefined;
  if (!only) return fail(node, 'A value names its type, such as {"S": "text"} or {"N": "1"}');
  const { name: type, value } = only;
  const list = (what: string) => {
    if (value.kind !== 'array') return fail(value, `${type} is a list of ${what}`);
    if (value.parts.length === 0) return fail(value, 'A set cannot be empty');
    return value.parts;
  };
  const number = (part: Node) => {
    const digits = textOf(part, 'A number of DynamoDB JSON', fail);
    return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(digits) ? digits : fail(part, `“${digits}” is no number`);
  };
  const bytes = (part: Node) => {
    const text = textOf(part, 'A binary value', fail);
    return isBase64(text) ? text : fail(part, 'A binary value is written in base64');
  };
  switch (type) {
    case 'S': return { S: textOf(value, 'Text', fail) };
    case 'N': return { N: number(value) };
    case 'B': return { B: bytes(value) };
    case 'BOOL': return value.kind === 'word' && value.word !== 'null' ? { BOOL: value.word === 'true' } : fail(value, 'BOOL is true or false');
    case 'NULL': return value.kind === 'word' && value.word === 'true' ? { NULL: true } : fail(value, 'NULL is always true');
    case 'M': return value.kind === 'object' ? { M: typedMap(value, fail) } : fail(value, 'M is an object of typed values');
    case 'L': return value.kind === 'array' ? { L: value.parts.map((part) => fromTyped(part, fail)) } : fail(value, 'L is a list of typed values');
    case 'SS': return { SS: list('texts').map((part) => textOf(part, 'Text', fail)) };
    case 'NS': return { NS: list('numbers').map(number) };
    case 'BS': return { BS: list('binary values').map(bytes) };
    default: return fail(only.at, `There is no type “${type}”: S, N, B, BOOL, NULL, M, L, SS, NS, BS`);
  }
}
