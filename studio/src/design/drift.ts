// Where a stored item is not as the model says: an audit of what is on the page. `prejoin audit` does the same for whole
// tables; this says it of the items that somebody looks at.
import { member, show, typeOf, type AttributeValue, type Item } from '../api/attribute_value.ts';
import type { ItemLayout, Model, ModelAttribute, ModelTable } from '../api/model.ts';
import { lockOf, type Decoder } from './decode.ts';
import { attributesIn, keyTemplate, matchTemplate, renderTemplate } from './key_template.ts';
import { keyText } from './order.ts';

const stored: Record<string, string> = { text: 'S', number: 'N', bool: 'BOOL', binary: 'B', list: 'L', map: 'M' };

// One sentence for each thing that does not fit; empty if all does. `partial`: what is missing may be in the table.
export function driftOf(model: Model, tableName: string, decoder: Decoder, item: Item, partial = false): string[] {
  const table = model.tables.find(({ name }) => name === tableName);
  if (table && lockOf(table, item)) return [];
  const known = decoder.attributesOf(item) ?? (table ? byTableKeys(model, table, item) : null);
  const layout = table?.items.find(({ entity }) => entity === known?.entity);
  const entity = model.entities.find(({ name }) => name === known?.entity);
  if (!table || !known || !layout || !entity) return ['No entity of the design makes an item with these keys.'];
  return [
    ...wrongKeys(layout, known.attributes, item, partial),
    ...entity.attributes.flatMap((attribute) => wrongAttribute(layout, attribute, member(known.attributes, attribute.name), partial)),
    ...strangers(layout, entity.attributes, table.typeAttribute, item),
  ];
}

// An item whose own keys say what it is, though its other keys say something else.
export function byTableKeys(model: Model, table: ModelTable, item: Item): { entity: string; attributes: Record<string, AttributeValue> } | null {
  let best: { entity: string; weight: number; attributes: Record<string, AttributeValue> } | null = null;
  for (const layout of table.items) {
    const pieces = [table.partition, table.sort].filter((name) => name !== '').map((name) => {
      const value = member(item, name);
      const template = keyTemplate(model, layout, name);
      return value && template !== null ? matchTemplate(template, keyText(value)) : null;
    });
    if (pieces.some((one) => one === null)) continue;
    const all = pieces.flatMap((one) => one!);
    const weight = all.reduce((sum, { text, attribute }) => sum + (attribute === null ? text.length : 0), 0);
    const read = Object.fromEntries(all.flatMap(({ text, attribute }): [string, AttributeValue][] => (attribute === null ? [] : [[attribute, { S: text }]])));
    if (weight > (best?.weight ?? 0)) best = { entity: layout.entity, weight, attributes: { ...read, ...own(model, layout.entity, item) } };
  }
  return best;
}

function own(model: Model, entity: string, item: Item): Record<string, AttributeValue> {
  const names = model.entities.find(({ name }) => name === entity)?.attributes.map(({ name }) => name) ?? [];
  return Object.fromEntries(names.flatMap((name) => (member(item, name) ? [[name, item[name]!]] : [])));
}

function wrongKeys(layout: ItemLayout, attributes: Record<string, AttributeValue>, item: Item, partial: boolean): string[] {
  const texts = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, show(value)]));
  return layout.attributes.flatMap(({ name, kind, template }) => {
    if (kind !== 'template' || template === undefined) return [];
    const right = renderTemplate(template, texts);
    const value = member(item, name);
    if (right === null) return [];
    if (!value) return partial ? [] : [`${name} is missing; the design makes “${right}”.`];
    return keyText(value) === right ? [] : [`${name} is “${keyText(value)}”; the design makes “${right}”.`];
  });
}

function wrongAttribute(layout: ItemLayout, { name, type, optional, values }: ModelAttribute, value: AttributeValue | undefined, partial: boolean): string[] {
  if (!value) {
    const inKeys = layout.attributes.some((one) => one.kind === 'template' && attributesIn(one.template ?? '').includes(name));
    return optional || partial || inKeys ? [] : [`${name} is missing.`];
  }
  const wanted = stored[type];
  // A value read from a key is text there, whatever its type.
  const inKeys = layout.without.includes(name);
  if (!inKeys && wanted !== undefined && typeOf(value) !== wanted) return [`${name} is stored as ${typeOf(value)}; the design says ${type}.`];
  if (values && values.length > 0 && 'S' in value && !values.includes(value.S)) return [`${name} is “${value.S}”, which is none of ${values.join(', ')}.`];
  return [];
}

function strangers(layout: ItemLayout, attributes: ModelAttribute[], typeAttribute: string, item: Item): string[] {
  const spoken = new Set([typeAttribute, ...attributes.map(({ name }) => name), ...layout.attributes.map(({ name }) => name)]);
  return Object.keys(item)
    .filter((name) => !spoken.has(name))
    .map((name) => `${name} is not in the design.`);
}
