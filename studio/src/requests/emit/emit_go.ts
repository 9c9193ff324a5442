// The AWS SDK for Go v2, as a program. Laid out as gofmt does.
import type { AttributeValue, Item } from '../../api/attribute_value.ts';
import type { Request } from '../../api/dynamodb.ts';
import { anyCredentials, fieldsOf, holdsBytes, isBatch, leftOf, quoted, readsPages, togetherNotes, usesBytes, type Emit, type EmitTogether, type Field, type Target } from './emitted.ts';

const bytes = (base64: string) => `fromBase64(${quoted(base64)})`;
const list = (type: string, parts: string[]) => `[]${type}{${parts.join(', ')}}`;
const member = (type: string, content: string) => `&types.AttributeValueMember${type}{Value: ${content}}`;

function valueText(value: AttributeValue, margin: string): string {
  if ('S' in value) return member('S', quoted(value.S));
  if ('N' in value) return member('N', quoted(value.N));
  if ('B' in value) return member('B', bytes(value.B));
  if ('BOOL' in value) return member('BOOL', String(value.BOOL));
  if ('NULL' in value) return member('NULL', 'true');
  if ('M' in value) return member('M', mapText('types.AttributeValue', Object.entries(value.M), valueText, margin));
  if ('L' in value) return member('L', list('types.AttributeValue', value.L.map((part) => valueText(part, margin))));
  if ('SS' in value) return member('SS', list('string', value.SS.map(quoted)));
  if ('NS' in value) return member('NS', list('string', value.NS.map(quoted)));
  return member('BS', list('[]byte', value.BS.map(bytes)));
}

// gofmt puts the values of neighbouring one-line entries into one column.
export function aligned(entries: [string, string][], margin: string): string {
  const lines: string[] = [];
  for (let first = 0; first < entries.length; ) {
    let end = first;
    while (end < entries.length && !entries[end]![1].includes('\n')) end += 1;
    const width = Math.max(0, ...entries.slice(first, end).map(([name]) => name.length));
    for (const [name, content] of entries.slice(first, end)) lines.push(`${margin}${name.padEnd(width)} ${content},\n`);
    if (end < entries.length) lines.push(`${margin}${entries[end]![0]} ${entries[end]![1]},\n`);
    first = end + 1;
  }
  return lines.join('');
}

function mapText<Part>(
  type: string, entries: [string, Part][], write: (part: Part, margin: string) => string, margin: string,
): string {
  if (entries.length === 0) return `map[string]${type}{}`;
  const inner = `${margin}\t`;
  const parts = entries.map(([name, part]): [string, string] => [`${quoted(name)}:`, write(part, inner)]);
  return `map[string]${type}{\n${aligned(parts, inner)}${margin}}`;
}

function fieldText(field: Field, margin = '\t\t'): string {
  switch (field.kind) {
    case 'item': return mapText('types.AttributeValue', Object.entries(field.value), valueText, margin);
    case 'names': return mapText('string', Object.entries(field.value), quoted, margin);
    case 'flag': return `aws.Bool(${field.value})`;
    case 'number': return `aws.Int32(${field.value})`;
    case 'choice': return `types.ReturnValue(${quoted(field.value)})`;
    case 'text': return `aws.String(${quoted(field.value)})`;
  }
}

const base64Function = `
func fromBase64(text string) []byte {
\tbytes, err := base64.StdEncoding.DecodeString(text)
\tif err != nil {
\t\tlog.Fatal(err)
\t}
\treturn bytes
}
`;

export const emitGo: Emit = (draft, { operation, request }, target) => {
  const fields = fieldsOf(request);
  const withBytes = usesBytes(request);
  const withTypes = fields.some((field) => field.kind === 'item' || field.kind === 'choice');
  const input = `&dynamodb.${operation}Input{\n${aligned(fields.map((field): [string, string] => [`${field.name}:`, fieldText(field)]), '\t\t')}\t}`;
  const single = `\tresponse, err := client.${operation}(ctx, ${input})\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n\tfmt.Printf("%+v\\n", response)\n`;
  const paged = `\tpages := dynamodb.New${operation}Paginator(client, ${input})
\tfor pages.HasMorePages() {
\t\tpage, err := pages.NextPage(ctx)
\t\tif err != nil {
\t\t\tlog.Fatal(err)
\t\t}
\t\tfor _, item := range page.Items {
\t\t\tfmt.Printf("%+v\\n", item)
\t\t}
\t}
`;
  return { code: program(readsPages(draft) ? paged : single, { withBytes, withTypes }, target), notes: target.endpoint ? [anyCredentials] : [] };
};

