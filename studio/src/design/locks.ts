// The lock items that keep an item's unique attributes unique, as the design makes them.
import { plain, type Item } from '../api/attribute_value.ts';
import { model as api, type Model } from '../api/model.ts';
import { makeDecoder } from './decode.ts';

export async function locksOf(model: Model, source: string, table: { name: string; keys: string[] }, item: Item): Promise<Item[]> {
  if (!source.includes('by lock item')) return [];
  const known = makeDecoder(model, table.name, table.keys).attributesOf(item);
  if (!known) return [];
  const attributes = Object.fromEntries(Object.entries(known.attributes).map(([name, value]) => [name, plain(value)]));
  return api.item(source, known.entity, attributes, false).then(({ locks }) => locks ?? [], () => []);
}
