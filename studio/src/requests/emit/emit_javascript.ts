// The AWS SDK for JavaScript v3, as a module that Node runs as it is.
import type { AttributeValue } from '../../api/attribute_value.ts';
import { anyCredentials, fieldsOf, isBatch, leftOf, literal, quoted, readsPages, togetherNotes, type Emit, type EmitTogether, type Field, type Literals } from './emitted.ts';

function text(value: string): string {
  return `'${quoted(value).slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;
}

// In a literal, __proto__ would set the prototype; in brackets it is a name like any other.
function nameText(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : text(name);
}

const bytes = (base64: string) => `Buffer.from(${text(base64)}, 'base64')`;
const list = (parts: string[]) => `[${parts.join(', ')}]`;

function valueText(value: AttributeValue, margin: string): string {
  if ('S' in value) return `{ S: ${text(value.S)} }`;
  if ('N' in value) return `{ N: ${text(value.N)} }`;
  if ('B' in value) return `{ B: ${bytes(value.B)} }`;
  if ('BOOL' in value) return `{ BOOL: ${value.BOOL} }`;
  if ('NULL' in value) return '{ NULL: true }';
  if ('M' in value) return `{ M: ${mapText(Object.entries(value.M), valueText, margin)} }`;
  if ('L' in value) return `{ L: ${list(value.L.map((part) => valueText(part, margin)))} }`;
  if ('SS' in value) return `{ SS: ${list(value.SS.map(text))} }`;
  if ('NS' in value) return `{ NS: ${list(value.NS.map(text))} }`;
  return `{ BS: ${list(value.BS.map(bytes))} }`;
}

function mapText<Part>(entries: [string, Part][], write: (part: Part, margin: string) => string, margin: string): string {
  if (entries.length === 0) return '{}';
  const inner = `${margin}  `;
  return `{\n${entries.map(([name, part]) => `${inner}${nameText(name)}: ${write(part, inner)},\n`).join('')}${margin}}`;
}

function fieldText(field: Field): string {
  if (field.kind === 'item') return mapText(Object.entries(field.value), valueText, '  ');
  if (field.kind === 'names') return mapText(Object.entries(field.value), text, '  ');
  return field.kind === 'flag' || field.kind === 'number' ? String(field.value) : text(field.value);
}

export const emitJavaScript: Emit = (draft, { operation, request }, { endpoint, region }) => {
  const settings = `region: ${text(region)}${endpoint ? `, endpoint: ${text(endpoint)}` : ''}`;
  const input = `{\n${fieldsOf(request).map((field) => `  ${field.name}: ${fieldText(field)},\n`).join('')}}`;
  const paged = readsPages(draft);
  const body = paged
    ? `for await (const page of paginate${operation}({ client }, ${input})) {\n  for (const item of page.Items ?? []) console.dir(item, { depth: null });\n}\n`
    : `const response = await client.send(new ${operation}Command(${input}));\nconsole.dir(response, { depth: null });\n`;
  return {
    code: `import { DynamoDBClient, ${paged ? `paginate${operation}` : `${operation}Command`} } from '@aws-sdk/client-dynamodb';

const client = new DynamoDBClient({ ${settings} });
${body}`,
    notes: ['Save it as a file that ends in .mjs.', ...(endpoint ? [anyCredentials] : [])],
  };
};

const whole = (part: string) => part;
const literals: Literals = {
  item: (item, margin) => mapText(Object.entries(item), valueText, margin),
  map: (entries, margin) => mapText(entries, whole, margin),
  list: (parts, margin) => `[\n${parts.map((part) => `${margin}  ${part},\n`).join('')}${margin}]`,
  text,
  flag: String,
  step: '  ',
};

export const emitJavaScriptTogether: EmitTogether = ({ operation, request }, target) => {
  const settings = `region: ${text(target.region)}${target.endpoint ? `, endpoint: ${text(target.endpoint)}` : ''}`;
  const body = isBatch(operation)
    ? `let left = ${literal(literals, request['RequestItems'], '')};
while (Object.keys(left).length > 0) {
  const response = await client.send(new ${operation}Command({ RequestItems: left }));
  console.dir(response, { depth: null });
  left = response.${leftOf[operation]} ?? {};
}
`
    : `const response = await client.send(new ${operation}Command(${literal(literals, request, '')}));\nconsole.dir(response, { depth: null });\n`;
  return {
    code: `import { DynamoDBClient, ${operation}Command } from '@aws-sdk/client-dynamodb';\n\nconst client = new DynamoDBClient({ ${settings} });\n${body}`,
    notes: ['Save it as a file that ends in .mjs.', ...togetherNotes(operation, target)],
  };
};
