// The parts of the ER picture: a box for each entity, a label for each relationship with the
// strategy that carries it, and lines between them with the cardinality at their ends.
import type { Model, ModelAttribute, ModelRelationship } from '../../../api/model.ts';
import { entityColour } from '../../../design/colours.ts';
import { layOut, type Box, type Layout, type Link } from './layout.ts';
import { wrapNote } from './notes.ts';

export interface EntityBox {
  name: string;
  line: number;
  colour: number; // Of the item types in tokens.css.
  attributes: ModelAttribute[]; // Those shown.
  hidden: number; // How many are not.
}

export interface RelationshipLabel {
  name: string;
  kind: ModelRelationship['kind'];
  lines: string[]; // Below the name: strategies, then cardinalities.
  strategies: string[];
  stated: number; // How many of the lines say the strategies.
}

// The words of an attribute's row, short enough not to meet in the middle. Bold letters are wider.
export function attributeTexts({ name, type, key, optional, unique, references }: ModelAttribute): { left: string; right: string } {
  const left = shorten(name + (optional ? '?' : ''), 18);
  const room = Math.floor((entityWidth - 30 - left.length * (key ? 8.2 : 7.2)) / 6.3);
  const tail = key ? ' · key' : unique ? ' · unique' : '';
  return { left, right: shorten(references ? `→ ${references.split('.')[0]}` : type, room - tail.length) + tail };
}

