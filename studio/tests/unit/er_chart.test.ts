import { describe, expect, it } from 'vitest';
import type { Model } from '../../src/api/model.ts';
import { bring, fitAll, readable, within, zoomAt, zoomMost } from '../../src/views/model/er/camera.ts';
import { extentOf, withMoves } from '../../src/views/model/er/moved.ts';
import { noteOf, withNote, wrapNote } from '../../src/views/model/er/notes.ts';
import { drawPicture, entityId } from '../../src/views/model/er/picture.ts';

const frame = { width: 800, height: 600 };
const wide = { x: -20, y: 10, width: 1600, height: 600 };

describe('camera', () => {
  it('fits all of a picture, and never enlarges it', () => {
    expect(fitAll(wide, frame)).toEqual({ x: 780, y: 310, zoom: 0.5 });
    expect(fitAll({ x: 0, y: 0, width: 100, height: 50 }, frame).zoom).toBe(1);
  });

  it('begins with a part that can be read', () => {
    const begun = readable({ x: 0, y: 0, width: 4000, height: 4000 }, frame, 0.55, { x: 3900, y: 3900 });
    expect(begun.zoom).toBe(0.55);
    expect(begun.x + frame.width / 2 / begun.zoom).toBeCloseTo(4000);
  });

  it('begins at the left where the frame is too narrow for all of it', () => {
    const begun = readable({ x: 30, y: 10, width: 4000, height: 3000 }, frame, 0.55);
    expect(begun.x - frame.width / 2 / begun.zoom).toBeCloseTo(30);
    expect(begun.y - frame.height / 2 / begun.zoom).toBeCloseTo(10);
  });

  it('keeps the point under the pointer where it is', () => {
    const before = { x: 100, y: 200, zoom: 1 };
    const at = { x: 700, y: 50 };
    const under = ({ x, y, zoom }: typeof before) => [x + (at.x - 400) / zoom, y + (at.y - 300) / zoom];
    const [x, y] = under(zoomAt(before, 1.7, at, frame));
    expect(x).toBeCloseTo(under(before)[0]!);
    expect(y).toBeCloseTo(under(before)[1]!);
    expect(zoomAt(before, 1000, at, frame).zoom).toBe(zoomMost);
  });

  it('cannot leave the picture, and brings a box into sight with the least move', () => {
    expect(within({ x: 99_999, y: 0, zoom: 1 }, wide, frame)).toEqual({ x: 1180, y: 310, zoom: 1 });
    expect(bring({ x: 400, y: 300, zoom: 1 }, { x: 790, y: 0, width: 100, height: 50 }, frame)).toEqual({ x: 490, y: 300, zoom: 1 });
  });
});

const attribute = { name: 'id', type: 'text', key: true, optional: false, unique: false };
const model = {
  title: 'Two', tables: [], patterns: [],
  entities: [{ name: 'A', line: 1, attributes: [attribute] }, { name: 'B', line: 5, attributes: [{ ...attribute, references: 'A.id' }] }],
  relationships: [],
} as unknown as Model;

describe('a dragged box', () => {
  it('takes its lines along, also above what it belongs to', () => {
    const picture = drawPicture(model);
    const [line] = picture.lines;
    for (const to of [{ x: 300, y: 40 }, { x: -500, y: -900 }]) {
      const { layout } = withMoves(picture, { [entityId('B')]: to });
      const box = layout.boxes.get(entityId('B'))!;
      const end = layout.routes.get(line!.id)!.at(-1)!;
      expect(end.x).toBe(box.x + box.width / 2);
      expect([box.y, box.y + box.height]).toContain(end.y);
      expect(extentOf(layout, 0).x).toBeLessThanOrEqual(box.x);
    }
    expect(withMoves(picture, { 'entity Gone': { x: 1, y: 1 } })).toBe(picture);
  });
});

describe('notes', () => {
  const text = '// The file.\nmodel "Two"\n\n// Kept for ever.\n//   Ask Ada.\nentity A {\n  id text key\n}\nentity AB {\n}\n';

  it('are the comment right above a declaration', () => {
    expect(noteOf(text, 'entity', 'A')).toBe('Kept for ever.\n  Ask Ada.');
    expect(noteOf(text, 'entity', 'AB')).toBe('');
    expect(noteOf(text, 'relationship', 'A')).toBe('');
  });

  it('are replaced, added and removed, and nothing else changes', () => {
    const changed = withNote(text, 'entity', 'A', 'One\n\ntwo');
    expect(changed).toBe(text.replace('// Kept for ever.\n//   Ask Ada.', '// One\n//\n// two'));
    expect(withNote(changed, 'entity', 'A', ' ')).toBe(text.replace('// Kept for ever.\n//   Ask Ada.\n', ''));
    expect(noteOf(withNote(text, 'entity', 'AB', 'New.'), 'entity', 'AB')).toBe('New.');
    expect(withNote(text, 'entity', 'Nobody', 'x')).toBe(text);
  });

  it('stand in a box of few lines, whatever they hold', () => {
    const lines = wrapNote(`${'x'.repeat(200)} ${'word '.repeat(200)}`);
    expect(lines).toHaveLength(7);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(30);
    expect(wrapNote('')).toEqual([]);
    const drawn = drawPicture(model, { noteOf: (kind, name) => noteOf(text, kind, name) });
    expect(drawn.notes).toEqual([{ id: 'note entity A', about: 'entity A', lines: ['Kept for ever.', 'Ask Ada.'] }]);
    expect(drawn.layout.routes.has('note entity A')).toBe(true);
  });
});
