// DynamoDB's rules, applied before the request is sent: which choices to offer, and what is wrong with a draft.
import { member, typeOf, type AttributeValue, type TypeName } from '../api/attribute_value.ts';
import { parseTemplate } from '../design/key_template.ts';
import {
  hasCondition, hasFilter, hasWholeKey, isGroup, isRead, keyTests, showPath, tests,
  type Condition, type Draft, type Group, type KeyTestName, type Leaf, type Operand, type Path, type SetAction, type Test, type UpdateAction,
} from './draft.ts';
import { keysFor, projected, type KeyField, type TableSchema } from './schema.ts';

export type Section = 'table' | 'key' | 'item' | 'condition' | 'filter' | 'projection' | 'update' | 'options';

export interface Problem {
  section: Section;
  message: string;
  // A warning is legal, but hardly what somebody wants.
  warning?: true;
}

// The message of a row that was only just added. It need not be said before somebody has left the row.
export const missingAttribute = 'An attribute is missing.';

export const allTypes: TypeName[] = ['S', 'N', 'BOOL', 'B', 'NULL', 'L', 'M', 'SS', 'NS', 'BS'];
const ordered: TypeName[] = ['S', 'N', 'B'];
const sets: TypeName[] = ['SS', 'NS', 'BS'];

export const typeTitles: Record<TypeName, string> = {
  S: 'text', N: 'number', B: 'binary', BOOL: 'true/false', NULL: 'null', M: 'map', L: 'list', SS: 'text set', NS: 'number set', BS: 'binary set',
};

// The tests that can come out true for an attribute of this type; all of them if the type is not known.
export function testsFor(type: TypeName | undefined): Test[] {
  if (!type) return [...tests];
  return tests.filter((test) => {
    if (test === '<' || test === '<=' || test === '>' || test === '>=' || test === 'between') return ordered.includes(type);
    if (test === 'begins_with') return type === 'S' || type === 'B';
    if (test === 'contains') return type === 'S' || type === 'B' || type === 'L' || sets.includes(type);
    return true;
  });
}

export function keyTestsFor(key: KeyField): KeyTestName[] {
  if (key.kind === 'HASH') return ['='];
  return keyTests.filter((test) => test !== 'begins_with' || key.type !== 'N');
}

// The operands that may stand on the right of a test.
export function rightTypes(test: Test, left: TypeName | undefined): TypeName[] {
  if (test === 'attribute_type') return ['S'];
  if (test === 'begins_with') return left === 'S' || left === 'B' ? [left] : ['S', 'B'];
  if (test === 'contains') {
    if (left === 'SS' || left === 'NS' || left === 'BS') return [left[0] as TypeName];
    return left === 'S' || left === 'B' ? [left] : allTypes;
  }
  if (test === '<' || test === '<=' || test === '>' || test === '>=' || test === 'between') {
    return left && ordered.includes(left) ? [left] : ordered;
  }
  return left ? [left] : allTypes;
}

export function typeOfPath(path: Path, table: TableSchema | undefined): TypeName | undefined {
  if (path.length !== 1 || !table) return undefined;
  const key = [...table.keys, ...table.indexes.flatMap(({ keys }) => keys)].find(({ name }) => name === path[0]);
  return key?.type ?? table.fields.find(({ name }) => name === path[0])?.type;
}

export function typeOfOperand(operand: Operand, table: TableSchema | undefined): TypeName | undefined {
  if ('size' in operand) return 'N';
  return 'value' in operand ? typeOf(operand.value) : typeOfPath(operand.path, table);
}

const numberPattern = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

// Why DynamoDB would not take this value; null if it would.
export function valueProblem(value: AttributeValue): string | null {
  if ('N' in value) return numberProblem(value.N);
  if ('B' in value) return base64Problem(value.B);
  if ('SS' in value || 'NS' in value || 'BS' in value) return setProblem(value);
  if ('L' in value) return value.L.map(valueProblem).find((problem) => problem !== null) ?? null;
  if ('M' in value) return Object.values(value.M).map(valueProblem).find((problem) => problem !== null) ?? null;
  return null;
}

function setProblem(value: AttributeValue): string | null {
  const members = Object.values(value)[0] as string[];
  if (members.length === 0) return 'A set cannot be empty.';
  if (new Set(members).size !== members.length) return 'A set holds each value only once.';
  const check = 'NS' in value ? numberProblem : 'BS' in value ? base64Problem : () => null;
  return members.map(check).find((problem) => problem !== null) ?? null;
}

