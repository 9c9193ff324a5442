// What an item is: which entity of the model, and which attributes its keys hold. Tables that no model
// describes are read by their prefixes.
import type { AttributeValue, Item } from '../api/attribute_value.ts';
import type { ItemLayout, Model, ModelTable } from '../api/model.ts';
import { keyText } from './order.ts';

export interface TemplatePart {
  literal?: string;
  attribute?: string;
  transform?: 'pad' | 'lower' | 'upper' | 'shard';
  argument?: number;
}

export interface TemplatePiece {
  text: string;
  attribute: string | null; // null: fixed text, or a shard, which says nothing about its attribute.
}

const templates = new Map<string, TemplatePart[]>();

// "ORG#{org}#USER#{user lower}" → parts. The server has checked the template before.
export function parseTemplate(text: string): TemplatePart[] {
  const known = templates.get(text);
  if (known) return known;
  const parts: TemplatePart[] = [];
  for (const piece of text.split(/(\{[^}]*\})/)) {
    if (piece === '') continue;
    if (!piece.startsWith('{')) parts.push({ literal: piece });
    else parts.push(parsePart(piece.slice(1, -1).trim().split(/\s+/)));
  }
  templates.set(text, parts);
  return parts;
}

function parsePart(words: string[]): TemplatePart {
  if (words[0] === 'shard') return { attribute: words[3] ?? '', transform: 'shard', argument: Number(words[1]) };
  const part: TemplatePart = { attribute: words[0] ?? '' };
  if (words[1] === 'lower' || words[1] === 'upper') part.transform = words[1];
  if (words[1] === 'pad') Object.assign(part, { transform: 'pad', argument: Number(words[2]) });
  return part;
}

// The pieces of `text` as the template wrote them; null if it does not fit. An attribute ends at the
// first occurrence of the literal behind it, as in the server.
export function matchTemplate(template: string, text: string): TemplatePiece[] | null {
  const parts = parseTemplate(template);
  const pieces: TemplatePiece[] = [];
  let at = 0;
  for (let i = 0; i < parts.length; ++i) {
    const { literal, attribute, transform } = parts[i]!;
    if (literal !== undefined) {
      if (!text.startsWith(literal, at)) return null;
      pieces.push({ text: literal, attribute: null });
      at += literal.length;
      continue;
    }
    const next = parts[i + 1]?.literal;
    const end = next === undefined ? text.length : text.indexOf(next, at);
    if (end <= at) return null;
    pieces.push({ text: text.slice(at, end), attribute: transform === 'shard' ? null : attribute! });
    at = end;
  }
  return at === text.length ? pieces : null;
}

// Attributes as text → the key; null if one is missing.
export function renderTemplate(template: string, attributes: Record<string, string>): string | null {
  let text = '';
  for (const { literal, attribute, transform, argument } of parseTemplate(template)) {
    if (literal !== undefined) {
      text += literal;
      continue;
    }
    const value = attributes[attribute!];
    if (value === undefined || value === '') return null;
    if (transform === 'lower') text += value.toLowerCase();
    else if (transform === 'upper') text += value.toUpperCase();
    else if (transform === 'pad') text += value.padStart(argument ?? 0, '0');
    else if (transform === 'shard') text += shardOf(value, argument ?? 1);
    else text += value;
  }
  return text;
}

// FNV-1a of the UTF-8 bytes, 64 bits, as the server does it.
function shardOf(value: string, count: number): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(value)) {
    hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  }
  return String(hash % BigInt(count));
}

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
  // What the item says of its entity's attributes, those in its keys included. Null without a model.
  attributesOf(item: Item): { entity: string; attributes: Record<string, AttributeValue> } | null;
}

const colourCount = 8;

// `keys` names the table's own key attributes.
export function makeDecoder(model: Model | null, tableName: string, keys: string[]): Decoder {
  const table = model?.tables.find((candidate) => candidate.name === tableName);
  const same = table && [table.partition, table.sort].filter((name) => name !== '').join() === keys.join();
  return model && table && same ? modelDecoder(model, table) : prefixDecoder(keys);
}

function modelDecoder(model: Model, table: ModelTable): Decoder {
  const types = table.items.map((layout, i) => ({ name: layout.entity, colour: i % colourCount }));
  const unknown = { name: 'not in the model', colour: colourCount - 1 };
  const keys = [table.partition, table.sort].filter((name) => name !== '');
  const layoutOf = (item: Item): number => {
    const stated = table.typeAttribute === '' ? undefined : item[table.typeAttribute];
    if (stated && 'S' in stated) {
      const name = stated.S.toLowerCase();
      const found = table.items.findIndex((layout) => layout.entity.toLowerCase() === name);
      if (found >= 0) return found;
    }
    return bestLayout(table.items, item, keys);
  };
  return {
    types,
    typeOf: (item) => types[layoutOf(item)] ?? unknown,
    templateOf: (item, attribute) => {
      const layout = table.items[layoutOf(item)];
      const stored = layout?.attributes.find((one) => one.name === attribute);
      if (stored?.template !== undefined) return stored.kind === 'template' ? stored.template : `{${stored.template}}`;
      return isAttribute(model, layout, attribute) ? `{${attribute}}` : null;
    },
    attributesOf: (item) => {
      const layout = table.items[layoutOf(item)];
      return layout ? { entity: layout.entity, attributes: readAttributes(model, layout, item) } : null;
    },
  };
}

function isAttribute(model: Model, layout: ItemLayout | undefined, name: string): boolean {
  const entity = model.entities.find((one) => one.name === layout?.entity);
  return entity?.attributes.some((attribute) => attribute.name === name) ?? false;
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
  const read: Record<string, string> = {};
  for (const { name, kind, template } of layout.attributes) {
    const value = item[name];
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
  const attributes: Record<string, AttributeValue> = {};
  for (const { name, type } of entity?.attributes ?? []) {
    const own = item[name];
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
    const value = item[name];
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
        type = { name, colour: types.length % colourCount };
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
    const value = item[name];
    if (value && 'S' in value) return value.S;
  }
  return null;
}

function prefixes(item: Item, keys: string[]): string {
  const found: string[] = [];
  for (const name of keys) {
    const value = item[name];
    const prefix = value && 'S' in value && value.S.includes('#') ? value.S.slice(0, value.S.indexOf('#')) : '';
    if (prefix !== '' && !found.includes(prefix)) found.push(prefix);
  }
  return found.join(' ') || 'item';
}
