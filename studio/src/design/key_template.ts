// Key templates of the model, such as "STU#{id}" or "VOTE#{shard 8 of voter}": the only place that reads, matches and
// renders them. The server has checked a template before it gets here, so nothing in this file can fail on one.
//
// A template is fixed words and holes. A hole renders an attribute: as it is, padded with zeros, in lower or upper case,
// or as one of n shards. A shard is chosen by a hash, so the attribute cannot be read back from it; every other hole
// gives back its text, which is how an item's attributes are read from its keys.
import type { ItemLayout, Model } from '../api/model.ts';

export interface TemplatePart {
  text: string; // As the template writes it.
  literal?: string;
  attribute?: string;
  transform?: 'pad' | 'lower' | 'upper' | 'shard';
  argument?: number; // Pad width, shard count.
}

const parsed = new Map<string, TemplatePart[]>();

export function parseTemplate(text: string): TemplatePart[] {
  const known = parsed.get(text);
  if (known) return known;
  const pieces = text.split(/(\{[^}]*\})/).filter((piece) => piece !== '');
  const parts = pieces.map((piece) => (piece.startsWith('{') ? parseHole(piece) : { text: piece, literal: piece }));
  parsed.set(text, parts);
  return parts;
}

function parseHole(text: string): TemplatePart {
  const words = text.slice(1, -1).trim().split(/\s+/);
  if (words[0] === 'shard') return { text, attribute: words[3] ?? '', transform: 'shard', argument: Number(words[1]) };
  const part: TemplatePart = { text, attribute: words[0] ?? '' };
  if (words[1] === 'lower' || words[1] === 'upper') return { ...part, transform: words[1] };
  return words[1] === 'pad' ? { ...part, transform: 'pad', argument: Number(words[2]) } : part;
}

// Each once, in the order of the template.
export function attributesIn(template: string): string[] {
  return [...new Set(parseTemplate(template).flatMap(({ attribute }) => (attribute ? [attribute] : [])))];
}

export interface TemplatePiece {
  text: string;
  attribute: string | null; // Null: fixed text, or a shard, which says nothing about its attribute.
}

// The pieces of `text` as the template wrote them; null if it does not fit. An attribute ends at the first occurrence of
// the literal behind it, as in the server.
export function matchTemplate(template: string, text: string): TemplatePiece[] | null {
  const parts = parseTemplate(template);
  const pieces: TemplatePiece[] = [];
  let at = 0;
  for (const [i, { literal, attribute, transform }] of parts.entries()) {
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

export interface Rendered {
  text: string;
  complete: boolean;
}

// Fills in from the left and stops at the first value that is missing. What it gives then is a prefix that ends with a
// fixed piece: `NY#NEWYORK` would also find NEWYORKCITY, `NY#NEWYORK#` does not.
export function renderPrefix(template: string, values: Readonly<Record<string, string>>): Rendered {
  let text = '';
  for (const part of parseTemplate(template)) {
    if (part.literal !== undefined) {
      text += part.literal;
      continue;
    }
    const value = Object.hasOwn(values, part.attribute!) ? values[part.attribute!] : undefined;
    if (value === undefined || value === '') return { text, complete: false };
    text += renderHole(part, value);
  }
  return { text, complete: true };
}

// The whole key; null if a value is missing.
export function renderTemplate(template: string, values: Readonly<Record<string, string>>): string | null {
  const { text, complete } = renderPrefix(template, values);
  return complete ? text : null;
}

function renderHole({ transform, argument }: TemplatePart, value: string): string {
  switch (transform) {
    case 'lower': return value.toLowerCase();
    case 'upper': return value.toUpperCase();
    case 'pad': return value.padStart(argument ?? 0, '0');
    case 'shard': return shardOf(value, argument ?? 1);
    default: return value;
  }
}

// FNV-1a of the UTF-8 bytes, 64 bits, as the server does it.
function shardOf(value: string, count: number): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(value)) {
    hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  }
  return String(hash % BigInt(count));
}

// How an item of this layout makes its attribute, such as `STU#{id}`; null if it has no such attribute, and so is not in
// an index that needs it. A key called like an attribute of the entity holds that attribute.
export function keyTemplate(model: Model, layout: ItemLayout, attribute: string): string | null {
  const made = layout.attributes.find((one) => one.name === attribute);
  if (made) return made.kind === 'template' ? (made.template ?? null) : `{${made.template ?? made.name}}`;
  const entity = model.entities.find((one) => one.name === layout.entity);
  const own = entity?.attributes.some((one) => one.name === attribute) && !layout.without.includes(attribute);
  return own ? `{${attribute}}` : null;
}
