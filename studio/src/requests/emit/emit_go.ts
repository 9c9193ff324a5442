// The AWS SDK for Go v2, as a program. Laid out as gofmt does.
import type { AttributeValue } from '../../api/attribute_value.ts';
import { anyCredentials, fieldsOf, quoted, readsPages, usesBytes, type Emit, type Field } from './emitted.ts';

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

function fieldText(field: Field): string {
  switch (field.kind) {
    case 'item': return mapText('types.AttributeValue', Object.entries(field.value), valueText, '\t\t');
    case 'names': return mapText('string', Object.entries(field.value), quoted, '\t\t');
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

export const emitGo: Emit = (draft, { operation, request }, { endpoint, region }) => {
  const fields = fieldsOf(request);
  const withBytes = usesBytes(request);
  const withTypes = fields.some((field) => field.kind === 'item' || field.kind === 'choice');
  const sdk = 'github.com/aws/aws-sdk-go-v2';
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
  return {
    code: `package main

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
\tclient := dynamodb.NewFromConfig(cfg${
      endpoint
        ? `, func(o *dynamodb.Options) {\n\t\to.BaseEndpoint = aws.String(${quoted(endpoint)})\n\t}`
        : ''
    })
${readsPages(draft) ? paged : single}}
`,
    notes: endpoint ? [anyCredentials] : [],
  };
};
