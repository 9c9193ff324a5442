// Which columns the items of an entity have, and how wide they are: looked up in some of them, so that every row of an entity has the
// same attribute at the same place.
import { member, show, type Item } from '../../api/attribute_value.ts';
import type { Decoder, ItemType } from '../../design/decode.ts';
import type { Row, Side } from './side.ts';

export interface Column {
  name: string;
  characters: number; // Of the longest value that was seen, at most `charactersMost`.
  numeric: boolean;
}

export interface Shape {
  type: ItemType;
  columns: Column[]; // In the order of the items, those that make the keys of other sides last.
}

const rowsLookedAt = 60; // Of each kind.
const charactersMost = 30;

export class Shapes {
  private readonly byType = new Map<string, Shape>();
  private readonly byKind = new Map<string, { shape: Shape; seen: number }>();
  private revision = -1;
  sortCharacters = 4;
  partitionCharacters = 4;
  typeCharacters = 4;

  constructor(
    private readonly side: Side,
    readonly decoder: Decoder,
    private readonly keyNames: string[], // Of all sides.
  ) {}

  // Looks at the rows that came since.
  update(): this {
    if (this.revision === this.side.revision) return this;
    this.revision = this.side.revision;
    for (const { partition, rows } of this.side.collections) {
      this.partitionCharacters = Math.max(this.partitionCharacters, partition.length);
      for (const row of rows) {
        const known = this.byKind.get(row.kind);
        if (known && known.seen >= rowsLookedAt) continue;
        this.look(row, known);
      }
    }
    return this;
  }

  // Another one when something became wider.
  get widest(): string {
    return `${this.sortCharacters} ${this.partitionCharacters} ${this.typeCharacters}`;
  }

  of(row: Row): Shape {
    return this.byKind.get(row.kind)!.shape;
  }

  private look(row: Row, known: { shape: Shape; seen: number } | undefined): void {
    const item = JSON.parse(row.json) as Item;
    this.sortCharacters = Math.max(this.sortCharacters, row.sort.length);
    if (known) known.seen += 1;
    const shape = known?.shape ?? this.shapeOf(this.decoder.typeOf(item));
    if (!known) this.byKind.set(row.kind, { shape, seen: 1 });
    const { partition, sort } = this.side.keys;
    for (const name of Object.keys(item)) {
      if (partition.includes(name) || sort.includes(name)) continue;
      const value = member(item, name)!;
      const characters = Math.min(charactersMost, show(value).length);
      const numeric = 'N' in value;
      const column = shape.columns.find((one) => one.name === name);
      if (!column) this.add(shape, { name, characters, numeric });
      else {
        column.characters = Math.max(column.characters, characters);
        column.numeric &&= numeric;
      }
    }
  }

  private shapeOf(type: ItemType): Shape {
    let shape = this.byType.get(type.name);
    if (!shape) {
      this.byType.set(type.name, (shape = { type, columns: [] }));
      this.typeCharacters = Math.max(this.typeCharacters, type.name.length);
    }
    return shape;
  }

  private add(shape: Shape, column: Column): void {
    const isKey = (name: string) => this.keyNames.includes(name);
    const firstKey = shape.columns.findIndex(({ name }) => isKey(name));
    if (isKey(column.name) || firstKey < 0) shape.columns.push(column);
    else shape.columns.splice(firstKey, 0, column);
  }
}

const known = new WeakMap<Side, Shapes>();

export function shapesOf(side: Side, decoder: Decoder, keyNames: string[]): Shapes {
  let shapes = known.get(side);
  if (shapes?.decoder !== decoder) known.set(side, (shapes = new Shapes(side, decoder, keyNames)));
  return shapes.update();
}
