// A part of a large model: what is near one entity. Sixty boxes at once say little; five say how one belongs together.
import type { Model } from '../../../api/model.ts';

export const manyEntities = 16; // From here on the picture offers to show a part.

// The names of the entities that a relationship or a reference joins directly.
export function neighboursOf(model: Model, name: string): Set<string> {
  const near = new Set([name]);
  for (const { from, to, through } of model.relationships) {
    const ends = [from, to, through].filter((one) => one !== '');
    if (ends.includes(name)) ends.forEach((one) => near.add(one));
  }
  for (const entity of model.entities) {
    for (const { references } of entity.attributes) {
      const target = references?.split('.')[0];
      if (target === name) near.add(entity.name);
      if (entity.name === name && target !== undefined) near.add(target);
    }
  }
  return near;
}

// The entities that a table holds.
export function entitiesIn(model: Model, table: string): Set<string> {
  return new Set(model.tables.find(({ name }) => name === table)?.items.map(({ entity }) => entity) ?? []);
}

// The model with nothing but these entities, and what joins them.
export function partOf(model: Model, names: Set<string>): Model {
  return {
    ...model,
    entities: model.entities.filter(({ name }) => names.has(name)),
    relationships: model.relationships.filter(({ from, to, through }) => [from, to, through].every((one) => one === '' || names.has(one))),
  };
}
