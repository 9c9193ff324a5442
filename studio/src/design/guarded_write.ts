// Requests that change one item without losing what somebody else wrote in the meantime: each
// carries the condition that what it replaces is still as it was read.
import type { AttributeValue, Item } from '../api/attribute_value.ts';
import type { Request } from '../api/dynamodb.ts';

export interface GuardedWrite {
  operation: 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'TransactWriteItems';
  request: Request;
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

// A new item; refused if its key is taken.
export function putNew(table: string, keys: string[], item: Item): GuardedWrite {
  return { operation: 'PutItem', request: putNewRequest(table, keys, item) };
}

function putNewRequest(table: string, keys: string[], item: Item): Request {
  const places = new Placeholders();
  const condition = `attribute_not_exists(${places.name(keys[0]!)})`;
  return { TableName: table, Item: item, ConditionExpression: condition, ...places.fields };
}

export function deleteOld(table: string, keys: string[], old: Item): GuardedWrite {
  return { operation: 'DeleteItem', request: deleteOldRequest(table, keys, old) };
}

function deleteOldRequest(table: string, keys: string[], old: Item): Request {
  const places = new Placeholders();
  const rest = Object.keys(old).filter((name) => !keys.includes(name));
  const conditions = [
    `attribute_exists(${places.name(keys[0]!)})`,
    ...rest.map((name) => `${places.name(name)} = ${places.value(old[name]!)}`),
  ];
  return {
    TableName: table,
    Key: pick(old, keys),
    ConditionExpression: conditions.join(' AND '),
    ...places.fields,
  };
}

// What turns `old` into `next`. Attributes that stay are not written, so that another writer's
// change to them stays too. A changed key means a move: delete and put in one transaction. Null if
// nothing changes.
export function replaceOld(table: string, keys: string[], old: Item, next: Item): GuardedWrite | null {
  if (keys.some((name) => !same(old[name], next[name]))) {
    const steps = [
      { Delete: deleteOldRequest(table, keys, old) },
      { Put: putNewRequest(table, keys, next) },
    ];
    return { operation: 'TransactWriteItems', request: { TransactItems: steps } };
  }
  const places = new Placeholders();
  const sets: string[] = [];
  const removes: string[] = [];
  const conditions = [`attribute_exists(${places.name(keys[0]!)})`];
  for (const name of new Set([...Object.keys(old), ...Object.keys(next)])) {
    if (same(old[name], next[name])) continue;
    const place = places.name(name);
    conditions.push(old[name] ? `${place} = ${places.value(old[name])}` : `attribute_not_exists(${place})`);
    if (next[name]) sets.push(`${place} = ${places.value(next[name])}`);
    else removes.push(place);
  }
  if (sets.length + removes.length === 0) return null;
  const update = [
    sets.length > 0 ? `SET ${sets.join(', ')}` : '',
    removes.length > 0 ? `REMOVE ${removes.join(', ')}` : '',
  ];
  const request: Request = {
    TableName: table,
    Key: pick(old, keys),
    UpdateExpression: update.join(' ').trim(),
    ConditionExpression: conditions.join(' AND '),
    ...places.fields,
  };
  return { operation: 'UpdateItem', request };
}

function pick(item: Item, names: string[]): Item {
  return Object.fromEntries(names.map((name) => [name, item[name]!]));
}

// Equal as DynamoDB sees it, apart from the order of a set's members.
export function same(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([x], [y]) => (x < y ? -1 : 1)))
      : part,
  );
}
