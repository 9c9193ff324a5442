// Which colour belongs to what, the same in every view. Entities take theirs in the order of the file. Values in keys take
// theirs by identity: `studentId` of an edge has the colour of `id` of the Student that it references.
import type { Model } from '../api/model.ts';
import { attributesIn, keyTemplate } from './key_template.ts';

export const entityColours = 8; // --type-0 … in tokens.css.
export const segmentColours = 8; // --segment-0 … in tokens.css.

export type ColourOf = (attribute: string) => number;

// 0 … entityColours - 1. What the model does not know gets the last.
export function entityColour(model: Model | null, entity: string): number {
  const at = model?.entities.findIndex(({ name }) => name === entity) ?? -1;
  return at < 0 ? entityColours - 1 : at % entityColours;
}

// The style of an element that shows something in the colour of an entity.
export const colourStyle = (colour: number) => ({
  '--type': `var(--type-${colour})`,
  '--type-ink': `var(--type-${colour}-ink)`,
});

const known = new WeakMap<Model, Map<string, number>>();

function coloursIn(model: Model): Map<string, number> {
  const colours = new Map<string, number>();
  for (const layout of model.tables.flatMap((table) => table.items)) {
    for (const { name, kind } of layout.attributes) {
      if (kind !== 'template' && kind !== 'attribute') continue;
      for (const attribute of attributesIn(keyTemplate(model, layout, name) ?? '')) {
        const root = rootOf(model, layout.entity, attribute);
        if (!colours.has(root)) colours.set(root, colours.size % segmentColours);
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

// The attribute that an attribute references in the end, as Entity.attribute.
export function rootOf(model: Model, entity: string, attribute: string): string {
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
