// Values that are in the data, offered where a parameter or an attribute is asked for.
import { show, type Item } from '../../api/attribute_value.ts';
import type { Model } from '../../api/model.ts';
import type { Decoder } from '../../design/decode.ts';
import type { Side } from './side.ts';

const rowsMax = 3_000;
export const valuesMax = 40;

// Up to forty values of each attribute of each entity, as "Entity.attribute" → values.
export function collectValues(side: Side, decoder: Decoder): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  let rows = 0;
  for (const collection of side.collections) {
    for (const row of collection.rows) {
      if (++rows > rowsMax) return found;
      const known = decoder.attributesOf(JSON.parse(row.json) as Item);
      for (const [name, value] of Object.entries(known?.attributes ?? {})) {
        if ('M' in value || 'L' in value) continue;
        const path = `${known!.entity}.${name}`;
        let values = found.get(path);
        if (!values) found.set(path, (values = new Set()));
        if (values.size < valuesMax) values.add(show(value));
      }
    }
  }
  return found;
}

// The attribute that is referenced has more values than the one that refers to it.
export function valuesFor(model: Model, found: Map<string, Set<string>>, path: string): string[] {
  const [entity, name] = path.split('.');
  const attribute = model.entities.find((one) => one.name === entity)?.attributes.find((one) => one.name === name);
  const values = new Set<string>(attribute?.values?.map(String) ?? []);
  for (const source of [attribute?.references, path]) {
    for (const value of (source && found.get(source)) || []) values.add(value);
  }
  return [...values];
}

// Values for parameters, those of one entity from one and the same item. Empty if some have none.
export function oneOf(model: Model, side: Side, decoder: Decoder, asked: { name: string; attribute: string }[]): Record<string, string> {
  const found = collectValues(side, decoder);
  const chosen: Record<string, string> = {};
  for (const collection of side.collections.slice(0, rowsMax)) {
    for (const row of collection.rows.slice(0, 1 + valuesMax)) {
      const known = decoder.attributesOf(JSON.parse(row.json) as Item);
      const own = asked.filter(({ attribute }) => attribute.startsWith(`${known?.entity}.`));
      if (own.length === 0 || own.some(({ name, attribute }) => name in chosen || !known!.attributes[attribute.slice(known!.entity.length + 1)])) continue;
      for (const { name, attribute } of own) chosen[name] = show(known!.attributes[attribute.slice(known!.entity.length + 1)]!);
    }
  }
  for (const { name, attribute } of asked) chosen[name] ??= valuesFor(model, found, attribute)[0] ?? '';
  return Object.values(chosen).includes('') ? {} : chosen;
}
