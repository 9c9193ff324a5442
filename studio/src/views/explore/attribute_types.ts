// The types of a table's attributes, for what says nothing of types: a CSV file, a new value typed into a cell. The page that is
// shown is no witness: what is not on it has a type too. The table's own definitions come first, then what its items hold, then
// the model.
import { emptyRecord, member, typeOf, type Item, type TypeName } from '../../api/attribute_value.ts';
import type { TableDescription } from '../../api/dynamodb.ts';
import type { Field } from '../../requests/schema.ts';

export const itemsEnough = 1000; // If they have every attribute that is asked for …
export const itemsMost = 10_000; // … else at most so many are read.

export interface AttributeTypes {
  types: Record<string, TypeName>;
  nulls: string[]; // Attributes that are NULL in some items; the type, if it is known, is that of their other values.
  mixed: Record<string, TypeName[]>; // Attributes that have several types, and the model does not say which is right.
  itemsRead: number;
  all: boolean; // Those were all items of the table.
}

// `pages` gives items of the table, from its beginning; `atHand` are some that were read before.
export async function attributeTypes(
  wanted: string[],
  table: Pick<TableDescription, 'AttributeDefinitions'>,
  fields: Field[],
  pages: AsyncIterable<{ Items?: Item[]; LastEvaluatedKey?: Item }>,
  atHand: Item[] = [],
): Promise<AttributeTypes> {
  const found: Record<string, Set<TypeName>> = emptyRecord();
  const fixed: Record<string, TypeName> = emptyRecord();
  for (const { AttributeName, AttributeType } of table.AttributeDefinitions) fixed[AttributeName] = AttributeType;
  const look = (item: Item) => {
    for (const [name, value] of Object.entries(item)) (found[name] ??= new Set()).add(typeOf(value));
  };
  atHand.forEach(look);
  let itemsRead = 0;
  let all = false;
  for await (const { Items = [], LastEvaluatedKey } of pages) {
    Items.forEach(look);
    itemsRead += Items.length;
    all = LastEvaluatedKey === undefined;
    const known = wanted.every((name) => member(fixed, name) !== undefined || member(found, name) !== undefined);
    if (all || itemsRead >= (known ? itemsEnough : itemsMost)) break;
  }
  const types: Record<string, TypeName> = emptyRecord();
  const mixed: Record<string, TypeName[]> = emptyRecord();
  for (const { name, type } of fields) if (type) types[name] = type;
  for (const [name, seen] of Object.entries(found)) {
    // An attribute that was set to nothing has the type that it has elsewhere; NULL alone is none.
    const [first, ...others] = [...seen].filter((type) => type !== 'NULL');
    if (first === undefined) continue;
    if (others.length === 0) types[name] = first;
    else if (member(types, name) === undefined) mixed[name] = [first, ...others].sort();
  }
  for (const [name, type] of Object.entries(fixed)) types[name] = type;
  const nulls = Object.entries(found).flatMap(([name, seen]) => (seen.has('NULL') ? [name] : []));
  return { types, nulls, mixed, itemsRead, all };
}
