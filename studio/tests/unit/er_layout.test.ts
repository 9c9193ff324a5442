import { describe, expect, it } from 'vitest';
import type { Model, ModelRelationship } from '../../src/api/model.ts';
import { layOut, pathOf, type Layout, type Point } from '../../src/views/model/er/layout.ts';
import { drawPicture, neighbour, placeOf } from '../../src/views/model/er/picture.ts';

const spacing = { across: 4, gapX: 20, gapY: 50, stub: 10 };
const box = (id: string, width = 100, height = 60) => ({ id, width, height });
const link = (from: string, to: string) => ({ id: `${from}-${to}`, from, to });

// Deterministic, so that a failure can be repeated.
function randomFrom(seed: number): () => number {
  return () => ((seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31);
}

function overlaps(layout: Layout): string[] {
  const boxes = [...layout.boxes.values()];
  const found: string[] = [];
  boxes.forEach((a, i) => {
    for (const b of boxes.slice(i + 1)) {
      if (a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height) {
        found.push(`${a.id} and ${b.id}`);
      }
    }
  });
  return found;
}

// Boxes that a line runs through. Between two points the line stays between their x and y.
function crossed(layout: Layout): string[] {
  const found: string[] = [];
  for (const [id, route] of layout.routes) {
    for (let i = 1; i < route.length; ++i) {
      const [a, b] = [route[i - 1]!, route[i]!];
      for (const box of layout.boxes.values()) {
        const inX = Math.max(a.x, b.x) > box.x && Math.min(a.x, b.x) < box.x + box.width;
        const inY = Math.max(a.y, b.y) > box.y && Math.min(a.y, b.y) < box.y + box.height;
        if (inX && inY) found.push(`${id} through ${box.id}`);
      }
    }
  }
  return found;
}

const onEdge = (point: Point, layout: Layout, id: string) => {
  const { x, y, width, height } = layout.boxes.get(id)!;
  return point.x >= x && point.x <= x + width && (point.y === y || point.y === y + height);
};

describe('layout', () => {
  it('of nothing is nothing', () => {
    expect(layOut([], [], spacing)).toMatchObject({ width: 0, height: 0 });
  });

  it('puts what is pointed at below', () => {
    const { boxes } = layOut([box('child'), box('parent')], [link('parent', 'child')], spacing);
    expect(boxes.get('child')!.y).toBeGreaterThan(boxes.get('parent')!.y);
  });

  it('bears circles, links to itself and to what is not there', () => {
    const layout = layOut([box('a'), box('b'), box('c')], [link('a', 'b'), link('b', 'c'), link('c', 'a'), link('a', 'a'), link('a', 'x')], spacing);
    expect(overlaps(layout)).toEqual([]);
    expect([...layout.routes.keys()]).toEqual(['a-b', 'b-c', 'c-a']);
    expect(onEdge(layout.routes.get('c-a')![0]!, layout, 'c')).toBe(true);
    expect(onEdge(layout.routes.get('c-a')!.at(-1)!, layout, 'a')).toBe(true);
  });

  it('holds no more boxes in a row than wanted', () => {
    const boxes = Array.from({ length: 30 }, (_, i) => box(`b${i}`));
    const layout = layOut([box('root'), ...boxes], boxes.map(({ id }) => link('root', id)), spacing);
    const rows = new Map<number, number>();
    for (const { row } of layout.boxes.values()) rows.set(row, (rows.get(row) ?? 0) + 1);
    expect(Math.max(...rows.values())).toBe(4);
    expect(overlaps(layout)).toEqual([]);
    expect(crossed(layout)).toEqual([]);
  });

  it('never puts one thing on another', () => {
    for (let seed = 1; seed <= 40; ++seed) {
      const random = randomFrom(seed);
      const count = 2 + Math.floor(random() * 60);
      const boxes = Array.from({ length: count }, (_, i) => box(`b${i}`, 60 + random() * 200, 30 + random() * 250));
      const links = Array.from({ length: Math.floor(count * 1.3) }, (_, i) => ({
        id: `l${i}`,
        from: `b${Math.floor(random() * count)}`,
        to: `b${Math.floor(random() * count)}`,
      }));
      const layout = layOut(boxes, links, { ...spacing, across: 3 + (seed % 6) });
      expect(overlaps(layout), `seed ${seed}`).toEqual([]);
      expect(crossed(layout), `seed ${seed}`).toEqual([]);
      for (const { id, from, to } of links) {
        const route = layout.routes.get(id);
        if (from === to) continue;
        expect(onEdge(route![0]!, layout, from) && onEdge(route!.at(-1)!, layout, to), `seed ${seed} ${id}`).toBe(true);
      }
      for (const { x, y, width, height } of layout.boxes.values()) {
        expect(x > -0.001 && y >= 0 && x + width <= layout.width + 0.001 && y + height <= layout.height + 0.001).toBe(true);
      }
    }
  });

  it('draws straight lines straight', () => {
    expect(pathOf([{ x: 1, y: 0 }, { x: 1, y: 10 }, { x: 5, y: 20 }])).toBe('M1,0V10C1,15 5,15 5,20');
  });
});

const relationship = (name: string, of: Partial<ModelRelationship>): ModelRelationship => ({
  name, kind: 'one-to-many', from: '', to: '', through: '', by: [], levels: [], cardinalities: [],
  changesPerSecond: 0, strategies: [], ...of,
});
const attribute = (name: string, references?: string) => ({
  name, type: 'text', averageBytes: 1, maximumBytes: 1, ...(references ? { references } : {}),
});
const entity = (name: string, ...attributes: ReturnType<typeof attribute>[]) => ({ name, line: 1, attributes });
const modelOf = (entities: Model['entities'], relationships: ModelRelationship[]): Model => ({
  title: '', entities, relationships, patterns: [], writes: [], tables: [], samples: [],
});

describe('picture', () => {
  const school = modelOf(
    [
      entity('Student', attribute('id')),
      entity('Course', attribute('id')),
      entity('Enrollment', attribute('s', 'Student.id'), attribute('c', 'Course.id')),
      entity('Note', attribute('student', 'Student.id')),
    ],
    [
      relationship('Enrolments', {
        kind: 'many-to-many', from: 'Student', to: 'Course', through: 'Enrollment',
        strategies: ['adjacency-list', 'inverted-index'],
        cardinalities: [
          { entity: 'Student', average: 5, bound: 40, zipf: 0 },
          { entity: 'Course', average: 250, bound: 0, zipf: 0 },
        ],
      }),
    ],
  );

  it('says strategy and cardinalities on the relationship', () => {
    expect(drawPicture(school).labels[0]!.lines).toEqual([
      'adjacency-list + inverted-index',
      'each Student: ~5, at most 40',
      'each Course: ~250, unbounded',
    ]);
  });

  it('ends a many-to-many with many on both sides, and hangs the link entity below', () => {
    const picture = drawPicture(school);
    const [from, to, through] = picture.lines;
    expect([from!.fromEnd, to!.fromEnd, through!.kind]).toEqual(['many', 'many', 'through']);
    expect(placeOf(picture, 'entity', 'Enrollment')!.y).toBeGreaterThan(placeOf(picture, 'relationship', 'Enrolments')!.y);
  });

  it('draws a reference only where no relationship tells it', () => {
    expect(drawPicture(school).lines.filter((line) => line.kind === 'reference').map((line) => line.id)).toEqual(['reference Note Student']);
  });

  it('draws a relationship of an entity with itself, and a hierarchy', () => {
    const picture = drawPicture(
      modelOf([entity('Person', attribute('id'))], [
        relationship('Manages', { from: 'Person', to: 'Person' }),
        relationship('Places', { kind: 'hierarchy', from: 'Person', levels: ['country', 'city'] }),
      ]),
    );
    expect(picture.lines.map((line) => [line.fromEnd, line.toEnd])).toEqual([['one', 'none'], ['many', 'none'], ['none', 'none']]);
    expect(picture.labels[1]!.lines).toEqual(['no strategy stated', 'country › city']);
    expect(picture.layout.routes.size).toBe(3);
  });

  it('counts the attributes that it leaves out', () => {
    const many = Array.from({ length: 20 }, (_, i) => attribute(`a${i}`));
    expect(drawPicture(modelOf([entity('Wide', ...many)], [])).entities[0]).toMatchObject({ hidden: 7 });
  });

  it('of sixty entities overlaps nowhere', () => {
    const random = randomFrom(7);
    const entities = Array.from({ length: 60 }, (_, i) =>
      entity(`Entity${i}`, ...Array.from({ length: 2 + Math.floor(random() * 16) }, (_, k) =>
        k === 1 && i > 0 ? attribute('parent', `Entity${Math.floor(random() * i)}.a0`) : attribute(`a${k}`))),
    );
    const relationships = Array.from({ length: 50 }, (_, i) =>
      relationship(`Relationship${i}`, {
        kind: i % 5 === 0 ? 'many-to-many' : 'one-to-many',
        from: `Entity${Math.floor(random() * 60)}`,
        to: `Entity${Math.floor(random() * 60)}`,
        through: i % 10 === 0 ? `Entity${Math.floor(random() * 60)}` : '',
        strategies: ['item-collection'],
      }),
    );
    const { layout } = drawPicture(modelOf(entities, relationships));
    expect(layout.boxes.size).toBe(110);
    expect(overlaps(layout)).toEqual([]);
    expect(crossed(layout)).toEqual([]);
  });

  it('leads the arrow keys from box to box', () => {
    const picture = drawPicture(school);
    expect(neighbour(picture, 'relationship Enrolments', 'ArrowDown')).toBe('entity Enrollment');
    expect(neighbour(picture, 'entity Enrollment', 'ArrowDown')).toBeNull();
    expect(neighbour(picture, 'entity Nowhere', 'ArrowUp')).toBeNull();
    const right = neighbour(picture, 'entity Student', 'ArrowRight') ?? neighbour(picture, 'entity Student', 'ArrowLeft');
    expect(right).toMatch(/^entity /);
  });
});
