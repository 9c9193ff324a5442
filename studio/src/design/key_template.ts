// How an item's key attribute is made.
import type { ItemLayout, Model } from '../api/model.ts';

// Such as `STU#{id}`; null if items of this layout have no such attribute, and so are not in an index
// that needs it. A key called like an attribute of the entity holds that attribute.
export function keyTemplate(model: Model, layout: ItemLayout, attribute: string): string | null {
  const made = layout.attributes.find((one) => one.name === attribute);
  if (made) return made.kind === 'template' ? (made.template ?? null) : `{${made.template ?? made.name}}`;
  const entity = model.entities.find((one) => one.name === layout.entity);
  const own = entity?.attributes.some((one) => one.name === attribute) && !layout.without.includes(attribute);
  return own ? `{${attribute}}` : null;
}