export function shorten(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, Math.max(0, max - 1))}…` : text;
}

export type End = 'one' | 'many' | 'none';

export interface Line {
  id: string;
  kind: 'relationship' | 'through' | 'reference' | 'note';
  from: string;
  to: string;
  fromEnd: End;
  toEnd: End;
}

// What a person wrote about an entity or a relationship.
export interface NoteBox {
  id: string;
  about: string; // The box that it belongs to.
  lines: string[];
}

export interface Picture {
  entities: EntityBox[];
  labels: RelationshipLabel[];
  notes: NoteBox[];
  lines: Line[];
  layout: Layout;
}

export const entityWidth = 212;
export const headHeight = 28;
export const rowHeight = 19;
export const labelLineHeight = 17;
export const noteLineHeight = 16;
export const noteWidth = 208;
const attributesMax = 14;

export const entityId = (name: string) => `entity ${name}`;
export const labelId = (name: string) => `relationship ${name}`;

interface Drawn {
  inUse?: ReadonlyMap<string, string[]>; // The strategies that the keys amount to, as soon as they are known.
  folded?: boolean; // Entities are their names and relationships theirs.
  noteOf?: (kind: 'entity' | 'relationship', name: string) => string;
}

export function drawPicture(model: Model, { inUse, folded = false, noteOf }: Drawn = {}): Picture {
  const entities = model.entities.map((entity) => entityBox(folded ? { ...entity, attributes: [] } : entity, entityColour(model, entity.name)));
  const labels = model.relationships.map((one) => relationshipLabel(one, inUse?.get(one.name) ?? [])).map((label) => (folded ? { ...label, lines: [], stated: 0 } : label));
  const notes = folded || !noteOf ? [] : notesOf(model, noteOf);
  const noteLines: Line[] = notes.map(({ id, about }) => ({ id, kind: 'note', from: about, to: id, fromEnd: 'none', toEnd: 'none' }));
  const lines = [...model.relationships.flatMap(relationshipLines), ...referenceLines(model), ...noteLines];
  const boxes: Box[] = [
    ...entities.map((entity) => ({ id: entityId(entity.name), width: folded ? foldedWidth(entity) : entityWidth, height: folded ? headHeight : entityHeight(entity) })),
    ...labels.map((label) => ({ id: labelId(label.name), ...labelSize(label) })),
    ...notes.map((note) => ({ id: note.id, width: noteWidth, height: noteLineHeight * note.lines.length + 16 })),
  ];
  const links: Link[] = lines.map(({ id, from, to }) => ({ id, from, to }));
  const across = Math.max(3, Math.ceil(Math.sqrt(entities.length)));
  const layout = layOut(boxes, links, { across, gapX: folded ? 16 : 28, gapY: folded ? 36 : 56, stub: folded ? 10 : 16 });
  return { entities, labels, notes, lines, layout };
}

function notesOf(model: Model, noteOf: NonNullable<Drawn['noteOf']>): NoteBox[] {
  const of = (kind: 'entity' | 'relationship', about: string, name: string): NoteBox[] => {
    const lines = wrapNote(noteOf(kind, name));
    return lines.length > 0 ? [{ id: `note ${about}`, about, lines }] : [];
  };
  return [...model.entities.flatMap(({ name }) => of('entity', entityId(name), name)), ...model.relationships.flatMap(({ name }) => of('relationship', labelId(name), name))];
}

function entityBox({ name, line, attributes }: Model['entities'][number], colour: number): EntityBox {
  const shown = attributes.length > attributesMax ? attributes.slice(0, attributesMax - 1) : attributes;
  return { name, line, colour, attributes: shown, hidden: attributes.length - shown.length };
}

const foldedWidth = ({ name }: EntityBox) => Math.min(entityWidth, Math.max(64, Math.round(name.length * 8.5) + 24));

export function entityHeight(entity: EntityBox): number {
  return headHeight + rowHeight * (entity.attributes.length + (entity.hidden > 0 ? 1 : 0)) + 6;
}

export function labelSize(label: RelationshipLabel): { width: number; height: number } {
  const longest = Math.max(label.name.length * 1.1, ...label.lines.map((line) => line.length));
  return { width: Math.round(Math.max(label.lines.length > 0 ? 90 : 48, longest * 6.9 + 36)), height: labelLineHeight * (1 + label.lines.length) + 12 };
}

function relationshipLabel(relationship: ModelRelationship, inUse: string[]): RelationshipLabel {
  const strategies = relationship.strategies;
  // What the keys amount to is what the advice and the switcher say; the text may state less, or something else.
  const carried = inUse.length > 0 ? inUse : strategies;
  const stated = carried.length > 0 ? wrap(carried, strategies.length > 0 ? undefined : '(by its keys)') : ['no strategy stated'];
  return {
    name: relationship.name,
    kind: relationship.kind,
    strategies,
    stated: stated.length,
    lines: [
      ...stated,
      ...(relationship.levels.length > 0 ? [relationship.levels.join(' › ')] : []),
      ...relationship.cardinalities.map(describeCardinality),
    ],
  };
}

const lineMost = 34; // Letters of one line of strategies.

// A plus sign at the end of a line says that it goes on.
function wrap(strategies: string[], tail?: string): string[] {
  const lines: string[] = [];
  for (const [at, word] of [...strategies.map((one, i) => (i + 1 < strategies.length ? `${one} +` : one)), ...(tail ? [tail] : [])].entries()) {
    if (at > 0 && `${lines.at(-1)} ${word}`.length <= lineMost) lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
  }
  return lines;
}

function describeCardinality({ entity, average, bound }: ModelRelationship['cardinalities'][number]): string {
  const count = (value: number) => value.toLocaleString('en-GB', { maximumFractionDigits: 2 });
  return `each ${entity}: ~${count(average)}, ${bound > 0 ? `at most ${count(bound)}` : 'unbounded'}`;
}

// A link entity hangs below the label, so that both sides stand above it.
function relationshipLines(relationship: ModelRelationship): Line[] {
  const { name, kind, from, to, through } = relationship;
  const label = labelId(name);
  const line = (end: 'from' | 'to' | 'through', of: Omit<Line, 'id'>): Line => ({ id: `${label} ${end}`, ...of });
  if (kind === 'hierarchy' || to === '') {
    return [line('from', { kind: 'through', from: entityId(from), to: label, fromEnd: 'none', toEnd: 'none' })];
  }
  const start: End = kind === 'many-to-many' ? 'many' : 'one';
  const finish: End = kind === 'one-to-one' ? 'one' : 'many';
  const lines = [line('from', { kind: 'relationship', from: entityId(from), to: label, fromEnd: start, toEnd: 'none' })];
  if (through || from === to) {
    lines.push(line('to', { kind: 'relationship', from: entityId(to), to: label, fromEnd: finish, toEnd: 'none' }));
  } else {
    lines.push(line('to', { kind: 'relationship', from: label, to: entityId(to), fromEnd: 'none', toEnd: finish }));
  }
  if (through) {
    lines.push(line('through', { kind: 'through', from: label, to: entityId(through), fromEnd: 'none', toEnd: 'none' }));
  }
  return lines;
}

// References that no relationship stands for.
function referenceLines(model: Model): Line[] {
  const told = new Set<string>();
  for (const { from, to, through } of model.relationships) {
    for (const [a, b] of [[from, to], [from, through], [to, through]]) told.add(`${a} ${b}`).add(`${b} ${a}`);
  }
  const lines = new Map<string, Line>();
  for (const entity of model.entities) {
    for (const { references } of entity.attributes) {
      const target = references?.split('.')[0];
      if (!target || target === entity.name || told.has(`${target} ${entity.name}`)) continue;
      const id = `reference ${entity.name} ${target}`;
      lines.set(id, { id, kind: 'reference', from: entityId(target), to: entityId(entity.name), fromEnd: 'one', toEnd: 'many' });
    }
  }
  return [...lines.values()];
}

export function placeOf(picture: Picture, kind: 'entity' | 'relationship', name: string) {
  return picture.layout.boxes.get(kind === 'entity' ? entityId(name) : labelId(name));
}

// The nearest box in a direction, for the arrow keys; null at the edge of the picture.
export function neighbour(
  picture: Picture,
  from: string,
  direction: 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight',
): string | null {
  const here = picture.layout.boxes.get(from);
  if (!here) return null;
  const centre = (box: { x: number; y: number; width: number; height: number }) => ({ x: box.x + box.width / 2, y: box.y });
  const start = centre(here);
  let best: { id: string; distance: number } | null = null;
  for (const box of picture.layout.boxes.values()) {
    const dx = centre(box).x - start.x;
    const dy = box.row - here.row;
    const fits =
      direction === 'ArrowUp' ? dy < 0 : direction === 'ArrowDown' ? dy > 0 : dy === 0 && (direction === 'ArrowLeft' ? dx < 0 : dx > 0);
    const distance = Math.abs(dy) * 10_000 + Math.abs(dx);
    if (fits && (!best || distance < best.distance)) best = { id: box.id, distance };
  }
  return best?.id ?? null;
}
