// Key templates of the model, such as "STU#{id}": what they need, and what they give for values.

export type TemplatePart = string | { attribute: string; pad?: number; fold?: 'lower' | 'upper'; shard?: number };

export function readTemplate(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  for (const piece of template.split(/(\{[^}]*\})/)) {
    if (piece === '') continue;
    if (!piece.startsWith('{')) {
      parts.push(piece);
      continue;
    }
    const words = piece.slice(1, -1).trim().split(/\s+/);
    if (words[0] === 'shard' && words[2] === 'of') parts.push({ attribute: words[3] ?? '', shard: Number(words[1]) });
    else if (words[1] === 'pad') parts.push({ attribute: words[0]!, pad: Number(words[2]) });
    else if (words[1] === 'lower' || words[1] === 'upper') parts.push({ attribute: words[0]!, fold: words[1] });
    else parts.push({ attribute: words[0]! });
  }
  return parts;
}

export function attributesOf(template: string): string[] {
  return readTemplate(template).flatMap((part) => (typeof part === 'string' ? [] : [part.attribute]));
}

export interface Rendered {
  text: string;
  complete: boolean;
}

// Fills in from the left and stops at the first value that is missing. What it gives then is a prefix that ends with a fixed
// piece: `NY#NEWYORK` would also find NEWYORKCITY, `NY#NEWYORK#` does not.
export function render(template: string, values: Readonly<Record<string, string>>): Rendered {
  let text = '';
  for (const part of readTemplate(template)) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const value = values[part.attribute];
    // The server alone knows which shard a value falls into.
    if (value === undefined || value === '' || part.shard !== undefined) return { text, complete: false };
    text += part.pad ? value.padStart(part.pad, '0') : part.fold === 'lower' ? value.toLowerCase() : part.fold === 'upper' ? value.toUpperCase() : value;
  }
  return { text, complete: true };
}
