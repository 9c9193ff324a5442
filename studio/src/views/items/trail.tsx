// The way of the selected item between its two homes. While it travels a curve is drawn behind it; afterwards there
// is a mark at each end, and the one at the old home says where that was and leads back. The next action takes it all away.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { setQuery } from '../../app/route.ts';
import { keyOf } from './changes.ts';
import { data, selectedItem, split, wish } from './state.ts';

interface Point {
  x: number;
  y: number;
  bottom: number; // Of the row, and how far its end is from the right.
  right: number;
}

interface Home {
  index: string | null;
  at: Point;
}

export interface Trail {
  from: Home;
  to: Home;
}

export const trail = signal<Trail | null>(null);

const frame = () => document.querySelector('.items-view .panes');

function pointOf(rect: DOMRect): Point {
  const around = frame()!.getBoundingClientRect();
  return { x: rect.left - around.left, y: rect.top + Math.min(rect.height / 2, 24) - around.top, bottom: rect.bottom - around.top, right: around.right - rect.right };
}

// The item has left one place of the picture for another; called when it begins to fly.
export function leaveTrail(from: { index: string | null; rect: DOMRect }, to: { index: string | null; rect: DOMRect }): void {
  if (!frame()) return;
  trail.value = { from: { index: from.index, at: pointOf(from.rect) }, to: { index: to.index, at: pointOf(to.rect) } };
}

// With both sides in sight, the curve joins the item's two rows, and a shade of the row goes over.
export function joinSides(id: string): void {
  const panes = [...document.querySelectorAll<HTMLElement>('.items-view .pane')];
  const rows = panes.map((pane) => pane.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`));
  const [one, other] = rows;
  if (!one || !other) return;
  const index = (pane: HTMLElement) => (pane.dataset['side'] === 'table' ? null : (pane.dataset['side'] ?? null));
  const [from, to] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
  leaveTrail({ index: index(panes[0]!), rect: from }, { index: index(panes[1]!), rect: to });
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  other.animate([{ transform: `translate(${from.left - to.left}px, ${from.top - to.top}px)`, opacity: 0.4 }, { transform: 'none', opacity: 1 }], {
    duration: 320,
    easing: 'cubic-bezier(.2, 0, 0, 1)',
  });
}

interface Curve {
  from: { x: number; y: number };
  to: { x: number; y: number };
  path: string;
}

// It keeps off the keys. Side by side, it joins the edges that face each other; one above the other, the ends of the rows, where most have
// room.
function curveOf({ from: { at: a }, to: { at: b } }: Trail, width: number): Curve {
  const end = ({ right, y }: Point) => ({ x: width - right, y });
  if (Math.abs(a.x - b.x) > 40) {
    const [from, to] = a.x < b.x ? [end(a), b] : [a, end(b)];
    const middle = (from.x + to.x) / 2;
    return { from, to, path: `M ${from.x} ${from.y} C ${middle} ${from.y}, ${middle} ${to.y}, ${to.x} ${to.y}` };
  }
  const [from, to] = [end(a), end(b)];
  const swing = Math.min(90, 30 + Math.abs(from.y - to.y) / 4);
  return { from, to, path: `M ${from.x} ${from.y} C ${from.x - swing} ${from.y}, ${to.x - swing} ${to.y}, ${to.x} ${to.y}` };
}

function goTo(index: string | null): void {
  setQuery({ index: index ?? undefined });
  wish.value += 1;
}

export function TrailMarks() {
  const now = trail.value;
  const marks = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!now) return;
    const end = (event: Event) => {
      if (!(event.target instanceof Node && marks.current?.contains(event.target))) trail.value = null;
    };
    const actions = ['pointerdown', 'keydown', 'wheel', 'resize'];
    for (const action of actions) addEventListener(action, end, { capture: true, passive: true });
    return () => actions.forEach((action) => removeEventListener(action, end, { capture: true }));
  }, [now]);
  const item = selectedItem.value;
  if (!now || !item || !data.value) return null;
  const name = ({ index }: Home) => `${index ?? 'Table'}: ${keyOf(item, data.value!.keys(index))}`;
  const place = ({ at }: Home) => ({ top: `${at.bottom}px`, right: `${at.right + 8}px` });
  const { from, to, path } = curveOf(now, frame()?.clientWidth ?? 0);
  return (
    <div class="trail" ref={marks} role="group" aria-label="Where the item is">
      <svg aria-hidden="true">
        <path class="trail-line" d={path} pathLength={1} />
        <circle cx={from.x} cy={from.y} r={4} />
        <circle class="trail-end" cx={to.x} cy={to.y} r={5} />
      </svg>
      {split.value ? null : (
        <button class="trail-mark trail-old" style={place(now.from)} onClick={() => goTo(now.from.index)}>
          ↩ Back to {name(now.from)}
        </button>
      )}
      <span class="unseen">Now in {name(now.to)}</span>
    </div>
  );
}
