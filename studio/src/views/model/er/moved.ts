// Boxes that a person has dragged. Where they lie is kept in this browser, for each design; lines follow them.
import { batch, computed, signal } from '@preact/signals';
import { openName } from '../../../design/design.ts';
import type { Extent } from './camera.ts';
import type { Layout, Placed, Point } from './layout.ts';
import type { Picture } from './picture.ts';

// From where the layout puts a box, by its id.
export type Moves = Readonly<Record<string, Point>>;

const stub = 16;
const keyOf = (design: string) => `prejoin-chart:${design}`;

function stored(design: string): Moves {
  try {
    const found = JSON.parse(localStorage.getItem(keyOf(design)) ?? '{}') as Record<string, Point>;
    return Object.fromEntries(Object.entries(found).filter(([, at]) => Number.isFinite(at?.x) && Number.isFinite(at?.y)));
  } catch {
    return {}; // Not what this page wrote.
  }
}

const changes = signal(0);
// The box that is being dragged.
const held = signal<{ id: string; to: Point } | null>(null);
const kept = computed<Moves>(() => (changes.value, stored(openName.value)));
export const moves = computed<Moves>(() => (held.value ? { ...kept.value, [held.value.id]: held.value.to } : kept.value));

export const holdBox = (id: string, to: Point): void => void (held.value = { id, to });

export function dropBox(): void {
  const last = held.peek();
  if (!last) return;
  localStorage.setItem(keyOf(openName.peek()), JSON.stringify({ ...kept.peek(), [last.id]: { x: Math.round(last.to.x), y: Math.round(last.to.y) } }));
  batch(() => {
    held.value = null;
    changes.value += 1;
  });
}

// Back to the places that the layout finds.
export function tidy(): void {
  localStorage.removeItem(keyOf(openName.peek()));
  changes.value += 1;
}

// From the middle of the edge that faces the other box.
function directRoute(from: Placed, to: Placed): Point[] {
  const down = from.y + from.height / 2 <= to.y + to.height / 2;
  const start = { x: from.x + from.width / 2, y: down ? from.y + from.height : from.y };
  const end = { x: to.x + to.width / 2, y: down ? to.y : to.y + to.height };
  const away = down ? stub : -stub;
  return [start, { x: start.x, y: start.y + away }, { x: end.x, y: end.y - away }, end];
}

// The picture with the boxes where they were dragged to; lines of a dragged box go straight to it.
export function withMoves(picture: Picture, moved: Moves): Picture {
  const { layout, lines } = picture;
  if (![...layout.boxes.keys()].some((id) => moved[id])) return picture;
  const boxes = new Map<string, Placed>();
  for (const [id, box] of layout.boxes) boxes.set(id, moved[id] ? { ...box, x: box.x + moved[id].x, y: box.y + moved[id].y } : box);
  const routes = new Map(layout.routes);
  for (const { id, from, to } of lines) {
    const [start, end] = [boxes.get(from), boxes.get(to)];
    if (start && end && (moved[from] || moved[to])) routes.set(id, directRoute(start, end));
  }
  return { ...picture, layout: { ...layout, boxes, routes } };
}

// What the boxes cover, with some room around them.
export function extentOf({ boxes, routes }: Layout, margin: number): Extent {
  const points = [...boxes.values()].flatMap(({ x, y, width, height }) => [{ x, y }, { x: x + width, y: y + height }]).concat([...routes.values()].flat());
  if (points.length === 0) return { x: 0, y: 0, width: 1, height: 1 };
  const [left, top] = [Math.min(...points.map(({ x }) => x)), Math.min(...points.map(({ y }) => y))];
  const [right, bottom] = [Math.max(...points.map(({ x }) => x)), Math.max(...points.map(({ y }) => y))];
  return { x: left - margin, y: top - margin, width: right - left + 2 * margin, height: bottom - top + 2 * margin };
}
