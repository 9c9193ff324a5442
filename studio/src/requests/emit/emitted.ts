// The input and output of every emitter.
import type { Item } from '../../api/attribute_value.ts';
import type { Request } from '../../api/dynamodb.ts';
import type { TableSchema } from '../schema.ts';
import type { Compiled } from '../request.ts';
import type { Draft } from '../draft.ts';
import type { Together } from '../together.ts';

// Where the code shall run. Without `endpoint` it runs against AWS.
export interface Target {
  endpoint?: string;
  region: string;
  table?: TableSchema; // Known keys, where the form depends on them.
}

// Code, with what a reader should know about it; or why there is none.
export type Emitted = { code: string; notes: string[] } | { refused: string };

export type Emit = (draft: Draft, compiled: Compiled, target: Target) => Emitted;

// Several requests as one, by the operation that takes them together.
export type EmitTogether = (together: Together, target: Target) => Emitted;

// A batch may leave something undone, and says what: it is asked for again.
export const leftOf = { BatchGetItem: 'UnprocessedKeys', BatchWriteItem: 'UnprocessedItems' } as const;
export const isBatch = (operation: string): operation is keyof typeof leftOf => Object.hasOwn(leftOf, operation);
const asksAgain = 'A batch may leave some of it undone, so the code asks again for the rest. Wait longer each time where that lasts.';

export const togetherNotes = (operation: string, { endpoint }: Target): string[] => [
  ...(isBatch(operation) ? [asksAgain] : []),
  ...(endpoint ? [anyCredentials] : []),
];

// A request's member by what it holds: languages write each kind differently.
export type Field =
  | { name: string; kind: 'item'; value: Item }
  | { name: string; kind: 'names'; value: Record<string, string> }
  | { name: string; kind: 'choice'; value: string }
  | { name: string; kind: 'text'; value: string }
  | { name: string; kind: 'flag'; value: boolean }
  | { name: string; kind: 'number'; value: number };

export function fieldsOf(request: Request): Field[] {
  return Object.entries(request).map(([name, value]): Field => {
    if (name === 'Key' || name === 'Item' || name === 'ExpressionAttributeValues') {
      return { name, kind: 'item', value: value as Item };
    }
    if (name === 'ExpressionAttributeNames') return { name, kind: 'names', value: value as Record<string, string> };
    if (name === 'ReturnValues') return { name, kind: 'choice', value: String(value) };
    if (typeof value === 'boolean') return { name, kind: 'flag', value };
    return typeof value === 'number' ? { name, kind: 'number', value } : { name, kind: 'text', value: String(value) };
  });
}

// A string between double quotes that JavaScript, Python, Java and Go all read as the same text.
export function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export const anyCredentials =
  'This server accepts any credentials, but the client requires some: export AWS_ACCESS_KEY_ID=x AWS_SECRET_ACCESS_KEY=x';

export const usesBytes = (request: Request): boolean => /"BS?":["[]/.test(JSON.stringify(fieldsOf(request).filter((field) => field.kind === 'item')));

// Whether the code reads page after page: an answer ends at 1 MB, however much there is. A limit asks for one page.
export const readsPages = ({ operation, limit }: Draft): boolean => (operation === 'Query' || operation === 'Scan') && limit === undefined;

export const holdsBytes = (request: Request): boolean => /"BS?":["[]/.test(JSON.stringify(request));

// How a language writes the parts of a literal.
export interface Literals {
  item(item: Item, margin: string): string;
  map(entries: [string, string][], margin: string): string;
  list(parts: string[], margin: string): string;
  text(value: string): string;
  flag(value: boolean): string;
  step: string; // One level deeper.
}

const holdItems = new Set(['Key', 'Item', 'ExpressionAttributeValues']);

// A request as a literal: below the members that hold items stand attribute values, all else is plain.
export function literal(of: Literals, value: unknown, margin: string, name = ''): string {
  if (holdItems.has(name)) return of.item(value as Item, margin);
  const inner = margin + of.step;
  if (Array.isArray(value)) return of.list(value.map((part) => literal(of, part, inner, name === 'Keys' ? 'Key' : '')), margin);
  if (typeof value === 'object' && value !== null) {
    return of.map(Object.entries(value).map(([own, part]): [string, string] => [own, literal(of, part, inner, own)]), margin);
  }
  return typeof value === 'boolean' ? of.flag(value) : of.text(String(value));
}
