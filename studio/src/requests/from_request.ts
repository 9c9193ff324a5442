// A request that was sent, as a draft for Build: the way back from `compile`. Null for what the form has no place for.
import { emptyRecord, member, type AttributeValue, type Item } from '../api/attribute_value.ts';
import type { Request } from '../api/dynamodb.ts';
import type { Draft, KeyTest, KeyTestName } from './draft.ts';

const part = /^(?:begins_with\s*\(\s*(\S+?)\s*,\s*(:\w+)\s*\)|(\S+)\s+BETWEEN\s+(:\w+)\s+AND\s+(:\w+)|(\S+?)\s*(<=|>=|=|<|>)\s*(:\w+))(?:\s+AND\s+|$)/i;

// "PK = :pk AND begins_with(SK, :sk)".
function keyOf(text: string, names: Record<string, string>, values: Item): KeyTest[] | null {
  const found: KeyTest[] = [];
  for (let rest = text.trim(); rest !== ''; ) {
    const [whole, prefixed, prefix, between, from, to, compared, test, value] = part.exec(rest) ?? [];
    if (whole === undefined) return null;
    const name = prefixed ?? between ?? compared!;
    const held = [prefix ?? from ?? value, to].filter((one) => one !== undefined).map((one) => member(values, one));
    if (held.some((one) => one === undefined)) return null;
    found.push({ name: member(names, name) ?? name, test: (prefixed ? 'begins_with' : between ? 'between' : test) as KeyTestName, values: held as AttributeValue[] });
    rest = rest.slice(whole.length);
  }
  return found;
}

const unknown = ['FilterExpression', 'ProjectionExpression', 'Segment', 'Select', 'ConditionExpression', 'UpdateExpression'];

export function draftOf(operation: string, request: Request): Draft | null {
  if (unknown.some((name) => request[name] !== undefined)) return null;
  const table = String(request['TableName'] ?? '');
  const consistent = request['ConsistentRead'] === true ? { consistent: true } : {};
  if (operation === 'GetItem') {
    return { operation, table, key: Object.entries(request['Key'] as Item).map(([name, value]) => ({ name, test: '=', values: [value] })), ...consistent };
  }
  if (operation === 'PutItem') return { operation, table, key: [], item: request['Item'] as Item };
  if (operation !== 'Query' && operation !== 'Scan') return null;
  const names = (request['ExpressionAttributeNames'] as Record<string, string> | undefined) ?? emptyRecord<string>();
  const key = keyOf(String(request['KeyConditionExpression'] ?? ''), names, (request['ExpressionAttributeValues'] as Item | undefined) ?? {});
  if (!key) return null;
  return {
    operation, table, key, ...consistent,
    ...(request['IndexName'] ? { index: String(request['IndexName']) } : {}),
    ...(request['ScanIndexForward'] === false ? { descending: true } : {}),
    ...(request['Limit'] ? { limit: Number(request['Limit']) } : {}),
  };
}
