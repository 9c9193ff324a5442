// Requests that change one item without losing what somebody else wrote in the meantime: each
// carries the condition that what it replaces is still as it was read.
import { member, type AttributeValue, type Item } from '../api/attribute_value.ts';
import type { Request } from '../api/dynamodb.ts';

export interface GuardedWrite {
  operation: 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'TransactWriteItems';
  request: Request;
}

// One request for all writes, and to which of them each of its parts belongs: a move has two. A transaction gives nothing back.
export function transactionOf(writes: GuardedWrite[]): { write: GuardedWrite; owners: number[] } {
  const kinds = { PutItem: 'Put', UpdateItem: 'Update', DeleteItem: 'Delete' };
  const owners: number[] = [];
  const parts = writes.flatMap(({ operation, request }, owner) => {
    const { ReturnValues: _, ...rest } = request;
    const own = operation === 'TransactWriteItems' ? (request['TransactItems'] as Request[]) : [{ [kinds[operation]]: rest }];
    owners.push(...own.map(() => owner));
    return own;
  });
  return { write: { operation: 'TransactWriteItems', request: { TransactItems: parts } }, owners };
}

// Placeholders for every name and value: attribute names may be reserved words or have hyphens.
class Placeholders {
  private readonly names = new Map<string, string>();
  private readonly values: Record<string, AttributeValue> = {};
  private valueCount = 0;

  name(attribute: string): string {
    const known = this.names.get(attribute);
    if (known) return known;
    const placeholder = `#n${this.names.size}`;
    this.names.set(attribute, placeholder);
    return placeholder;
  }

  value(value: AttributeValue): string {
    const placeholder = `:v${this.valueCount++}`;
    this.values[placeholder] = value;
    return placeholder;
  }

  get fields(): Request {
    const names = Object.fromEntries([...this.names].map(([name, placeholder]) => [placeholder, name]));
    return {
      ExpressionAttributeNames: names,
      ...(this.valueCount > 0 ? { ExpressionAttributeValues: this.values } : {}),
    };
  }
}

// A condition takes 300 operators, and each comparison needs two of them. An item with more attributes is compared in part.
const comparedMax = 100;

export interface Change {
  name: string;
  before?: AttributeValue; // Absent: the attribute was missing.
  after?: AttributeValue; // Absent: the attribute goes.
}

export function changeOf(name: string, before: AttributeValue | undefined, after: AttributeValue | undefined): Change {
  return { name, ...(before ? { before } : {}), ...(after ? { after } : {}) };
}

// The changes that make `next` of `old`, by the names of the attributes.
export function changesBetween(old: Item, next: Item): Change[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])].sort();
  return names
    .map((name) => changeOf(name, member(old, name), member(next, name)))
    .filter(({ before, after }) => !same(before, after));
}

// A new item; refused if its key is taken.
export function putNew(table: string, keys: string[], item: Item): GuardedWrite {
  return { operation: 'PutItem', request: putNewRequest(table, keys, item) };
}

function putNewRequest(table: string, keys: string[], item: Item): Request {
  const places = new Placeholders();
  const condition = `attribute_not_exists(${places.name(keys[0]!)})`;
  return { TableName: table, Item: item, ConditionExpression: condition, ...places.fields };
}

// A refusal gives back what is stored.
export function deleteOld(table: string, keys: string[], old: Item): GuardedWrite {
  const request = { ...deleteOldRequest(table, keys, old), ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
  return { operation: 'DeleteItem', request };
}

function deleteOldRequest(table: string, keys: string[], old: Item): Request {
  const places = new Placeholders();
  const rest = Object.keys(old).filter((name) => !keys.includes(name));
  const condition = asItWas(places, keys, rest.map((name) => changeOf(name, old[name], undefined)));
  return { TableName: table, Key: pick(old, keys), ConditionExpression: condition, ...places.fields };
}

function asItWas(places: Placeholders, keys: string[], changes: Change[]): string {
  const conditions = changes
    .slice(0, comparedMax)
    .map(({ name, before }) => (before ? `${places.name(name)} = ${places.value(before)}` : `attribute_not_exists(${places.name(name)})`));
  return [`attribute_exists(${places.name(keys[0]!)})`, ...conditions].join(' AND ');
}

// These changes of one item and no others, so that another writer's change to the rest of it stays. None of them is of a
// key. The answer is the new item; a refusal gives back what is stored.
export function updateOld(table: string, keys: string[], old: Item, changes: Change[]): GuardedWrite {
  const places = new Placeholders();
  const condition = asItWas(places, keys, changes);
  const sets = changes.flatMap(({ name, after }) => (after ? [`${places.name(name)} = ${places.value(after)}`] : []));
  const removes = changes.filter(({ after }) => !after).map(({ name }) => places.name(name));
  const clauses = [sets.length > 0 ? `SET ${sets.join(', ')}` : '', removes.length > 0 ? `REMOVE ${removes.join(', ')}` : ''];
  const request: Request = {
    TableName: table,
    Key: pick(old, keys),
    UpdateExpression: clauses.join(' ').trim(),
    ConditionExpression: condition,
    ...places.fields,
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
  return { operation: 'UpdateItem', request };
}

// The write that turns `old` into `next`. A changed key means a move: delete and put in one transaction. Null if nothing changes.
export function replaceOld(table: string, keys: string[], old: Item, next: Item): GuardedWrite | null {
  const changes = changesBetween(old, next);
  if (changes.length === 0) return null;
  if (!changes.some(({ name }) => keys.includes(name))) return updateOld(table, keys, old, changes);
  const steps = [{ Delete: deleteOldRequest(table, keys, old) }, { Put: putNewRequest(table, keys, next) }];
  return { operation: 'TransactWriteItems', request: { TransactItems: steps } };
}

function pick(item: Item, names: string[]): Item {
  return Object.fromEntries(names.map((name) => [name, item[name]!]));
}

// Equal as DynamoDB sees it: sets have no order, and map members neither.
export function same(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: AttributeValue | undefined): string {
  if (!value) return '';
  if ('M' in value) {
    const members = Object.keys(value.M).sort();
    return `M{${members.map((name) => `${JSON.stringify(name)}:${canonical(value.M[name])}`).join()}}`;
  }
  if ('L' in value) return `L[${value.L.map(canonical).join()}]`;
  if ('SS' in value || 'NS' in value || 'BS' in value) {
    const [type, texts] = Object.entries(value)[0] as [string, string[]];
    return type + JSON.stringify([...texts].sort());
  }
  return JSON.stringify(value);
}
