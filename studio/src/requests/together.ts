// Several requests as one: a batch, which is one trip to the server, or a transaction, which is all or nothing.
import type { Request } from '../api/dynamodb.ts';
import { isRead, type Draft } from './draft.ts';
import { shellQuoted } from './emit/emit_cli.ts';
import { compile } from './request.ts';

export type Form = 'BatchGetItem' | 'TransactGetItems' | 'BatchWriteItem' | 'TransactWriteItems';

export interface Together {
  operation: Form;
  request: Request;
}

// The forms in which `drafts` can go as one request, the usual form first; or why none can.
export function formsFor(drafts: Draft[]): { forms: Form[]; why: string } {
  if (drafts.length === 0) return { forms: [], why: '' };
  const reads = drafts.filter(({ operation }) => operation === 'GetItem').length;
  if (drafts.some(({ operation }) => operation === 'Query' || operation === 'Scan')) return { forms: [], why: 'A Query or a Scan goes alone.' };
  if (reads === drafts.length) return { forms: ['BatchGetItem', 'TransactGetItems'], why: '' };
  if (reads > 0) return { forms: [], why: 'Reads and writes cannot go in one request.' };
  const plain = drafts.every(({ operation, condition }) => operation !== 'UpdateItem' && !condition);
  return plain
    ? { forms: ['TransactWriteItems', 'BatchWriteItem'], why: '' }
    : { forms: ['TransactWriteItems'], why: 'A batch knows no updates and no conditions, so it is a transaction.' };
}

export const canJoin = (draft: Draft) => !isRead(draft.operation) || draft.operation === 'GetItem';

export function combine(drafts: Draft[], form: Form): Together {
  const parts = drafts.map((draft) => ({ draft, request: compile(draft).request }));
  const of = (pick: (request: Request, draft: Draft) => Request) => parts.map(({ draft, request }) => pick(request, draft));
  if (form === 'TransactGetItems') {
    return { operation: form, request: { TransactItems: of(({ ConsistentRead: _, ...get }) => ({ Get: get })) } };
  }
  if (form === 'TransactWriteItems') {
    const kinds: Record<string, string> = { PutItem: 'Put', UpdateItem: 'Update', DeleteItem: 'Delete' };
    return { operation: form, request: { TransactItems: of(({ ReturnValues: _, ...write }, { operation }) => ({ [kinds[operation]!]: write })) } };
  }
  const tables = [...new Set(drafts.map(({ table }) => table))];
  const own = (table: string) => parts.filter(({ draft }) => draft.table === table);
  if (form === 'BatchWriteItem') {
    const writes = (table: string) =>
      own(table).map(({ draft, request }) => (draft.operation === 'PutItem' ? { PutRequest: { Item: request['Item'] } } : { DeleteRequest: { Key: request['Key'] } }));
    return { operation: form, request: { RequestItems: Object.fromEntries(tables.map((table) => [table, writes(table)])) } };
  }
  const keys = (table: string) => ({
    Keys: own(table).map(({ request }) => request['Key']),
    ...(own(table).some(({ draft }) => draft.consistent) ? { ConsistentRead: true } : {}),
  });
  return { operation: form, request: { RequestItems: Object.fromEntries(tables.map((table) => [table, keys(table)])) } };
}

const kebab = (name: string) => name.replace(/(?!^)([A-Z])/g, '-$1').toLowerCase();

export const codeTitles = { json: 'JSON', javascript: 'JavaScript', python: 'Python', cli: 'AWS CLI' };
export type CodeName = keyof typeof codeTitles;

export function codeOf({ operation, request }: Together, language: CodeName, endpoint: string): string {
  const text = JSON.stringify(request, null, 2);
  switch (language) {
    case 'json': return text;
    case 'cli': return `aws dynamodb ${kebab(operation)} --endpoint-url ${endpoint} --region us-east-1 \\\n  --cli-input-json ${shellQuoted(text)}\n`;
    case 'javascript':
      return `import { DynamoDBClient, ${operation}Command } from '@aws-sdk/client-dynamodb';\n\nconst client = new DynamoDBClient({ region: 'us-east-1', endpoint: '${endpoint}' });\nconst response = await client.send(new ${operation}Command(${text}));\nconsole.dir(response, { depth: null });\n`;
    case 'python': {
      const python = text.replace(/(?<=: |\[\s*)(true|false|null)(?=[,\n])/g, (word) => ({ true: 'True', false: 'False', null: 'None' })[word]!);
      return `import boto3\n\nclient = boto3.client("dynamodb", region_name="us-east-1", endpoint_url="${endpoint}")\nresponse = client.${kebab(operation).replace(/-/g, '_')}(**${python})\nprint(response)\n`;
    }
  }
}