function numberProblem(text: string): string | null {
  if (!numberPattern.test(text)) return text === '' ? 'The number is missing.' : `“${text}” is no number.`;
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const digits = mantissa.replace(/^[+-]/, '');
  const point = digits.indexOf('.');
  const all = digits.replace('.', '');
  const significant = all.replace(/^0+/, '').replace(/0+$/, '');
  if (significant === '') return null;
  if (significant.length > 38) return `A number has at most 38 digits; this one has ${significant.length}.`;
  const leading = all.length - all.replace(/^0+/, '').length;
  const magnitude = (point < 0 ? digits.length : point) - leading - 1 + Number(exponent);
  return magnitude > 125 || magnitude < -130 ? 'The number is too large or too small: from 1E-130 to 9.9E+125.' : null;
}

function base64Problem(text: string): string | null {
  const sound = /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0;
  return sound ? null : 'Binary values are written in base64.';
}

const keyLimits = { HASH: 2048, RANGE: 1024 };

function keyValueProblem(key: KeyField, value: AttributeValue | undefined): string | null {
  if (!value) return `${key.name} needs a value.`;
  if (typeOf(value) !== key.type) return `${key.name} is a ${typeTitles[key.type]} in the key, not ${typeTitles[typeOf(value)]}.`;
  const problem = valueProblem(value);
  if (problem) return `${key.name}: ${problem}`;
  const bytes = 'S' in value ? new TextEncoder().encode(value.S).length : 'B' in value ? (value.B.length * 3) / 4 : 1;
  if (bytes === 0) return `${key.name} is part of the key, so it cannot be empty.`;
  return bytes > keyLimits[key.kind] ? `${key.name} has ${bytes} bytes; at most ${keyLimits[key.kind]} are allowed.` : null;
}

function* keyProblems(draft: Draft, table: TableSchema): Generator<Problem> {
  const keys = hasWholeKey(draft.operation) ? table.keys : keysFor(table, draft.index);
  for (const { name } of draft.key) {
    if (!keys.some((key) => key.name === name)) yield { section: 'key', message: `${name} is not a key attribute here: a key condition can only name key attributes.` };
  }
  let open = true; // Whether a further sort attribute may be used.
  for (const key of keys) {
    const given = draft.key.find(({ name }) => name === key.name);
    if (!given) {
      if (key.kind === 'HASH' || hasWholeKey(draft.operation)) yield { section: 'key', message: `${key.name} needs a value.` };
      else open = false;
      continue;
    }
    if (key.kind === 'HASH' && given.test !== '=') yield { section: 'key', message: `${key.name} is the partition key: only = is possible.` };
    if (hasWholeKey(draft.operation) && given.test !== '=') yield { section: 'key', message: `${key.name}: ${draft.operation} names one item, so only = is possible.` };
    if (key.kind === 'RANGE' && !open) yield { section: 'key', message: `${key.name} can be used only when the sort attributes before it are compared with =.` };
    if (given.test !== '=') open = false;
    const torn = given.test === 'begins_with' ? tornPrefix(table, key, given.values[0]) : null;
    if (torn !== null) yield { section: 'key', message: torn, warning: true };
    if (given.test === 'begins_with' && key.type === 'N') yield { section: 'key', message: `${key.name} is a number: begins_with is for text and binary.` };
    const wanted = given.test === 'between' ? 2 : 1;
    for (let position = 0; position < wanted; position += 1) {
      const message = keyValueProblem(key, given.values[position]);
      if (message) yield { section: 'key', message };
    }
    if (given.test === 'between' && isAbove(given.values[0], given.values[1])) {
      yield { section: 'key', message: `${key.name}: the lower bound is above the upper one.` };
    }
  }
}

// A prefix that ends inside a value takes longer values with it: NY#NEW finds NEWARK and NEWYORK alike. Where the model knows
// how the key is made, the prefix of a whole value ends with what stands behind that value.
function tornPrefix(table: TableSchema, key: KeyField, value: AttributeValue | undefined): string | null {
  if (!value || !('S' in value) || value.S === '') return null;
  const prefix = value.S;
  for (const { entity, templates } of table.layouts) {
    const parts = parseTemplate(member(templates, key.name) ?? '');
    let at = 0;
    for (const [i, { literal, attribute }] of parts.entries()) {
      if (literal !== undefined) {
        if (!prefix.startsWith(literal, at)) break;
        at += literal.length;
        continue;
      }
      const next = parts[i + 1]?.literal;
      const end = next === undefined ? -1 : prefix.indexOf(next, at);
      if (end < 0) {
        if (at === prefix.length || next === undefined) break;
        return `${key.name}: this prefix ends inside ${attribute} of ${entity}, so longer values that begin alike match too. End it with “${next}” to mean this value alone.`;
      }
      at = end;
    }
  }
  return null;
}

function isAbove(low: AttributeValue | undefined, high: AttributeValue | undefined): boolean {
  if (low && high && 'S' in low && 'S' in high) return compareBytes(low.S, high.S) > 0;
  if (low && high && 'N' in low && 'N' in high) return Number(low.N) > Number(high.N);
  return false;
}

