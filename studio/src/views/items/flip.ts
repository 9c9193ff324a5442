// The same row, first at its old place and then at its new one: it flies there. Rows that were not
// seen before fade in.
export type Places = Map<string, DOMRect>;

const flightMs = 520;

export function takePlaces(pane: HTMLElement): Places {
  const frame = pane.getBoundingClientRect();
  const places: Places = new Map();
  for (const row of pane.querySelectorAll<HTMLElement>('[data-id]')) {
    const place = row.getBoundingClientRect();
    if (place.bottom > frame.top && place.top < frame.bottom) places.set(row.dataset['id']!, place);
  }
  return places;
}

// The way of one row: where it stood, and where it stands now.
export function wayOf(pane: HTMLElement, places: Places, id: string): { from: DOMRect; to: DOMRect } | null {
  const from = places.get(id);
  const row = pane.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`);
  return from && row ? { from, to: row.getBoundingClientRect() } : null;
}

export function flyFrom(pane: HTMLElement, places: Places): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  // All places are read before anything moves: a row that begins to fly would have the next one laid out again.
  const rows = [...pane.querySelectorAll<HTMLElement>('[data-id]')].map((row) => ({ row, from: places.get(row.dataset['id']!), to: row.getBoundingClientRect() }));
  for (const { row, from, to } of rows) {
    if (!from) {
      row.animate([{ opacity: 0 }, { opacity: 1 }], { duration: flightMs / 2, easing: 'ease-out' });
      continue;
    }
    const move = `translate(${from.left - to.left}px, ${from.top - to.top}px)`;
    row.classList.add('flying');
    row
      .animate([{ transform: move }, { transform: 'none' }], { duration: flightMs, easing: 'cubic-bezier(.3,.1,.2,1)' })
      .finished.catch(() => {})
      .finally(() => row.classList.remove('flying'));
  }
}
