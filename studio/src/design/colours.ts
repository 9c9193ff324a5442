// Which colour belongs to what, the same in every view: one colour for each entity, in the order of the file.
import type { Model } from '../api/model.ts';

export const entityColours = 8; // --type-0 … in tokens.css.

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

// Colours for the attributes of one entity: what an attribute identifies is coloured like the entity that it leads to, so that COURSE#C1
// has the colour of Course wherever it stands.
export function segmentColoursOf(model: Model | null, entity: string): ColourOf {
  if (!model) return () => entityColours - 1;
  return (attribute) => entityColour(model, rootOf(model, entity, attribute).split('.')[0]!);
}

const prefixes = new Map<string, number>();

// Of a table that no model describes: the words before the values, in the order in which they were first seen.
export function prefixColour(word: string): number {
  const name = word.replace(/#$/, '').toUpperCase();
  if (!prefixes.has(name)) prefixes.set(name, prefixes.size % entityColours);
  return prefixes.get(name)!;
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
