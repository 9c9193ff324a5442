// A key such as ENROLL#CRS#math204 is fixed words with values between them. The same attribute has
// the same colour wherever it stands: `studentId` in a table's key and in an index's, and `id` of the
// Student that it references.
import type { Model } from '../api/model.ts';
import { keyTemplate } from '../design/key_template.ts';

export interface Segment {
  text: string;
  attribute: string | null; // null: a fixed word.
  colour: number; // 0 … segmentColours - 1; of no meaning for a word.
}

export const segmentColours = 4; // --segment-0 … in tokens.css.

export type ColourOf = (attribute: string) => number;

const placeholder = /\{([^{}]*)\}/g;

// The attribute inside `{…}`: `{n pad 6}`, `{n lower}`, `{shard 8 of n}` all hold n.
export function attributeIn(hole: string): string {
  const words = hole.trim().split(/\s+/);
  return (words[0] === 'shard' && words[2] === 'of' ? words[3] : words[0]) ?? '';
}

export function templateSegments(template: string, colourOf: ColourOf): Segment[] {
  const segments: Segment[] = [];
  let end = 0;
  for (const match of template.matchAll(placeholder)) {
    if (match.index > end) segments.push(word(template.slice(end, match.index)));
    const attribute = attributeIn(match[1]!);
    segments.push({ text: match[0], attribute, colour: colourOf(attribute) });
    end = match.index + match[0].length;
  }
  if (end < template.length) segments.push(word(template.slice(end)));
  return segments;
}

// The parts of a stored key. A value that does not follow the template is split at its `#` signs:
// what is between them gets the colours in turn.
export function valueSegments(value: string, template: string | null, colourOf: ColourOf): Segment[] {
  const form = template === null ? null : templateSegments(template, colourOf);
  const match = form && new RegExp(`^${form.map(pattern).join('')}$`, 's').exec(value);
  if (form && match) {
    return form
      .map((segment, i) => ({ ...segment, text: match[i + 1] ?? '' }))
      .filter((segment) => segment.text !== '');
  }
  let turn = 0;
  return value
    .split(/(?<=#)/)
    .map((part) =>
      part.endsWith('#') ? word(part) : { text: part, attribute: '', colour: turn++ % segmentColours },
    )
    .filter((segment) => segment.text !== '');
}

function pattern(segment: Segment): string {
  return segment.attribute === null ? `(${segment.text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')})` : '(.*?)';
}

function word(text: string): Segment {
  return { text, attribute: null, colour: 0 };
}

const known = new WeakMap<Model, Map<string, number>>();

// Colours go in turn to the attributes that keys are made of, in the order of the file.
function coloursIn(model: Model): Map<string, number> {
  const colours = new Map<string, number>();
  for (const table of model.tables) {
    for (const layout of table.items) {
      for (const { name, kind } of layout.attributes) {
        if (kind !== 'template' && kind !== 'attribute') continue;
        for (const match of (keyTemplate(model, layout, name) ?? '').matchAll(placeholder)) {
          const root = rootOf(model, layout.entity, attributeIn(match[1]!));
          if (!colours.has(root)) colours.set(root, colours.size % segmentColours);
        }
      }
    }
  }
  return colours;
}

// Colours for the attributes of one entity. Cheap: a grid asks for every cell.
export function segmentColoursOf(model: Model | null, entity: string): ColourOf {
  if (!model) return () => 0;
  let colours = known.get(model);
  if (!colours) known.set(model, (colours = coloursIn(model)));
  return (attribute) => colours.get(rootOf(model, entity, attribute)) ?? 0;
}

// What an attribute references in the end, as Entity.attribute.
function rootOf(model: Model, entity: string, attribute: string): string {
  let here = `${entity}.${attribute}`;
  for (let steps = 0; steps < model.entities.length; ++steps) {
    const [owner, name] = here.split('.');
    const references = model.entities
      .find((one) => one.name === owner)
      ?.attributes.find((one) => one.name === name)?.references;
    if (!references) break;
    here = references;
  }
  return here;
}