const sdk = 'github.com/aws/aws-sdk-go-v2';

function program(body: string, { withBytes, withTypes }: { withBytes: boolean; withTypes: boolean }, { endpoint, region }: Target): string {
  return `package main

import (
\t"context"
${withBytes ? '\t"encoding/base64"\n' : ''}\t"fmt"
\t"log"

\t"${sdk}/aws"
\t"${sdk}/config"
\t"${sdk}/service/dynamodb"
${withTypes ? `\t"${sdk}/service/dynamodb/types"\n` : ''})
${withBytes ? base64Function : ''}
func main() {
\tctx := context.Background()
\tcfg, err := config.LoadDefaultConfig(ctx, config.WithRegion(${quoted(region)}))
\tif err != nil {
\t\tlog.Fatal(err)
\t}
\tclient := dynamodb.NewFromConfig(cfg${endpoint ? `, func(o *dynamodb.Options) {\n\t\to.BaseEndpoint = aws.String(${quoted(endpoint)})\n\t}` : ''})
${body}}
`;
}

// The members of a request, between braces.
const bracedText = (request: Request, margin: string) =>
  `{\n${aligned(fieldsOf(request).map((field): [string, string] => [`${field.name}:`, fieldText(field, `${margin}\t`)]), `${margin}\t`)}${margin}}`;

// `{Put: &types.Put{…}}`, with the member that says what it is.
function partText(part: Record<string, Request>, margin: string): string {
  const [kind, request] = Object.entries(part)[0]!;
  return `${margin}{${kind}: &types.${kind}${bracedText(request, margin)}},\n`;
}

// What a batch asks of one table.
function tableText(operation: string, asked: unknown, margin: string): string {
  const inner = `${margin}\t`;
  if (operation === 'BatchWriteItem') return `{\n${(asked as Record<string, Request>[]).map((part) => partText(part, inner)).join('')}${margin}}`;
  const { Keys, ...rest } = asked as { Keys: Item[] };
  const keys = Keys.map((key) => `${inner}\t${mapText('types.AttributeValue', Object.entries(key), valueText, `${inner}\t`).replace('map[string]types.AttributeValue', '')},\n`).join('');
  const members: [string, string][] = [
    ['Keys:', `[]map[string]types.AttributeValue{\n${keys}${inner}}`],
    ...fieldsOf(rest).map((field): [string, string] => [`${field.name}:`, fieldText(field, inner)]),
  ];
  return `{\n${aligned(members, inner)}${margin}}`;
}

const failed = (margin: string) => `${margin}if err != nil {\n${margin}\tlog.Fatal(err)\n${margin}}\n`;

export const emitGoTogether: EmitTogether = ({ operation, request }, target) => {
  const withBytes = holdsBytes(request);
  if (!isBatch(operation)) {
    const type = operation === 'TransactGetItems' ? 'TransactGetItem' : 'TransactWriteItem';
    const parts = (request['TransactItems'] as Record<string, Request>[]).map((part) => partText(part, '\t\t\t')).join('');
    const body = `\tresponse, err := client.${operation}(ctx, &dynamodb.${operation}Input{\n\t\tTransactItems: []types.${type}{\n${parts}\t\t},\n\t})\n${failed('\t')}\tfmt.Printf("%+v\\n", response)\n`;
    return { code: program(body, { withBytes, withTypes: true }, target), notes: togetherNotes(operation, target) };
  }
  const type = operation === 'BatchGetItem' ? 'types.KeysAndAttributes' : '[]types.WriteRequest';
  const tables = Object.entries(request['RequestItems'] as Record<string, unknown>).map(([table, asked]): [string, string] => [`${quoted(table)}:`, tableText(operation, asked, '\t\t')]);
  const body = `\tleft := map[string]${type}{\n${aligned(tables, '\t\t')}\t}
\tfor len(left) > 0 {
\t\tresponse, err := client.${operation}(ctx, &dynamodb.${operation}Input{RequestItems: left})
${failed('\t\t')}\t\tfmt.Printf("%+v\\n", response)
\t\tleft = response.${leftOf[operation]}
\t}
`;
  return { code: program(body, { withBytes, withTypes: true }, target), notes: togetherNotes(operation, target) };
};
