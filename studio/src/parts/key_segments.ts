// A key such as ENROLL#CRS#math204 is fixed words with values between them, each in the colour of what it identifies.
import { segmentColours, type ColourOf } from '../design/colours.ts';
import { matchTemplate, parseTemplate } from '../design/key_template.ts';

export interface Segment {
  text: string;
  attribute: string | null; // Null: a fixed word, or the number of a shard.
  colour: number; // 0 … segmentColours - 1; of no meaning for a word.
}

const word = (text: string): Segment => ({ text, attribute: null, colour: 0 });

export function templateSegments(template: string, colourOf: ColourOf): Segment[] {
  return parseTemplate(template).map(({ text, attribute }) =>
    attribute === undefined ? word(text) : { text, attribute, colour: colourOf(attribute) },
  );
}

// The parts of a stored key. A value that does not follow the template is split at its `#` signs: what is between them gets
// the colours in turn.
export function valueSegments(value: string, template: string | null, colourOf: ColourOf): Segment[] {
  const pieces = template === null ? null : matchTemplate(template, value);
  if (pieces) {
    return pieces.map(({ text, attribute }) => (attribute === null ? word(text) : { text, attribute, colour: colourOf(attribute) }));
  }
  let turn = 0;
  return value
    .split(/(?<=#)/)
    .map((part) => (part.endsWith('#') ? word(part) : { text: part, attribute: '', colour: turn++ % segmentColours }))
    .filter((segment) => segment.text !== '');
}
