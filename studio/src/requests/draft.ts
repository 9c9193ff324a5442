// The draft that the builder edits: a request as structure, before any placeholder exists. It is plain JSON, so that a link can carry it.
import type { AttributeValue, Item, TypeName } from '../api/attribute_value.ts';

export const operations = ['Query', 'Scan', 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] as const;
export type Operation = (typeof operations)[number];

// Attribute name first; then names of map members and positions in lists.
export type Path = (string | number)[];

export type Operand = { path: Path } | { value: AttributeValue } | { size: Path };

export const tests = [
  '=', '<>', '<', '<=', '>', '>=', 'between', 'in', 'begins_with', 'contains',
  'attribute_exists', 'attribute_not_exists', 'attribute_type',
] as const;
export type Test = (typeof tests)[number];

export const testTitles: Record<Test, string> = {
  '=': '=', '<>': '≠', '<': '<', '<=': '≤', '>': '>', '>=': '≥', between: 'between', in: 'is one of', begins_with: 'begins with', contains: 'contains',
  attribute_exists: 'exists', attribute_not_exists: 'does not exist', attribute_type: 'has type',
};

export interface Leaf {
  left: Operand;
  test: Test;
  right: Operand[];
  not?: boolean;
}

export interface Group {
  join: 'AND' | 'OR';
  parts: Condition[];
  not?: boolean;
}

export type Condition = Leaf | Group;

export const isGroup = (condition: Condition): condition is Group => 'join' in condition;

export const keyTests = ['=', '<', '<=', '>', '>=', 'between', 'begins_with'] as const;
export type KeyTestName = (typeof keyTests)[number];

// One key attribute. GetItem, UpdateItem and DeleteItem use only `=`.
export interface KeyTest {
  name: string;
  test: KeyTestName;
  values: AttributeValue[];
}

// SET path = …, where `base` is the attribute `from`, or `fallback` while that is missing:
//   value          operand
//   plus, minus    base + operand, base - operand
//   if_not_exists  if_not_exists(from, operand)
//   append         list_append(base, operand)
//   prepend        list_append(operand, base)
export const setForms = ['value', 'plus', 'minus', 'if_not_exists', 'append', 'prepend'] as const;
export type SetForm = (typeof setForms)[number];

export interface SetAction {
  action: 'SET';
  path: Path;
  form: SetForm;
  from?: Path; // The same as `path` if it is not there.
  fallback?: AttributeValue;
  operand: Operand;
}

export type UpdateAction =
  | SetAction
  | { action: 'REMOVE'; path: Path }
  | { action: 'ADD'; path: Path; value: AttributeValue }
  | { action: 'DELETE'; path: Path; value: AttributeValue };

export const returnValues = ['NONE', 'ALL_OLD', 'UPDATED_OLD', 'ALL_NEW', 'UPDATED_NEW'] as const;
export type ReturnValues = (typeof returnValues)[number];

export interface Draft {
  operation: Operation;
  table: string;
  index?: string;
  key: KeyTest[];
  item?: Item; // PutItem
  condition?: Group; // PutItem, UpdateItem, DeleteItem
  filter?: Group; // Query, Scan
  projection?: Path[]; // Query, Scan, GetItem
  update?: UpdateAction[];
  consistent?: boolean;
  descending?: boolean;
  limit?: number;
  returns?: ReturnValues;
}

export const isRead = (operation: Operation) =>
  operation === 'Query' || operation === 'Scan' || operation === 'GetItem';
export const hasFilter = (operation: Operation) => operation === 'Query' || operation === 'Scan';
export const hasCondition = (operation: Operation) => !isRead(operation);
// The values that ReturnValues may have.
export const returnsFor = (operation: Operation): readonly ReturnValues[] =>
  operation === 'UpdateItem' ? returnValues : hasCondition(operation) ? ['NONE', 'ALL_OLD'] : ['NONE'];
export const hasWholeKey = (operation: Operation) =>
  operation === 'GetItem' || operation === 'UpdateItem' || operation === 'DeleteItem';

// How many operands stand on the right of a test; `in` has as many as one likes.
export function arity(test: Test): number {
  if (test === 'between') return 2;
  if (test === 'attribute_exists' || test === 'attribute_not_exists') return 0;
  return 1;
}

export function emptyValue(type: TypeName): AttributeValue {
  switch (type) {
    case 'S': return { S: '' };
    case 'N': return { N: '0' };
    case 'B': return { B: '' };
    case 'BOOL': return { BOOL: true };
    case 'NULL': return { NULL: true };
    case 'M': return { M: {} };
    case 'L': return { L: [] };
    case 'SS': return { SS: [] };
    case 'NS': return { NS: [] };
    case 'BS': return { BS: [] };
  }
}

// Address.Lines[0], with quotes round a name that a dot or bracket would tear apart.
export function showPath(path: Path): string {
  return path
    .map((part, position) => {
      if (typeof part === 'number') return `[${part}]`;
      const name = /[.[\]"]|^$/.test(part) ? JSON.stringify(part) : part;
      return position === 0 ? name : `.${name}`;
    })
    .join('');
}

// The reverse of showPath. Throws Error with the reason and the place.
export function readPath(text: string): Path {
  const path: Path = [];
  let at = 0;
  const fail = (why: string): never => {
    throw new Error(`${why} at character ${at + 1}.`);
  };
  const name = () => {
    if (text[at] === '"') {
      const quoted = /^"(?:[^"\\]|\\.)*"/.exec(text.slice(at));
      if (!quoted) fail('The quote is not closed');
      at += quoted![0].length;
      try {
        return JSON.parse(quoted![0]) as string;
      } catch {
        return fail('This is no quoted name');
      }
    }
    const bare = /^[^.[\]"]+/.exec(text.slice(at));
    if (!bare) fail('A name is missing');
    at += bare![0].length;
    return bare![0];
  };
  path.push(name());
  while (at < text.length) {
    if (text[at] === '.') {
      at += 1;
      path.push(name());
    } else {
      const position = /^\[(\d+)\]/.exec(text.slice(at));
      if (!position) fail('Expected .name or [number]');
      at += position![0].length;
      path.push(Number(position![1]));
    }
  }
  return path;
}
