// A draft becomes the request that DynamoDB takes: expressions with placeholders, and what they stand for.
// This never fails; whether the request is legal is the business of legal.ts.
import type { AttributeValue, Item } from '../api/attribute_value.ts';
import type { Request } from '../api/dynamodb.ts';
import {
  hasCondition, hasFilter, hasWholeKey, isGroup, isRead, returnsFor,
  type Condition, type Draft, type Group, type KeyTest, type Operand, type Operation, type Path, type SetAction, type UpdateAction,
} from './draft.ts';
import { isReserved } from './reserved_words.ts';

export interface Compiled {
  operation: Operation;
  request: Request;
}

// Gives out placeholders: one for each name that cannot stand bare, one for each value.
class Placeholders {
  readonly names: Record<string, string> = {};
  readonly values: Item = {};

  name(name: string): string {
    if (/^[A-Za-z][A-Za-z0-9_]*$/.test(name) && !isReserved(name)) return name;
    for (const placeholder of candidates(`#${slug(name, 'n')}`)) {
      if ((this.names[placeholder] ??= name) === name) return placeholder;
    }
    return name;
  }

  path(path: Path): string {
    return path
      .map((part, position) =>
        typeof part === 'number' ? `[${part}]` : (position === 0 ? '' : '.') + this.name(part),
      )
      .join('');
  }

  // Called after the attribute that it is compared with, so that a reader can tell them apart.
  value(value: AttributeValue, about: Path): string {
    const last = about.filter((part) => typeof part === 'string').at(-1) ?? 'v';
    const text = JSON.stringify(value);
    for (const placeholder of candidates(`:${slug(String(last), 'v')}`)) {
      if (JSON.stringify((this.values[placeholder] ??= value)) === text) return placeholder;
    }
    return '';
  }

  operand(operand: Operand, about: Path): string {
    if ('path' in operand) return this.path(operand.path);
    if ('size' in operand) return `size(${this.path(operand.size)})`;
    return this.value(operand.value, about);
  }
}

function slug(name: string, otherwise: string): string {
  const text = name.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^_+|_+$/g, '');
  return text === '' ? otherwise : text;
}

function* candidates(first: string): Generator<string> {
  yield first;
  for (let number = 2; ; number += 1) yield `${first}_${number}`;
}

function aboutOf(operand: Operand): Path {
  if ('path' in operand) return operand.path;
  return 'size' in operand ? [...operand.size, 'size'] : ['v'];
}

function conditionText(condition: Condition, placeholders: Placeholders): string {
  if (isGroup(condition)) return groupText(condition, placeholders);
  const about = aboutOf(condition.left);
  const left = placeholders.operand(condition.left, about);
  const right = condition.right.map((operand) => placeholders.operand(operand, about));
  return (condition.not ? 'NOT ' : '') + testText(condition.test, left, right);
}

function testText(test: string, left: string, right: string[]): string {
  switch (test) {
    case 'between': return `${left} BETWEEN ${right[0]} AND ${right[1]}`;
    case 'in': return `${left} IN (${right.join(', ')})`;
    case 'attribute_exists':
    case 'attribute_not_exists': return `${test}(${left})`;
    case 'attribute_type':
    case 'begins_with':
    case 'contains': return `${test}(${left}, ${right[0]})`;
    default: return `${left} ${test} ${right[0]}`;
  }
}

// A group inside a group stands in parentheses, so that nobody needs to know which of AND and OR binds tighter.
function groupText(group: Group, placeholders: Placeholders): string {
  const parts = group.parts
    .map((part) => {
      const text = conditionText(part, placeholders);
      return isGroup(part) && !part.not && countOf(part) > 1 ? `(${text})` : text;
    })
    .filter((text) => text !== '');
  const text = parts.join(` ${group.join} `);
  return group.not && text !== '' ? `NOT (${text})` : text;
}

function countOf(group: Group): number {
  return group.parts.filter((part) => !isGroup(part) || countOf(part) > 0).length;
}

function keyConditionText(key: KeyTest[], placeholders: Placeholders): string {
  return key
    .map(({ name, test, values }) =>
      testText(test, placeholders.name(name), values.map((value) => placeholders.value(value, [name]))),
    )
    .join(' AND ');
}

function setText(action: SetAction, placeholders: Placeholders): string {
  const { path, form, operand, fallback } = action;
  const source = placeholders.path(action.from ?? path);
  const base = fallback ? `if_not_exists(${source}, ${placeholders.value(fallback, [...path, 'start'])})` : source;
  const term = placeholders.operand(operand, path);
  const target = placeholders.path(path);
  switch (form) {
    case 'value': return `${target} = ${term}`;
    case 'plus': return `${target} = ${base} + ${term}`;
    case 'minus': return `${target} = ${base} - ${term}`;
    case 'if_not_exists': return `${target} = if_not_exists(${source}, ${term})`;
    case 'append': return `${target} = list_append(${base}, ${term})`;
    case 'prepend': return `${target} = list_append(${term}, ${base})`;
  }
}

function updateText(actions: UpdateAction[], placeholders: Placeholders): string {
  return (['SET', 'REMOVE', 'ADD', 'DELETE'] as const)
    .map((clause) => {
      const parts = actions
        .filter((action) => action.action === clause)
        .map((action) => {
          if (action.action === 'SET') return setText(action, placeholders);
          const path = placeholders.path(action.path);
          return action.action === 'REMOVE' ? path : `${path} ${placeholders.value(action.value, action.path)}`;
        });
      return parts.length ? `${clause} ${parts.join(', ')}` : '';
    })
    .filter((text) => text !== '')
    .join(' ');
}

export function wholeKey(draft: Draft): Item {
  return Object.fromEntries(draft.key.flatMap(({ name, values }) => (values[0] ? [[name, values[0]]] : [])));
}

export function compile(draft: Draft): Compiled {
  const { operation } = draft;
  const placeholders = new Placeholders();
  const request: Request = { TableName: draft.table };
  const put = (name: string, text: string) => {
    if (text !== '') request[name] = text;
  };
  if (hasFilter(operation) && draft.index) request['IndexName'] = draft.index;
  if (hasWholeKey(operation)) request['Key'] = wholeKey(draft);
  if (operation === 'PutItem') request['Item'] = draft.item ?? {};
  if (operation === 'Query') put('KeyConditionExpression', keyConditionText(draft.key, placeholders));
  if (operation === 'UpdateItem') put('UpdateExpression', updateText(draft.update ?? [], placeholders));
  if (hasFilter(operation) && draft.filter) put('FilterExpression', groupText(draft.filter, placeholders));
  if (hasCondition(operation) && draft.condition) {
    put('ConditionExpression', groupText(draft.condition, placeholders));
  }
  if (isRead(operation)) {
    put('ProjectionExpression', (draft.projection ?? []).map((path) => placeholders.path(path)).join(', '));
  }
  if (Object.keys(placeholders.names).length) request['ExpressionAttributeNames'] = placeholders.names;
  if (Object.keys(placeholders.values).length) request['ExpressionAttributeValues'] = placeholders.values;
  if (isRead(operation) && draft.consistent) request['ConsistentRead'] = true;
  if (operation === 'Query' && draft.descending) request['ScanIndexForward'] = false;
  if (hasFilter(operation) && draft.limit) request['Limit'] = draft.limit;
  if (draft.returns && draft.returns !== 'NONE' && returnsFor(operation).includes(draft.returns)) request['ReturnValues'] = draft.returns;
  return { operation, request };
}
