// The AWS SDK for Java 2.x, as a class with a main method.
import type { AttributeValue } from '../../api/attribute_value.ts';
import { anyCredentials, fieldsOf, quoted, readsPages, usesBytes, type Emit, type Field } from './emitted.ts';

const bytes = (base64: string) => `SdkBytes.fromByteArray(Base64.getDecoder().decode(${quoted(base64)}))`;
const list = (parts: string[]) => `List.of(${parts.join(', ')})`;

function valueText(value: AttributeValue, margin: string): string {
  if ('S' in value) return `AttributeValue.fromS(${quoted(value.S)})`;
  if ('N' in value) return `AttributeValue.fromN(${quoted(value.N)})`;
  if ('B' in value) return `AttributeValue.fromB(${bytes(value.B)})`;
  if ('BOOL' in value) return `AttributeValue.fromBool(${value.BOOL})`;
  if ('NULL' in value) return 'AttributeValue.fromNul(true)';
  if ('M' in value) return `AttributeValue.fromM(${mapText(Object.entries(value.M), valueText, margin)})`;
  if ('L' in value) return `AttributeValue.fromL(${list(value.L.map((part) => valueText(part, margin)))})`;
  if ('SS' in value) return `AttributeValue.fromSs(${list(value.SS.map(quoted))})`;
  if ('NS' in value) return `AttributeValue.fromNs(${list(value.NS.map(quoted))})`;
  return `AttributeValue.fromBs(${list(value.BS.map(bytes))})`;
}

// Map.of ends at ten entries; Map.ofEntries does not.
function mapText<Part>(entries: [string, Part][], write: (part: Part, margin: string) => string, margin: string): string {
  if (entries.length === 0) return 'Map.of()';
  const inner = `${margin}    `;
  const lines = entries.map(([name, part]) => `\n${inner}Map.entry(${quoted(name)}, ${write(part, inner)})`);
  return `Map.ofEntries(${lines.join(',')})`;
}

function fieldText(field: Field): string {
  const margin = ' '.repeat(10);
  switch (field.kind) {
    case 'item': return mapText(Object.entries(field.value), valueText, margin);
    case 'names': return mapText(Object.entries(field.value), quoted, margin);
    case 'flag':
    case 'number': return String(field.value);
    default: return quoted(field.value);
  }
}

const lowerFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

export const emitJava: Emit = (draft, { operation, request }, { endpoint, region }) => {
  const fields = fieldsOf(request);
  const withBytes = usesBytes(request);
  const lists = /"(L|SS|NS|BS)":\[/.test(JSON.stringify(request));
  const imports = [
    ...(endpoint ? ['java.net.URI'] : []),
    ...(withBytes ? ['java.util.Base64'] : []),
    ...(lists ? ['java.util.List'] : []),
    ...(readsPages(draft) || fields.some((field) => field.kind === 'item' || field.kind === 'names') ? ['java.util.Map'] : []),
    ...(withBytes ? ['software.amazon.awssdk.core.SdkBytes'] : []),
    'software.amazon.awssdk.regions.Region',
    'software.amazon.awssdk.services.dynamodb.DynamoDbClient',
    'software.amazon.awssdk.services.dynamodb.model.*',
  ];
  const built = `${operation}Request.builder()\n${fields.map((field) => `          .${lowerFirst(field.name)}(${fieldText(field)})\n`).join('')}          .build()`;
  const single = `      ${operation}Response response = dynamodb.${lowerFirst(operation)}(${built});\n      System.out.println(response);\n`;
  const paged = `      for (Map<String, AttributeValue> item : dynamodb.${lowerFirst(operation)}Paginator(${built}).items()) {\n        System.out.println(item);\n      }\n`;
  return {
    code: `${imports.map((name) => `import ${name};\n`).join('')}
public class Example {
  public static void main(String[] arguments) {
    try (DynamoDbClient dynamodb = DynamoDbClient.builder()
        .region(Region.of(${quoted(region)}))${endpoint ? `\n        .endpointOverride(URI.create(${quoted(endpoint)}))` : ''}
        .build()) {
${readsPages(draft) ? paged : single}    }
  }
}
`,
    notes: endpoint ? [anyCredentials] : [],
  };
};