// DynamoDB orders text by its UTF-8 bytes, which is the order of code points.
function compareBytes(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const difference = left[at]!.codePointAt(0)! - right[at]!.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function leaves(condition: Condition): Leaf[] {
  return isGroup(condition) ? condition.parts.flatMap(leaves) : [condition];
}

function* leafProblems(leaf: Leaf, table: TableSchema | undefined): Generator<string> {
  for (const operand of [leaf.left, ...leaf.right]) {
    if (('path' in operand && !operand.path[0]) || ('size' in operand && !operand.size[0])) yield missingAttribute;
    if ('value' in operand) {
      const problem = valueProblem(operand.value);
      if (problem) yield problem;
    }
  }
  const name = 'path' in leaf.left ? showPath(leaf.left.path) : 'size' in leaf.left ? `size(${showPath(leaf.left.size)})` : 'the value';
  const type = typeOfOperand(leaf.left, table);
  if (type && !testsFor(type).includes(leaf.test)) yield `${leaf.test} is never true for ${name}: it is a ${typeTitles[type]}.`;
  const allowed = rightTypes(leaf.test, type);
  for (const operand of leaf.right) {
    const found = typeOfOperand(operand, table);
    if (found && !allowed.includes(found)) yield `${name} ${leaf.test} … can never match a ${typeTitles[found]}.`;
  }
  if (leaf.test === 'in' && (leaf.right.length < 1 || leaf.right.length > 100)) yield 'IN takes from 1 to 100 values.';
  const [low, high] = leaf.right;
  if (leaf.test === 'between' && low && high && 'value' in low && 'value' in high && isAbove(low.value, high.value)) {
    yield `${name}: the lower bound is above the upper one.`;
  }
  if ((leaf.test === 'attribute_exists' || leaf.test === 'attribute_not_exists' || leaf.test === 'attribute_type') && !('path' in leaf.left)) {
    yield `${leaf.test} takes an attribute, not a size.`;
  }
}

function* groupProblems(section: 'condition' | 'filter', group: Group, draft: Draft, table: TableSchema | undefined): Generator<Problem> {
  const keys = table && section === 'filter' && draft.operation === 'Query' ? keysFor(table, draft.index) : [];
  const held = table && section === 'filter' ? projected(table, draft.index) : null;
  for (const leaf of leaves(group)) {
    for (const message of leafProblems(leaf, table)) yield { section, message };
    for (const operand of [leaf.left, ...leaf.right]) {
      const name = 'path' in operand ? operand.path[0] : 'size' in operand ? operand.size[0] : undefined;
      if (typeof name !== 'string' || name === '') continue;
      if (keys.some((key) => key.name === name)) {
        yield { section, message: `A filter cannot name ${name}, because it is part of the key. Put it into the key condition.` };
      } else if (held && !held.has(name)) {
        yield { section, message: `${draft.index} does not hold ${name}, so the filter never sees it.`, warning: true };
      }
    }
  }
}

function overlap(paths: Path[]): [Path, Path] | null {
  for (const [position, a] of paths.entries()) {
    for (const b of paths.slice(position + 1)) {
      const length = Math.min(a.length, b.length);
      if (a.slice(0, length).every((part, at) => part === b[at])) return [a, b];
    }
  }
  return null;
}

function* setProblems(action: SetAction, table: TableSchema | undefined): Generator<string> {
  const name = showPath(action.path);
  const type = typeOfOperand(action.operand, table);
  if ('size' in action.operand) yield `${name}: size() is not allowed in SET.`;
  if ('path' in action.operand && !action.operand.path[0]) yield `${name}: the attribute to take from is missing.`;
  if (action.form === 'plus' || action.form === 'minus') {
    if (type && type !== 'N') yield `${name}: only numbers can be added or subtracted.`;
    if (action.fallback && !('N' in action.fallback)) yield `${name}: the start value must be a number.`;
  }
  if (action.form === 'append' || action.form === 'prepend') {
    if (type && type !== 'L') yield `${name}: list_append joins lists, so put the new element into a list.`;
    if (action.fallback && !('L' in action.fallback)) yield `${name}: the start value must be a list.`;
  }
  for (const value of ['value' in action.operand ? action.operand.value : undefined, action.fallback]) {
    const problem = value && valueProblem(value);
    if (problem) yield `${name}: ${problem}`;
  }
}

function* actionProblems(action: UpdateAction, table: TableSchema | undefined): Generator<string> {
  const [first] = action.path;
  if (!first) {
    yield missingAttribute;
    return;
  }
  const name = showPath(action.path);
  if (table?.keys.some((key) => key.name === first)) {
    yield `${String(first)} is part of the primary key, which cannot be changed. Put a new item and delete the old one.`;
  }
  const index = table?.indexes.find(({ keys }) => keys.some((key) => key.name === first));
  const indexKey = index?.keys.find((key) => key.name === first);
  if (action.action === 'SET') {
    yield* setProblems(action, table);
    if (indexKey && action.form === 'value' && 'value' in action.operand && typeOf(action.operand.value) !== indexKey.type) {
      yield `${name} is a key of ${index!.name} and must be a ${typeTitles[indexKey.type]}.`;
    }
  }
  if (action.action === 'ADD' || action.action === 'DELETE') {
    const type = typeOf(action.value);
    const allowed: TypeName[] = action.action === 'ADD' ? ['N', ...sets] : sets;
    if (!allowed.includes(type)) yield `${name}: ${action.action} takes ${action.action === 'ADD' ? 'a number or a set' : 'a set'}.`;
    const known = typeOfPath(action.path, table);
    if (known && known !== type) yield `${name} is a ${typeTitles[known]}; ${action.action} with a ${typeTitles[type]} fails.`;
    const problem = valueProblem(action.value);
    if (problem) yield `${name}: ${problem}`;
  }
}

function* updateProblems(draft: Draft, table: TableSchema | undefined): Generator<Problem> {
  const actions = draft.update ?? [];
  for (const action of actions) {
    for (const message of actionProblems(action, table)) yield { section: 'update', message };
  }
  const both = overlap(actions.map(({ path }) => path).filter((path) => path[0]));
  if (both) yield { section: 'update', message: `${showPath(both[0])} and ${showPath(both[1])} overlap: one update can touch a place only once.` };
  if (actions.length === 0) yield { section: 'update', message: 'Nothing is changed: this only creates the item if it is missing.', warning: true };
}

function* projectionProblems(draft: Draft, table: TableSchema | undefined): Generator<Problem> {
  const paths = draft.projection ?? [];
  if (paths.some((path) => !path[0])) yield { section: 'projection', message: missingAttribute };
  const both = overlap(paths.filter((path) => path[0]));
  if (both) yield { section: 'projection', message: `${showPath(both[0])} and ${showPath(both[1])} overlap: name each place once.` };
  const held = table && hasFilter(draft.operation) ? projected(table, draft.index) : null;
  const local = table?.indexes.find(({ name }) => name === draft.index)?.local;
  for (const [name] of paths) {
    if (!held || typeof name !== 'string' || name === '' || held.has(name)) continue;
    if (local) yield { section: 'projection', message: `${draft.index} does not hold ${name}: each item is read again from the table, which costs more.`, warning: true };
    else yield { section: 'projection', message: `${draft.index} does not hold ${name}. Add it to the index's projection, or read the items by key.` };
  }
}

function* itemProblems(draft: Draft, table: TableSchema | undefined): Generator<Problem> {
  const item = draft.item ?? {};
  for (const key of table?.keys ?? []) {
    const message = keyValueProblem(key, member(item, key.name));
    if (message) yield { section: 'item', message };
  }
  for (const [name, value] of Object.entries(item)) {
    const problem = valueProblem(value);
    if (problem) yield { section: 'item', message: `${name}: ${problem}` };
    if (name === '') yield { section: 'item', message: 'An attribute has no name.' };
    const index = table?.indexes.find(({ keys }) => keys.some((key) => key.name === name));
    const key = index?.keys.find((each) => each.name === name);
    if (key && typeOf(value) !== key.type) yield { section: 'item', message: `${name} is a key of ${index!.name} and must be a ${typeTitles[key.type]}.` };
  }
}

export function problemsOf(draft: Draft, table: TableSchema | undefined): Problem[] {
  const problems: Problem[] = [];
  const { operation } = draft;
  if (draft.table === '') problems.push({ section: 'table', message: 'Choose a table.' });
  if (table && (operation === 'Query' || hasWholeKey(operation))) problems.push(...keyProblems(draft, table));
  if (operation === 'PutItem') problems.push(...itemProblems(draft, table));
  if (hasCondition(operation) && draft.condition) problems.push(...groupProblems('condition', draft.condition, draft, table));
  if (hasFilter(operation) && draft.filter) problems.push(...groupProblems('filter', draft.filter, draft, table));
  if (operation === 'UpdateItem') problems.push(...updateProblems(draft, table));
  if (isRead(operation)) problems.push(...projectionProblems(draft, table));
  const index = table?.indexes.find(({ name }) => name === draft.index);
  if (isRead(operation) && draft.consistent && hasFilter(operation) && index && !index.local) {
    problems.push({ section: 'options', message: `${index.name} is a global index: it is eventually consistent and has no strongly consistent reads.` });
  }
  if (draft.limit !== undefined && (!Number.isInteger(draft.limit) || draft.limit < 1)) {
    problems.push({ section: 'options', message: 'Limit is a whole number from 1.' });
  }
  return problems;
}
