// A key or its template with coloured segments. Colour is never the only sign: in a template values
// stand in braces, in a stored key they are heavier than the fixed words.
import './key_text.css';
import type { Model } from '../api/model.ts';
import { model } from '../design/design.ts';
import { segmentColoursOf } from '../design/colours.ts';
import { cutMiddle, templateSegments, valueSegments } from './key_segments.ts';

interface KeyTextProps {
  entity: string;
  template: string | null; // null: not known, as for an item that no entity describes.
  value?: string; // A stored key; without it the template itself is shown.
  most?: number; // Characters; what is longer is cut in the middle.
  of?: Model; // The design that the entity belongs to, if it is not the one that is open.
}

export function KeyText({ entity, template, value, most = Infinity, of }: KeyTextProps) {
  const colourOf = segmentColoursOf(of ?? model.value, entity);
  const whole = value === undefined ? templateSegments(template ?? '', colourOf) : valueSegments(value, template, colourOf);
  const segments = cutMiddle(whole, most);
  return (
    <code class="key-text">
      {segments.map((segment, i) =>
        segment.attribute === null ? (
          <span key={i} class="key-word">
            {segment.text}
          </span>
        ) : (
          <span key={i} class={`key-value key-value-${segment.colour}`} title={segment.attribute || undefined}>
            {segment.text}
          </span>
        ),
      )}
    </code>
  );
}
