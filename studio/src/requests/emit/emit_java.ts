// The AWS SDK for Java 2.x, as a class with a main method.
import type { AttributeValue, Item } from '../../api/attribute_value.ts';
import type { Request } from '../../api/dynamodb.ts';
import { anyCredentials, fieldsOf, holdsBytes, isBatch, leftOf, quoted, readsPages, togetherNotes, usesBytes, type Emit, type EmitTogether, type Field, type Target } from './emitted.ts';

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

function fieldText(field: Field, margin = ' '.repeat(10)): string {
  switch (field.kind) {
    case 'item': return mapText(Object.entries(field.value), valueText, margin);
    case 'names': return mapText(Object.entries(field.value), quoted, margin);
    case 'flag':
    case 'number': return String(field.value);
    default: return quoted(field.value);
  }
}

const lowerFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

export const emitJava: Emit = (draft, { operation, request }, target) => {
  const fields = fieldsOf(request);
  const withBytes = usesBytes(request);
  const lists = /"(L|SS|NS|BS)":\[/.test(JSON.stringify(request));
  const imports = [
    ...(target.endpoint ? ['java.net.URI'] : []),
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
  return { code: program(imports, readsPages(draft) ? paged : single, target), notes: target.endpoint ? [anyCredentials] : [] };
};

function program(imports: string[], body: string, { endpoint, region }: Target): string {
  return `${imports.map((name) => `import ${name};\n`).join('')}
public class Example {
  public static void main(String[] arguments) {
    try (DynamoDbClient dynamodb = DynamoDbClient.builder()
        .region(Region.of(${quoted(region)}))${endpoint ? `\n        .endpointOverride(URI.create(${quoted(endpoint)}))` : ''}
        .build()) {
${body}    }
  }
}
`;
}

// A builder with its members, one a line.
function built(type: string, request: Request, margin: string): string {
  const inner = `${margin}    `;
  return `${type}.builder()${fieldsOf(request).map((field) => `\n${inner}.${lowerFirst(field.name)}(${fieldText(field, inner)})`).join('')}\n${inner}.build()`;
}

const itemsOf = (items: Item[], margin: string) => `List.of(${items.map((item) => `\n${margin}    ${mapText(Object.entries(item), valueText, `${margin}    `)}`).join(',')})`;

// What a batch asks of one table.
function tableText(operation: string, asked: unknown, margin: string): string {
  const inner = `${margin}    `;
  if (operation === 'BatchGetItem') {
    const { Keys, ...rest } = asked as { Keys: Item[] };
    const members = fieldsOf(rest).map((field) => `\n${inner}.${lowerFirst(field.name)}(${fieldText(field, inner)})`);
    return `KeysAndAttributes.builder()\n${inner}.keys(${itemsOf(Keys, inner)})${members.join('')}\n${inner}.build()`;
  }
  const writes = (asked as Record<string, Request>[]).map((write) => {
    const [kind, request] = Object.entries(write)[0]!;
    return `\n${inner}WriteRequest.builder().${lowerFirst(kind)}(${built(kind, request, inner)}).build()`;
  });
  return `List.of(${writes.join(',')})`;
}

function partText(operation: string, part: Record<string, Request>, margin: string): string {
  const [kind, request] = Object.entries(part)[0]!;
  const type = operation === 'TransactGetItems' ? 'TransactGetItem' : 'TransactWriteItem';
  return `\n${margin}${type}.builder().${lowerFirst(kind)}(${built(kind, request, margin)}).build()`;
}

export const emitJavaTogether: EmitTogether = ({ operation, request }, target) => {
  const lists = isBatch(operation) || /"(L|SS|NS|BS)":\[/.test(JSON.stringify(request));
  const withBytes = holdsBytes(request);
  const imports = [
    ...(target.endpoint ? ['java.net.URI'] : []),
    ...(withBytes ? ['java.util.Base64'] : []),
    ...(lists ? ['java.util.List'] : []),
    'java.util.Map',
    ...(withBytes ? ['software.amazon.awssdk.core.SdkBytes'] : []),
    'software.amazon.awssdk.regions.Region',
    'software.amazon.awssdk.services.dynamodb.DynamoDbClient',
    'software.amazon.awssdk.services.dynamodb.model.*',
  ];
  if (!isBatch(operation)) {
    const parts = (request['TransactItems'] as Record<string, Request>[]).map((part) => partText(operation, part, ' '.repeat(14)));
    const body = `      ${operation}Response response = dynamodb.${lowerFirst(operation)}(${operation}Request.builder()\n          .transactItems(${parts.join(',')})\n          .build());\n      System.out.println(response);\n`;
    return { code: program(imports, body, target), notes: togetherNotes(operation, target) };
  }
  const type = operation === 'BatchGetItem' ? 'KeysAndAttributes' : 'List<WriteRequest>';
  const tables = Object.entries(request['RequestItems'] as Record<string, unknown>).map(([table, asked]) => `\n          Map.entry(${quoted(table)}, ${tableText(operation, asked, ' '.repeat(10))})`);
  const body = `      Map<String, ${type}> left = Map.ofEntries(${tables.join(',')});
      while (!left.isEmpty()) {
        ${operation}Response response = dynamodb.${lowerFirst(operation)}(${operation}Request.builder().requestItems(left).build());
        System.out.println(response);
        left = response.${lowerFirst(leftOf[operation])}();
      }
`;
  return { code: program(imports, body, target), notes: togetherNotes(operation, target) };
};
