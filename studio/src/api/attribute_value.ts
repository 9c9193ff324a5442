// DynamoDB's typed values as the wire has them, and their plain form for people.
// Numbers stay text: 38 digits do not fit a JavaScript number.

export type AttributeValue =
  | { S: string }
  | { N: string }
  | { B: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { M: Item }
  | { L: AttributeValue[] }
  | { SS: string[] }
  | { NS: string[] }
  | { BS: string[] };

export type Item = { [name: string]: AttributeValue };

// An attribute may be called toString or constructor, which every object has.
export function member<Value>(map: Readonly<Record<string, Value>> | null | undefined, name: string): Value | undefined {
  return map && Object.hasOwn(map, name) ? map[name] : undefined;
}

// A record for names that people choose: without a prototype, __proto__ is a name like any other.
export const emptyRecord = <Value>(): Record<string, Value> => Object.create(null) as Record<string, Value>;

export type TypeName = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'M' | 'L' | 'SS' | 'NS' | 'BS';

export function typeOf(value: AttributeValue): TypeName {
  return Object.keys(value)[0] as TypeName;
}

// One line for a cell: text bare, maps and lists as short JSON.
export function show(value: AttributeValue): string {
  if ('S' in value) return value.S;
  if ('N' in value) return value.N;
  if ('BOOL' in value) return String(value.BOOL);
  if ('NULL' in value) return 'null';
  if ('B' in value) return value.B;
  return JSON.stringify(plain(value));
}

// A number that JSON can hold without loss stays a number; any other becomes text.
export function plain(value: AttributeValue): unknown {
  if ('S' in value) return value.S;
  if ('N' in value) return exactNumber(value.N) ?? value.N;
  if ('BOOL' in value) return value.BOOL;
  if ('NULL' in value) return null;
  if ('B' in value) return value.B;
  if ('M' in value) return plainItem(value.M);
  if ('L' in value) return value.L.map(plain);
  if ('NS' in value) return value.NS.map((digits) => exactNumber(digits) ?? digits);
  if ('SS' in value) return value.SS;
  return value.BS;
}

export function plainItem(item: Item): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, plain(value)]));
}

function exactNumber(digits: string): number | null {
  const number = Number(digits);
  return String(number) === digits ? number : null;
}
