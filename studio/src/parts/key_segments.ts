// A key such as ENROLL#CRS#math204 is fixed words with values between them, each in the colour of what it identifies.
import { prefixColour, type ColourOf } from '../design/colours.ts';
import { matchTemplate, parseTemplate } from '../design/key_template.ts';

export interface Segment {
  text: string;
  attribute: string | null; // Null: a fixed word, or the number of a shard.
  colour: number; // 0 … entityColours - 1; of no meaning for a word.
}

const word = (text: string): Segment => ({ text, attribute: null, colour: 0 });

export function templateSegments(template: string, colourOf: ColourOf): Segment[] {
  return parseTemplate(template).map(({ text, attribute }) =>
    attribute === undefined ? word(text) : { text, attribute, colour: colourOf(attribute) },
  );
}

// The parts of a stored key. A value that does not follow the template is split at its `#` signs: each part has the colour of the word
// before it.
export function valueSegments(value: string, template: string | null, colourOf: ColourOf): Segment[] {
  const pieces = template === null ? null : matchTemplate(template, value);
  if (pieces) {
    return pieces.map(({ text, attribute }) => (attribute === null ? word(text) : { text, attribute, colour: colourOf(attribute) }));
  }
  const parts = value.split(/(?<=#)/).filter((part) => part !== '');
  return parts.map((part, at) => (part.endsWith('#') ? word(part) : { text: part, attribute: '', colour: prefixColour(parts[at - 1] ?? part) }));
}

// At most so many characters, with the middle left out: keys differ at their ends.
export function cutMiddle(segments: Segment[], most: number): Segment[] {
  const length = segments.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= most) return segments;
  const keep = Math.max(2, most - 1);
  const [from, to] = [Math.ceil(keep / 2), length - Math.floor(keep / 2)];
  let start = 0;
  return segments.flatMap((segment) => {
    const at = start;
    start += segment.text.length;
    const before = segment.text.slice(0, Math.max(0, from - at));
    const after = segment.text.slice(Math.max(0, to - at));
    // The dots stand in the segment in which the cut begins.
    const dots = at <= from && from < start ? '…' : '';
    const text = `${before}${dots}${after}`;
    return text === '' ? [] : [{ ...segment, text }];
  });
}
