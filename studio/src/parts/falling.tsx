// A write as a block that falls from above and splits: a part for the table, one for each index, one for the copies.
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Fall, FallPart } from '../design/fan_out.ts';
import { count, plural } from './numbers.ts';
import './falling.css';

const travelMs = 320;
const stepMs = 70; // Between two parts.
const blocksMost = 4; // More writes than these are one block with their number on it.

const sources = { designed: 'as designed', measured: 'measured by the engine', computed: 'by the sizes of the items' };

// Every part begins at the block above it and falls to its own place.
function play(stage: HTMLElement): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const easing = 'cubic-bezier(.2, 0, 0, 1)';
  const source = stage.querySelector('.fall-source')!;
  const from = source.getBoundingClientRect();
  source.animate([{ transform: 'translateY(-20px)', opacity: 0 }, { transform: 'none', opacity: 1 }], { duration: travelMs / 2, easing });
  stage.querySelectorAll<HTMLElement>('.fall-block').forEach((block, at) => {
    const to = block.getBoundingClientRect();
    const away = `translate(${from.left + from.width / 2 - to.left - to.width / 2}px, ${from.top - to.top}px)`;
    block.animate(
      [
        { transform: `${away} scale(0.6)`, opacity: 0 },
        { transform: away, opacity: 1, offset: 0.2 },
        { transform: 'none', opacity: 1 },
      ],
      { duration: travelMs * 1.6, delay: travelMs / 2 + at * stepMs, easing, fill: 'backwards' },
    );
  });
}

function Well({ part: { name, kind, writes, units, what } }: { part: FallPart }) {
  const blocks = writes > blocksMost ? 1 : writes;
  return (
    <li class="fall-well" data-kind={kind} data-idle={writes === 0 ? '' : undefined}>
      <div class="fall-blocks" aria-hidden="true">
        {Array.from({ length: blocks }, (_, at) => (
          <span key={at} class="fall-block">
            {writes > blocksMost ? `×${count(writes)}` : count(units / writes)}
          </span>
        ))}
      </div>
      <b>{name}</b>
      <span>{writes === 0 ? 'no write' : `${plural(writes, 'write')}, ${plural(units, 'unit')}`}</span>
      <small>{what}</small>
    </li>
  );
}

export function Falling({ fall, onClose }: { fall: Fall; onClose?: () => void }) {
  const stage = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => stage.current! && play(stage.current), [fall]);
  return (
    <figure class="falling" aria-label={`Where ${fall.title} goes`}>
      <div class="fall-stage" ref={stage}>
        <button class="fall-source" title="Let it fall again" onClick={() => play(stage.current!)}>
          {fall.title}
        </button>
        <ul class="fall-wells">
          {fall.parts.map((part) => (
            <Well key={part.name} part={part} />
          ))}
          <li class="fall-total">
            <b>{plural(fall.units, 'unit')}</b>
            <small>{sources[fall.source]}</small>
          </li>
        </ul>
      </div>
      {onClose && (
        <button class="fall-close" onClick={onClose}>
          <span aria-hidden="true">×</span>
          <span class="unseen">Close the picture of the write</span>
        </button>
      )}
    </figure>
  );
}
