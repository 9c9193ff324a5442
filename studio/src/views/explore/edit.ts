// Changes of an item that lose nobody's work: each write holds only if what it replaces is still what was shown.
import type { AttributeValue, Item } from '../../api/attribute_value.ts';
import type { KeyElement, Request } from '../../api/dynamodb.ts';

export interface Change {
  name: string;
  before?: AttributeValue; // Absent: the attribute was missing.
  after?: AttributeValue; // Absent: the attribute goes.
}

const same = (a: AttributeValue | undefined, b: AttributeValue | undefined) => canonical(a) === canonical(b);

// Sets have no order, and map members neither.
function canonical(value: AttributeValue | undefined): string {
  if (!value) return '';
  if ('M' in value) {
    return `M{${Object.keys(value.M).sort().map((name) => `${JSON.stringify(name)}:${canonical(value.M[name])}`).join()}}`;
  }
  if ('L' in value) return `L[${value.L.map(canonical).join()}]`;
  if ('SS' in value || 'NS' in value || 'BS' in value) {
    const [type, members] = Object.entries(value)[0] as [string, string[]];
    return type + JSON.stringify([...members].sort());
  }
  return JSON.stringify(value);
}

export function changesBetween(before: Item, after: Item): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names
    .filter((name) => !same(before[name], after[name]))
    .map((name) => ({
      name,
      ...(before[name] ? { before: before[name] } : {}),
      ...(after[name] ? { after: after[name] } : {}),
    }));
}

const keyFrom = (item: Item, schema: KeyElement[]): Item =>
  Object.fromEntries(schema.map(({ AttributeName: name }) => [name, item[name]!]));

// The key attributes that a change touches; they cannot be changed.
export function changedKeys(changes: Change[], schema: KeyElement[]): string[] {
  return changes.map(({ name }) => name).filter((name) => schema.some(({ AttributeName }) => AttributeName === name));
}

// UpdateItem for these changes: it fails with the stored item if one of the old values is no longer there.
export function updateRequest(table: string, schema: KeyElement[], item: Item, changes: Change[]): Request {
  const names: Record<string, string> = { '#key': schema[0]!.AttributeName };
  const values: Item = {};
  const sets: string[] = [];
  const removes: string[] = [];
  const conditions = ['attribute_exists(#key)'];
  for (const [at, { name, before, after }] of changes.entries()) {
    names[`#a${at}`] = name;
    if (after) {
      values[`:new${at}`] = after;
      sets.push(`#a${at} = :new${at}`);
    } else removes.push(`#a${at}`);
    if (before) {
      values[`:old${at}`] = before;
      conditions.push(`#a${at} = :old${at}`);
    } else conditions.push(`attribute_not_exists(#a${at})`);
  }
  const update = [sets.length ? `SET ${sets.join(', ')}` : '', removes.length ? `REMOVE ${removes.join(', ')}` : ''].filter(Boolean).join(' ');
  return {
    TableName: table,
    Key: keyFrom(item, schema),
    UpdateExpression: update,
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: names,
    ...(Object.keys(values).length ? { ExpressionAttributeValues: values } : {}),
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}

export function insertRequest(table: string, schema: KeyElement[], item: Item): Request {
  return {
    TableName: table,
    Item: item,
    ConditionExpression: 'attribute_not_exists(#key)',
    ExpressionAttributeNames: { '#key': schema[0]!.AttributeName },
  };
}

// A condition has room for so many comparisons; an item with more attributes is compared in part.
const comparedMax = 100;

// DeleteItem that fails if the item is no longer as it was shown.
export function deleteRequest(table: string, schema: KeyElement[], item: Item): Request {
  const names: Record<string, string> = { '#key': schema[0]!.AttributeName };
  const values: Item = {};
  const conditions = ['attribute_exists(#key)'];
  const others = Object.entries(item).filter(([name]) => !schema.some(({ AttributeName }) => AttributeName === name));
  for (const [at, [name, value]] of others.slice(0, comparedMax).entries()) {
    names[`#a${at}`] = name;
    values[`:old${at}`] = value;
    conditions.push(`#a${at} = :old${at}`);
  }
  return {
    TableName: table,
    Key: keyFrom(item, schema),
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: names,
    ...(others.length ? { ExpressionAttributeValues: values } : {}),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}
