// The sample of a design as the rows of a card: each item with its place on the table's side and on each index's.
import { show, type AttributeValue, type Item } from '../api/attribute_value.ts';
import type { TableDescription } from '../api/dynamodb.ts';
import type { Model, Trace } from '../api/model.ts';
import { makeDecoder } from '../design/decode.ts';
import { stack, type Group, type Keyed } from './stack.ts';
import { comparePacked, packKey, rowId, sideKeys, unpackKey, type SideKeys } from '../views/items/side.ts';

export const tableSide = 'table';

export interface CardItem extends Keyed {
  entity: string;
  colour: number;
  labels: Record<string, string>; // What stands beside the keys, of the attributes that the side has.
  templates: Record<string, { partition: string | null; sort: string | null }>;
}

export interface CardTable {
  name: string;
  sides: string[]; // `table`, then the indexes.
  keys: Record<string, SideKeys>;
  items: CardItem[];
}

const labelParts = 3;
const labelOf = (attributes: [string, AttributeValue][]) => attributes.slice(0, labelParts).map(([, value]) => show(value)).join(' · ');

export function cardTable(model: Model, table: TableDescription, items: Item[]): CardTable {
  const indexes = [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])];
  const sides = [tableSide, ...indexes.map(({ IndexName }) => IndexName)];
  const holds = (side: string, attribute: string) => {
    const { ProjectionType, NonKeyAttributes = [] } = indexes.find(({ IndexName }) => IndexName === side)?.Projection ?? { ProjectionType: 'ALL' };
    return ProjectionType === 'ALL' || NonKeyAttributes.includes(attribute);
  };
  const keys = Object.fromEntries(sides.map((side) => [side, sideKeys(table, side === tableSide ? null : side)]));
  const own = keys[tableSide]!.table;
  const decoder = makeDecoder(model, table.TableName, own);
  const keyNames = new Set(Object.values(keys).flatMap(({ partition, sort }) => [...partition, ...sort]));
  const typeAttribute = model.tables.find(({ name }) => name === table.TableName)?.typeAttribute;
  const cardItem = (item: Item): CardItem => {
    const { name, colour } = decoder.typeOf(item);
    const rest = Object.entries(item).filter(([attribute]) => !keyNames.has(attribute) && attribute !== typeAttribute);
    const placed = sides.map((side) => {
      const { partition, sort } = keys[side]!;
      const [at, order] = [packKey(item, partition), packKey(item, sort)];
      return [side, at === null || order === null ? null : { partition: at, sort: order }] as const;
    });
    const template = (names: string[]) => (names.length === 1 ? decoder.templateOf(item, names[0]!) : null);
    return {
      id: rowId(item, own),
      entity: name,
      colour,
      keys: Object.fromEntries(placed),
      labels: Object.fromEntries(sides.map((side) => [side, labelOf(rest.filter(([attribute]) => holds(side, attribute)))])),
      templates: Object.fromEntries(sides.map((side) => [side, { partition: template(keys[side]!.partition), sort: template(keys[side]!.sort) }])),
    };
  };
  return { name: table.TableName, sides, keys, items: items.map(cardItem) };
}

export function cardGroups({ items, keys }: CardTable, side: string): Group<CardItem>[] {
  return stack(items, side, (a, b) => comparePacked(keys[side]!.sortTypes, a, b));
}

// A key of several attributes has them one after the other.
export const keyLabel = (packed: string, names: string[]): string => (names.length > 1 ? unpackKey(packed, names).join(' / ') : packed);

export interface Lit {
  order: number; // In which it was read, from 1.
  kept: boolean; // Else it was read and discarded.
}

// The items that a run read; an item that several requests read counts once. On the side of an index only what was read there: the table's items
// have other keys.
export function litBy(trace: Trace, table: CardTable, side: string): Map<string, Lit> {
  const own = table.keys[tableSide]!.table;
  const lit = new Map<string, Lit>();
  const orders = new Map<string, number>();
  for (const step of trace.steps.filter((one) => one.table === table.name)) {
    const here = side === tableSide || step.index === side;
    for (const { read, returned } of step.pages) {
      const kept = new Set(returned.map((item) => rowId(item, own)));
      for (const item of read) {
        const id = rowId(item, own);
        const order = orders.get(id) ?? orders.size + 1;
        orders.set(id, order);
        if (here) lit.set(id, { order, kept: (lit.get(id)?.kept ?? false) || kept.has(id) });
      }
    }
  }
  return lit;
}
