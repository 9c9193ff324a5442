// Keys that an edit leaves behind: the model makes GSI1PK of `author`, and only `author` was changed.
import { show, type Item } from '../api/attribute_value.ts';
import type { Model } from '../api/model.ts';
import { makeDecoder } from './decode.ts';
import { renderTemplate } from './key_template.ts';
import { keyText } from './order.ts';

export interface StaleKey {
  name: string;
  now: string;
  right: string;
}

// `keys` are the table's own; they cannot change in place and are left out.
export function staleKeys(model: Model | null, table: string, keys: string[], after: Item): StaleKey[] {
  const known = makeDecoder(model, table, keys).attributesOf(after);
  const layout = model?.tables.find(({ name }) => name === table)?.items.find(({ entity }) => entity === known?.entity);
  if (!known || !layout) return [];
  const texts = Object.fromEntries(Object.entries(known.attributes).map(([name, value]) => [name, show(value)]));
  return layout.attributes.flatMap(({ name, kind, template }) => {
    const value = Object.hasOwn(after, name) ? after[name] : undefined;
    if (kind !== 'template' || template === undefined || keys.includes(name) || !value) return [];
    const right = renderTemplate(template, texts);
    return right === null || right === keyText(value) ? [] : [{ name, now: keyText(value), right }];
  });
}
