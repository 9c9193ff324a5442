// What the pointer does to the picture: drags a box, pans, pinches; the wheel pans, and zooms with Ctrl.
import { camera, extent, folded, frame, setCamera } from './er_state.ts';
import { within, zoomAt } from './camera.ts';
import type { Point } from './layout.ts';
import { dropBox, holdBox, moves } from './moved.ts';

const slack = 4; // Pixels that a click may slip.

const pan = (dx: number, dy: number) => {
  const now = camera.peek();
  setCamera(within({ ...now, x: now.x - dx / now.zoom, y: now.y - dy / now.zoom }, extent.peek(), frame.peek()));
};

// Returns what ends it.
export function followPointers(svg: SVGSVGElement): () => void {
  const down = new Map<number, Point>();
  let begun: { at: Point; box: string | null; from: Point } | null = null;
  let dragging = false;
  const local = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const { left, top } = svg.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };

  const onDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    down.set(event.pointerId, local(event));
    const box = folded.peek() ? null : ((event.target as Element).closest<SVGElement>('[data-id]')?.dataset['id'] ?? null);
    begun = { at: local(event), box, from: (box && moves.peek()[box]) || { x: 0, y: 0 } };
    dragging = false;
  };

  const pinch = (id: number, to: Point) => {
    const [other] = [...down].filter(([one]) => one !== id).map(([, at]) => at);
    const before = down.get(id)!;
    const apart = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);
    const by = apart(to, other!) / Math.max(1, apart(before, other!));
    setCamera(within(zoomAt(camera.peek(), by, { x: (to.x + other!.x) / 2, y: (to.y + other!.y) / 2 }, frame.peek()), extent.peek(), frame.peek()));
  };

  const onMove = (event: PointerEvent) => {
    const before = down.get(event.pointerId);
    if (!before || !begun) return;
    const to = local(event);
    if (!dragging && Math.hypot(to.x - begun.at.x, to.y - begun.at.y) < slack) return;
    if (!dragging) {
      dragging = true;
      svg.setPointerCapture(event.pointerId); // From here on a release is no click on a box.
    }
    if (down.size === 2) pinch(event.pointerId, to);
    else if (begun.box) {
      const { zoom } = camera.peek();
      holdBox(begun.box, { x: begun.from.x + (to.x - begun.at.x) / zoom, y: begun.from.y + (to.y - begun.at.y) / zoom });
    } else pan(to.x - before.x, to.y - before.y);
    down.set(event.pointerId, to);
  };

  const onUp = (event: PointerEvent) => {
    down.delete(event.pointerId);
    dropBox();
    if (down.size === 0) begun = null;
  };

  const onWheel = (event: WheelEvent) => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      setCamera(within(zoomAt(camera.peek(), Math.exp(-event.deltaY / 300), local(event), frame.peek()), extent.peek(), frame.peek()));
      return;
    }
    const before = camera.peek();
    pan(-event.deltaX, -event.deltaY);
    // At its edge the page scrolls on.
    if (camera.peek().x !== before.x || camera.peek().y !== before.y) event.preventDefault();
  };

  const ended = new AbortController();
  const options = { signal: ended.signal, passive: false };
  svg.addEventListener('pointerdown', onDown, options);
  svg.addEventListener('pointermove', onMove, options);
  svg.addEventListener('pointerup', onUp, options);
  svg.addEventListener('pointercancel', onUp, options);
  svg.addEventListener('wheel', onWheel, options);
  return () => ended.abort();
}
