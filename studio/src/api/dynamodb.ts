// The DynamoDB API, as any SDK speaks it. The studio has no other way to the data.
import { emptyRecord, member, type AttributeValue, type Item } from './attribute_value.ts';
import { reach } from './reach.ts';
import { countUnits, leaveToScan, whereTo, withUnits } from './remote.ts';

export interface KeyElement {
  AttributeName: string;
  KeyType: 'HASH' | 'RANGE';
}

export interface IndexDescription {
  IndexName: string;
  KeySchema: KeyElement[];
  Projection: { ProjectionType: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'; NonKeyAttributes?: string[] };
  IndexStatus?: string;
  ItemCount?: number;
  IndexSizeBytes?: number;
}

export interface TableDescription {
  TableName: string;
  TableStatus: string;
  KeySchema: KeyElement[];
  AttributeDefinitions: { AttributeName: string; AttributeType: 'S' | 'N' | 'B' }[];
  GlobalSecondaryIndexes?: IndexDescription[];
  LocalSecondaryIndexes?: IndexDescription[];
  ItemCount?: number;
  TableSizeBytes?: number;
}

export interface ConsumedCapacity {
  TableName: string;
  CapacityUnits: number;
  ReadCapacityUnits?: number;
  WriteCapacityUnits?: number;
  // With ReturnConsumedCapacity=INDEXES.
  Table?: { CapacityUnits: number };
  GlobalSecondaryIndexes?: Record<string, { CapacityUnits: number }>;
  LocalSecondaryIndexes?: Record<string, { CapacityUnits: number }>;
}

export interface Page {
  Items?: Item[];
  Count: number;
  ScannedCount: number;
  LastEvaluatedKey?: Item;
  ConsumedCapacity?: ConsumedCapacity;
}

// An error that the service gave. `code` is the exception's name, such as
// ConditionalCheckFailedException.
export class DynamoDbError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly body: Record<string, unknown>,
  ) {
    super(message);
    this.name = code;
  }
}

export type Request = Record<string, unknown>;

// Throws DynamoDbError, or Unreachable.
export async function call<Answer = Record<string, unknown>>(
  operation: string,
  request: Request,
  signal?: AbortSignal,
): Promise<Answer> {
  const there = await whereTo();
  if (there && operation === 'Scan') await leaveToScan(request);
  const response = await reach(there ? '/remote' : '/', {
    method: 'POST',
    headers: {
      'Content-Type': there ? 'application/json' : 'application/x-amz-json-1.0',
      'X-Amz-Target': `DynamoDB_20120810.${operation}`,
      // The server checks no signature unless told to; the header's shape is what SDKs send.
      Authorization:
        'AWS4-HMAC-SHA256 Credential=studio/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0',
      'X-Amz-Date': new Date().toISOString().replace(/[-:]|\.\d+/g, ''),
    },
    body: JSON.stringify(there ? withUnits(operation, request) : request),
    ...(signal ? { signal } : {}),
  });
  const body = (await response.json()) as Record<string, unknown>;
  if (there) countUnits(operation, body);
  if (response.ok) return body as Answer;
  const code = String(body['__type'] ?? 'Error').replace(/^.*#/, '');
  throw new DynamoDbError(code, String(body['message'] ?? body['Message'] ?? code), body);
}

export async function listTables(): Promise<string[]> {
  const names: string[] = [];
  let start: string | undefined;
  do {
    const answer = await call<{ TableNames: string[]; LastEvaluatedTableName?: string }>(
      'ListTables',
      start ? { ExclusiveStartTableName: start } : {},
    );
    names.push(...answer.TableNames);
    start = answer.LastEvaluatedTableName;
  } while (start);
  return names;
}

export async function describeTable(name: string): Promise<TableDescription> {
  return (await call<{ Table: TableDescription }>('DescribeTable', { TableName: name })).Table;
}

// Every page of a Query or Scan, one after the other.
export async function* pages(
  operation: 'Query' | 'Scan',
  request: Request,
  signal?: AbortSignal,
): AsyncGenerator<Page> {
  let start: Item | undefined;
  do {
    const page: Page = await call<Page>(
      operation,
      start ? { ...request, ExclusiveStartKey: start } : request,
      signal,
    );
    yield page;
    start = page.LastEvaluatedKey;
  } while (start);
}

export function keyNames(schema: KeyElement[]): string[] {
  return [...schema]
    .sort((a, b) => a.KeyType.localeCompare(b.KeyType))
    .map((element) => element.AttributeName);
}

// The attributes of `item` that a key consists of; null if one is missing.
export function keyOf(item: Item, schema: KeyElement[]): Record<string, AttributeValue> | null {
  const key: Item = emptyRecord();
  for (const { AttributeName: name } of schema) {
    const value = member(item, name);
    if (!value) return null;
    key[name] = value;
  }
  return key;
}
