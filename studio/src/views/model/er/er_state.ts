// What the ER picture shows: which part of the model, folded or not, where the boxes lie, and what of it is in sight.
import { computed, signal } from '@preact/signals';
import { model, readSource, source } from '../../../design/design.ts';
import { advice } from '../../../design/figures.ts';
import { route, setQuery } from '../../../app/route.ts';
import { lineOfDeclaration } from '../editor/places.ts';
import { reveal } from '../editor/handle.ts';
import { entitiesIn, manyEntities, neighboursOf, partOf } from './around.ts';
import { bring, fitAll, readable, within, type Camera, type Extent, type Size } from './camera.ts';
import type { Placed } from './layout.ts';
import { dropBox, extentOf, holdBox, moves, withMoves } from './moved.ts';
import { noteOf } from './notes.ts';
import { drawPicture, neighbour, placeOf } from './picture.ts';

export const tablePrefix = 'table '; // Of a table in `near`.

// The whole model, or the part around the entity, or in the table, that `near` in the address names.
const shown = computed(() => {
  const whole = model.value;
  const near = route.value.query['near'];
  if (!whole || near === undefined) return whole;
  const names = near.startsWith(tablePrefix) ? entitiesIn(whole, near.slice(tablePrefix.length)) : whole.entities.some(({ name }) => name === near) ? neighboursOf(whole, near) : null;
  return names && names.size > 0 ? partOf(whole, names) : whole;
});

// Names alone: `fold` in the address. Many entities are folded at first.
export const folded = computed(() => (route.value.query['fold'] ?? ((shown.value?.entities.length ?? 0) >= manyEntities ? '1' : '0')) === '1');

const laidOut = computed(() => {
  const inUse = new Map((advice.value.value ?? []).map((one) => [one.relationship, one.inUse]));
  const text = readSource.value;
  return shown.value ? drawPicture(shown.value, { inUse, folded: folded.value, noteOf: (kind, name) => noteOf(text, kind, name) }) : null;
});

// Names alone lie elsewhere, so what was dragged counts only for whole boxes.
export const picture = computed(() => laidOut.value && (folded.value ? laidOut.value : withMoves(laidOut.value, moves.value)));

const smallestFolded = 0.8;
const smallest = 0.55; // Smaller than this nobody can read it: it begins with a part instead.

export const frame = signal<Size>({ width: 800, height: 600 });
// Null: nobody has moved or zoomed, so it follows the picture and the frame.
const chosenCamera = signal<Camera | null>(null);

const margin = 12;
export const extent = computed<Extent>(() => (picture.value ? extentOf(picture.value.layout, margin) : { x: 0, y: 0, width: 1, height: 1 }));

const beginning = computed(() => {
  const { entity = '', relationship = '' } = route.value.query;
  const at = picture.value && (placeOf(picture.value, 'entity', entity) ?? placeOf(picture.value, 'relationship', relationship));
  return readable(extent.value, frame.value, folded.value ? smallestFolded : smallest, at ? middleOf(at) : undefined);
});

export const camera = computed(() => chosenCamera.value ?? beginning.value);
export const middleOf = ({ x, y, width, height }: Placed) => ({ x: x + width / 2, y: y + height / 2 });

const travelMs = 320;
let travelling = 0;

export function setCamera(to: Camera | null): void {
  cancelAnimationFrame(travelling);
  chosenCamera.value = to;
}

// Moves there so that the eye can follow, or at once where motion is not wanted.
export function travel(to: Camera): void {
  const from = camera.peek();
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return setCamera(to);
  const begin = performance.now();
  cancelAnimationFrame(travelling);
  const step = (now: number) => {
    const part = Math.min(1, Math.max(0, (now - begin) / travelMs));
    const eased = 1 - (1 - part) ** 3;
    const between = (a: number, b: number) => a + (b - a) * eased;
    chosenCamera.value = { x: between(from.x, to.x), y: between(from.y, to.y), zoom: from.zoom * (to.zoom / from.zoom) ** eased };
    if (part < 1) travelling = requestAnimationFrame(step);
  };
  travelling = requestAnimationFrame(step);
}

export const showAll = () => travel(fitAll(extent.peek(), frame.peek()));

export function bringIntoSight(at: Placed): void {
  const to = bring(camera.peek(), at, frame.peek());
  if (to.x !== camera.peek().x || to.y !== camera.peek().y) setCamera(within(to, extent.peek(), frame.peek()));
}

export function select(kind: 'entity' | 'relationship', name: string): void {
  // In a part, the part follows to what is chosen.
  const near = route.peek().query['near'];
  const moves = kind === 'entity' && near !== undefined && !near.startsWith(tablePrefix) ? { near: name } : {};
  setQuery({ ...moves, entity: kind === 'entity' ? name : undefined, relationship: kind === 'relationship' ? name : undefined }, { replace: true });
  const line =
    lineOfDeclaration(source.peek(), kind, name) ?? lineOfDeclaration(source.peek(), kind === 'relationship' ? 'hierarchy' : kind, name);
  if (line !== null) reveal({ line });
}

export function walk(event: KeyboardEvent, id: string, activate: () => void): void {
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    activate();
    return;
  }
  if (!event.key.startsWith('Arrow')) return;
  event.preventDefault();
  if (event.altKey) return nudge(event.key, id);
  const to = neighbour(picture.peek()!, id, event.key as 'ArrowUp');
  if (to === null) return;
  for (const box of (event.currentTarget as SVGElement).ownerSVGElement!.querySelectorAll<SVGElement>('[data-box]')) {
    if (box.dataset['box'] === to) box.focus();
  }
}


const nudges: Record<string, [number, number]> = { ArrowUp: [0, -20], ArrowDown: [0, 20], ArrowLeft: [-20, 0], ArrowRight: [20, 0] };

// Dragging, for the keyboard.
function nudge(key: string, id: string): void {
  const [x, y] = nudges[key]!;
  const at = moves.peek()[id] ?? { x: 0, y: 0 };
  if (folded.peek()) return;
  holdBox(id, { x: at.x + x, y: at.y + y });
  dropBox();
}
