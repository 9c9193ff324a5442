// The kind of an item: which entity of the model, and which attributes its keys hold. Tables that no model
// describes are read by their prefixes.
import { emptyRecord, member, type AttributeValue, type Item } from '../api/attribute_value.ts';
import type { ItemLayout, Model, ModelTable } from '../api/model.ts';
import { entityColour, entityColours, prefixColour } from './colours.ts';
import { keyTemplate, matchTemplate, parseTemplate } from './key_template.ts';
import { keyText } from './order.ts';

export interface ItemType {
  name: string;
  colour: number; // Of the tokens --type-0 to --type-7.
}

// How the items of one table are told apart.
export interface Decoder {
  types: ItemType[];
  typeOf(item: Item): ItemType;
  // How the model writes this attribute of the item; null if it does not say.
  templateOf(item: Item, attribute: string): string | null;
  // The entity's attributes that the item holds, those in its keys included. Null without a model.
  attributesOf(item: Item): { entity: string; attributes: Record<string, AttributeValue> } | null;
}

export const notInModel = 'not in the model';

// `keys` names the table's own key attributes.
export function makeDecoder(model: Model | null, tableName: string, keys: string[]): Decoder {
  const table = model?.tables.find((candidate) => candidate.name === tableName);
  const same = table && [table.partition, table.sort].filter((name) => name !== '').join() === keys.join();
  return model && table && same ? modelDecoder(model, table) : prefixDecoder(keys);
}

// A lock item keeps an attribute unique: `unique email by lock item` makes UNIQUE#Owner#email#… of each value.
export function lockOf(table: ModelTable, item: Item): { entity: string; attribute: string } | null {
  const key = member(item, table.partition);
  const [, entity, attribute] = (key && 'S' in key && /^UNIQUE#([^#]+)#([^#]+)#/.exec(key.S)) || [];
  return entity !== undefined && attribute !== undefined && table.items.some((one) => one.entity === entity) ? { entity, attribute } : null;
}

function modelDecoder(model: Model, table: ModelTable): Decoder {
  const types = table.items.map(({ entity }) => ({ name: entity, colour: entityColour(model, entity) }));
  const unknown = { name: notInModel, colour: entityColours - 1 };
  const keys = [table.partition, table.sort].filter((name) => name !== '');
  const layoutOf = (item: Item): number => {
    if (lockOf(table, item)) return -1;
    const stated = table.typeAttribute === '' ? undefined : member(item, table.typeAttribute);
    if (stated && 'S' in stated) {
      const name = stated.S.toLowerCase();
      const found = table.items.findIndex((layout) => layout.entity.toLowerCase() === name);
      if (found >= 0) return found;
    }
    return bestLayout(table.items, item, keys);
  };
  const lockType = (item: Item): ItemType | null => {
    const lock = lockOf(table, item);
    return lock && { name: `${lock.entity} lock`, colour: entityColour(model, lock.entity) };
  };
  return {
    types,
    typeOf: (item) => types[layoutOf(item)] ?? lockType(item) ?? unknown,
    templateOf: (item, attribute) => {
      const layout = table.items[layoutOf(item)];
      return layout ? keyTemplate(model, layout, attribute) : null;
    },
    attributesOf: (item) => {
      const layout = table.items[layoutOf(item)];
      return layout ? { entity: layout.entity, attributes: readAttributes(model, layout, item) } : null;
    },
  };
}

// The layout whose key templates fit, the one with most fixed text first: "METADATA" says more than
// "{any}". The index of the layout, or -1.
function bestLayout(layouts: ItemLayout[], item: Item, keys: string[]): number {
  let best = -1;
  let bestWeight = -1;
  layouts.forEach((layout, i) => {
    const weight = fit(layout, item, keys);
    if (weight > bestWeight) {
      best = i;
      bestWeight = weight;
    }
  });
  return best;
}

function fit(layout: ItemLayout, item: Item, keys: string[]): number {
  let weight = 0;
  const read: Record<string, string> = emptyRecord();
  for (const { name, kind, template } of layout.attributes) {
    const value = member(item, name);
    if (!value) {
      if (keys.includes(name)) return -1;
      continue;
    }
    if (kind !== 'template' || template === undefined) continue;
    const pieces = matchTemplate(template, keyText(value));
    if (!pieces) return -1;
    for (const { text, attribute } of pieces) {
      if (attribute === null) weight += text.length;
      // The same attribute in two keys has the same text, apart from case.
      else if (read[attribute] !== undefined && read[attribute]!.toLowerCase() !== text.toLowerCase()) return -1;
      else read[attribute] = text;
    }
  }
  return weight;
}

function readAttributes(model: Model, layout: ItemLayout, item: Item): Record<string, AttributeValue> {
  const entity = model.entities.find((one) => one.name === layout.entity);
  const attributes: Record<string, AttributeValue> = emptyRecord();
  for (const { name, type } of entity?.attributes ?? []) {
    const own = member(item, name);
    if (own && !layout.without.includes(name)) attributes[name] = own;
    else {
      const text = readFromKeys(layout, item, name);
      if (text !== null) attributes[name] = type === 'number' ? { N: trimZeros(text) } : { S: text };
    }
  }
  return attributes;
}

function readFromKeys(layout: ItemLayout, item: Item, attribute: string): string | null {
  for (const { name, kind, template } of layout.attributes) {
    const value = member(item, name);
    if (!value || template === undefined) continue;
    if (kind === 'attribute' && template === attribute) return keyText(value);
    if (kind !== 'template') continue;
    const parts = parseTemplate(template);
    const lossless = parts.every((part) => part.attribute !== attribute || part.transform === undefined || part.transform === 'pad');
    const found = lossless ? matchTemplate(template, keyText(value))?.find((piece) => piece.attribute === attribute) : undefined;
    if (found) return found.text;
  }
  return null;
}

const trimZeros = (digits: string) => digits.replace(/^0+(?=\d)/, '');

// Without a model: the type attribute that many tables have, else the keys' prefixes before the first
// '#'. STUDENT#S1 / METADATA is a STUDENT, STUDENT#S1 / COURSE#C1 a STUDENT COURSE.
function prefixDecoder(keys: string[]): Decoder {
  const types: ItemType[] = [];
  const byName = new Map<string, ItemType>();
  return {
    types,
    typeOf: (item) => {
      const name = statedType(item) ?? prefixes(item, keys);
      let type = byName.get(name);
      if (!type) {
        type = { name, colour: prefixColour(name) };
        byName.set(name, type);
        types.push(type);
      }
      return type;
    },
    templateOf: () => null,
    attributesOf: () => null,
  };
}

const typeNames = ['EntityType', 'entityType', 'entity_type', 'Type', 'type', '_type', '__typename'];

function statedType(item: Item): string | null {
  for (const name of typeNames) {
    const value = member(item, name);
    if (value && 'S' in value) return value.S;
  }
  return null;
}

function prefixes(item: Item, keys: string[]): string {
  const found: string[] = [];
  for (const name of keys) {
    const value = member(item, name);
    const prefix = value && 'S' in value && value.S.includes('#') ? value.S.slice(0, value.S.indexOf('#')) : '';
    if (prefix !== '' && !found.includes(prefix)) found.push(prefix);
  }
  return found.join(' ') || 'item';
}
