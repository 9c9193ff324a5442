// boto3's client. It keeps the types as DynamoDB has them, so that a number of 38 digits arrives whole.
import type { AttributeValue } from '../../api/attribute_value.ts';
import { anyCredentials, fieldsOf, holdsBytes, isBatch, leftOf, literal, quoted, readsPages, togetherNotes, usesBytes, type Emit, type EmitTogether, type Field, type Literals } from './emitted.ts';

const bytes = (base64: string) => `b64decode(${quoted(base64)})`;
const list = (parts: string[]) => `[${parts.join(', ')}]`;
const flag = (value: boolean) => (value ? 'True' : 'False');

function valueText(value: AttributeValue, margin: string): string {
  if ('S' in value) return `{"S": ${quoted(value.S)}}`;
  if ('N' in value) return `{"N": ${quoted(value.N)}}`;
  if ('B' in value) return `{"B": ${bytes(value.B)}}`;
  if ('BOOL' in value) return `{"BOOL": ${flag(value.BOOL)}}`;
  if ('NULL' in value) return '{"NULL": True}';
  if ('M' in value) return `{"M": ${mapText(Object.entries(value.M), valueText, margin)}}`;
  if ('L' in value) return `{"L": ${list(value.L.map((part) => valueText(part, margin)))}}`;
  if ('SS' in value) return `{"SS": ${list(value.SS.map(quoted))}}`;
  if ('NS' in value) return `{"NS": ${list(value.NS.map(quoted))}}`;
  return `{"BS": ${list(value.BS.map(bytes))}}`;
}

function mapText<Part>(entries: [string, Part][], write: (part: Part, margin: string) => string, margin: string): string {
  if (entries.length === 0) return '{}';
  const inner = `${margin}    `;
  return `{\n${entries.map(([name, part]) => `${inner}${quoted(name)}: ${write(part, inner)},\n`).join('')}${margin}}`;
}

function fieldText(field: Field): string {
  switch (field.kind) {
    case 'item': return mapText(Object.entries(field.value), valueText, '    ');
    case 'names': return mapText(Object.entries(field.value), quoted, '    ');
    case 'flag': return flag(field.value);
    case 'number': return String(field.value);
    default: return quoted(field.value);
  }
}

const methods = {
  Query: 'query', Scan: 'scan', GetItem: 'get_item', PutItem: 'put_item', UpdateItem: 'update_item', DeleteItem: 'delete_item',
};

export const emitBoto3: Emit = (draft, { operation, request }, { endpoint, region }) => {
  const settings = [`"dynamodb"`, `region_name=${quoted(region)}`, ...(endpoint ? [`endpoint_url=${quoted(endpoint)}`] : [])];
  const parameters = fieldsOf(request).map((field) => `    ${field.name}=${fieldText(field)},\n`).join('');
  const body = readsPages(draft)
    ? `for page in dynamodb.get_paginator(${quoted(methods[operation])}).paginate(\n${parameters}):\n    for item in page["Items"]:\n        print(item)\n`
    : `response = dynamodb.${methods[operation]}(\n${parameters})\nprint(response)\n`;
  return {
    code: `${usesBytes(request) ? 'from base64 import b64decode\n\n' : ''}import boto3

dynamodb = boto3.client(${settings.join(', ')})
${body}`,
    notes: endpoint ? [anyCredentials] : [],
  };
};

const whole = (part: string) => part;
const literals: Literals = {
  item: (item, margin) => mapText(Object.entries(item), valueText, margin),
  map: (entries, margin) => mapText(entries, whole, margin),
  list: (parts, margin) => `[\n${parts.map((part) => `${margin}    ${part},\n`).join('')}${margin}]`,
  text: quoted,
  flag,
  step: '    ',
};

const togetherMethods = {
  BatchGetItem: 'batch_get_item', TransactGetItems: 'transact_get_items', BatchWriteItem: 'batch_write_item', TransactWriteItems: 'transact_write_items',
};

export const emitBoto3Together: EmitTogether = ({ operation, request }, target) => {
  const settings = [`"dynamodb"`, `region_name=${quoted(target.region)}`, ...(target.endpoint ? [`endpoint_url=${quoted(target.endpoint)}`] : [])];
  const method = `dynamodb.${togetherMethods[operation]}`;
  const body = isBatch(operation)
    ? `left = ${literal(literals, request['RequestItems'], '')}
while left:
    response = ${method}(RequestItems=left)
    print(response)
    left = response.get("${leftOf[operation]}")
`
    : `response = ${method}(\n    TransactItems=${literal(literals, request['TransactItems'], '    ')},\n)\nprint(response)\n`;
  return {
    code: `${holdsBytes(request) ? 'from base64 import b64decode\n\n' : ''}import boto3\n\ndynamodb = boto3.client(${settings.join(', ')})\n${body}`,
    notes: togetherNotes(operation, target),
  };
};
