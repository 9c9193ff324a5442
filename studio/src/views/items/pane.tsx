// One side of the picture, drawn by the part that is in sight: collections with their partition key
// at the left, spanning their rows.
import { Component, Fragment } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Item } from '../../api/attribute_value.ts';
import { colourStyle } from '../../design/colours.ts';
import type { Decoder } from '../../design/decode.ts';
import { swell, type Growth } from '../../design/growth.ts';
import { bytes as showBytes, count, often, percent } from '../../parts/numbers.ts';
import { KeyText } from '../../parts/key_text.tsx';
import { flyFrom, takePlaces, wayOf, type Places } from './flip.ts';
import { columnsThatFit, flatRow, headerHeight, makeLayout, measuresFor, partitionCharacterWidth, placeOf, scrollTo, visible, type Layout, type Measures, type ShownColumns, type Visible } from './layout.ts';
import { RowView } from './row_view.tsx';
import { shapesOf, type Shape, type Shapes } from './shapes.ts';
import { unpackKey, type Collection, type Place, type Side, type SideKeys } from './side.ts';
import { flashName, type TableData } from './table_data.ts';
import type { Marks } from './trace_steps.ts';
import { leaveTrail } from './trail.tsx';

const overscan = 240; // Pixels drawn above and below what is seen.

export interface PaneProps {
  data: TableData;
  index: string | null;
  decoder: Decoder;
  selected: string | null; // A row's id.
  // The selected item, which this side may hold elsewhere or not at all.
  selectedItem: Item | null;
  marks: Marks | null;
  // A collection at the scale of the page; null at the scale of today.
  growth: GrowthOf | null;
  // Counts wishes to bring `target` into sight; a new number is a new wish.
  wish: number;
  target: Place | null;
  onSelect(id: string, item: Item): void;
  onOpen(): void;
  onEdit(): void;
  onAdd(collection: Collection): void;
}

export type GrowthOf = (collection: Collection) => Growth | null;

interface View {
  top: number;
  width: number;
  height: number;
}

export function Pane(props: PaneProps) {
  const { data, index, decoder, marks, selected, growth } = props;
  const side = data.side(index)!;
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>({ top: 0, width: 0, height: 0 });
  const version = data.version.value;
  const shapes = shapesOf(side, decoder, data.keyNames);
  const measures = useMemo(() => measuresFor(view.width, shapes, side.keys.partition.length), [view.width, shapes, shapes.widest]);
  const layout = layoutOf(side, measures, shapes, growth);
  const columns = useMemo(() => columnsIn(measures), [measures, version]);
  const flashes = data.flashes.value;

  useFrame(scroller, setView);
  const top = usePivot(scroller, props, layout, view, setView);

  const seen = visible(layout, top - overscan, top + view.height + overscan);
  const move = (place: Place) => {
    const row = side.rowAt(place);
    if (!row) return;
    const now = { ...view, top: scroller.current?.scrollTop ?? 0 };
    const wanted = scrollTo(layout, place, now);
    if (scroller.current && wanted !== now.top) scroller.current.scrollTop = wanted;
    props.onSelect(row.id, JSON.parse(row.json) as Item);
  };
  const at = selected !== null && props.selectedItem ? side.find(selected, props.selectedItem) : null;
  return (
    <div
      ref={scroller}
      class="scroller"
      role="grid"
      tabIndex={0}
      data-reads={marks ? '' : undefined}
      data-grown={growth ? '' : undefined}
      data-narrow={measures.head > 0 ? '' : undefined}
      aria-label={index === null ? `Items of ${data.name}` : `Items of index ${index}`}
      aria-rowcount={side.count}
      aria-activedescendant={at ? domId(index, selected!) : undefined}
      style={widthsOf(measures)}
      onScroll={({ currentTarget: { scrollTop: next } }) => setView((old) => (rangeChanges(layout, old, next) ? { ...old, top: next } : old))}
      onClick={(event) => {
        const { row, add } = clickedAt(event.target as Element);
        if (add !== null) props.onAdd(side.collections[add]!);
        if (row !== null) move(placeOf(layout, row));
      }}
      onDblClick={(event) => clickedAt(event.target as Element).row !== null && props.onEdit()}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget) return;
        const next = keyboardMove(event.key, side, layout, at, scroller.current!);
        const adds = event.key === '+' && at;
        if (next || adds) event.preventDefault();
        if (next) move(next);
        else if (adds) props.onAdd(side.collections[at.collection]!);
        else if (event.key === 'Enter' && at) props.onOpen();
      }}
    >
      <div class="canvas" role="presentation" style={{ height: `${layout.height}px` }}>
        {collectionNumbers(side, seen).map((i) => (
          <CollectionBlock
            key={side.collections[i]!.partition}
            {...{ side, layout, shapes, columns, decoder, marks, selected, flashes, version, growth }}
            keyNames={data.keyNames}
            collection={side.collections[i]!}
            number={i}
            {...rowsInSight(layout, seen, i)}
          />
        ))}
      </div>
    </div>
  );
}

// The row under a click, and the collection whose `+` it hit, by their numbers.
function clickedAt(target: Element): { row: number | null; add: number | null } {
  const row = target.closest('[data-id]');
  const add = target.closest<HTMLElement>('[data-add]');
  return { row: row && Number(row.getAttribute('aria-rowindex')) - 1, add: add && Number(add.dataset['add']) };
}

// The size of the frame, from the first moment on.
function useFrame(scroller: { current: HTMLDivElement | null }, setView: (change: (old: View) => View) => void): void {
  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () =>
      setView((old) => ({ ...old, width: element.clientWidth, height: element.clientHeight, top: element.scrollTop }));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
}

// Layouts that are still right: a pivot back finds its own.
const layouts = new WeakMap<Side, { revision: number; growth: GrowthOf | null; shapes: Shapes; layout: Layout }>();
const grownCollections = 2_000; // Of more than these, only the cells in sight say what they become.
const swellHeight = 72;

// Pixels for the items that are not stored yet.
function roomFor(collection: Collection, growth: Growth | null): number {
  return growth && growth.items > collection.rows.length ? 18 + Math.round(swell(growth.bytes) * swellHeight) : 0;
}

const widthsOf = ({ partition, sort, type, head }: Measures) => ({ '--partition': `${partition}px`, '--sort': `${sort}px`, '--type-width': `${type}px`, '--head': `${head}px` });

// The columns of an entity that fit. Asked for each row.
function columnsIn(measures: Measures): (shape: Shape) => ShownColumns {
  const fitting = new Map<Shape, ShownColumns>();
  return (shape) => {
    let found = fitting.get(shape);
    if (!found) fitting.set(shape, (found = columnsThatFit(shape.columns, measures.attributes - 16)));
    return found;
  };
}

function layoutOf(side: Side, measures: Measures, shapes: Shapes, growth: GrowthOf | null): Layout {
  const known = layouts.get(side);
  if (known && known.revision === side.revision && known.growth === growth && known.shapes === shapes && known.layout.measures === measures) return known.layout;
  const room = growth && side.collections.length <= grownCollections ? (number: number) => roomFor(side.collections[number]!, growth(side.collections[number]!)) : undefined;
  const layout = makeLayout(side.collections, side.count, measures, (row) => shapes.of(row), room);
  layouts.set(side, { revision: side.revision, growth, shapes, layout });
  return layout;
}

// Brings the wished row into sight, and lets rows fly when the pane turns to another side. Where the
// rows stood is taken while the old side is still drawn: in the render that replaces it. Gives the
// place to draw: that to which the effect will scroll.
function usePivot(
  scroller: { current: HTMLDivElement | null },
  { index, wish, target, data, selected }: PaneProps,
  layout: Layout,
  view: View,
  setView: (change: (old: View) => View) => void,
): number {
  const shown = useRef<{ index: string | null; wish: number }>({ index, wish: -1 });
  const flight = useRef<{ index: string | null; places: Places } | null>(null);
  const turned = shown.current.index !== index;
  if (turned && scroller.current && data.side(index)) flight.current ??= { index: shown.current.index, places: takePlaces(scroller.current) };
  const wished = view.height > 0 && (turned || shown.current.wish !== wish);
  const top = !wished ? view.top : target ? scrollTo(layout, target, turned ? { ...view, top: -1e9 } : view, true) : turned ? 0 : view.top;
  useLayoutEffect(() => {
    if (!wished || !scroller.current) return;
    shown.current = { index, wish };
    if (scroller.current.scrollTop !== top) scroller.current.scrollTop = top;
    setView((old) => (old.top === top ? old : { ...old, top }));
    const left = flight.current;
    flight.current = null;
    if (!left) return;
    const way = selected === null ? null : wayOf(scroller.current, left.places, selected);
    if (way) leaveTrail({ index: left.index, rect: way.from }, { index, rect: way.to });
    flyFrom(scroller.current, left.places);
  });
  return top;
}

function rangeChanges(layout: Layout, old: View, top: number): boolean {
  const before = visible(layout, old.top - overscan, old.top + old.height + overscan);
  const after = visible(layout, top - overscan, top + old.height + overscan);
  return before.firstRow !== after.firstRow || before.endRow !== after.endRow || before.endCollection !== after.endCollection;
}

const domId = (index: string | null, id: string) => `row-${index ?? 'table'}-${id}`;

function collectionNumbers(side: Side, seen: Visible): number[] {
  const end = Math.min(seen.endCollection, side.collections.length);
  return Array.from({ length: Math.max(0, end - seen.firstCollection) }, (_, i) => seen.firstCollection + i);
}

function rowsInSight(layout: Layout, seen: Visible, collection: number): { from: number; to: number } {
  const first = layout.firstRows[collection]!;
  const count = layout.firstRows[collection + 1]! - first;
  const from = Math.min(count, Math.max(0, seen.firstRow - first));
  return { from, to: Math.max(from, Math.min(count, seen.endRow - first)) };
}

interface BlockProps {
  side: Side;
  layout: Layout;
  shapes: Shapes;
  columns: (shape: Shape) => ShownColumns;
  version: number;
  decoder: Decoder;
  marks: Marks | null;
  selected: string | null;
  flashes: TableData['flashes']['value'];
  growth: GrowthOf | null;
  keyNames: string[];
  collection: Collection;
  number: number;
  from: number; // The rows that are in sight.
  to: number;
}

// A class for shouldComponentUpdate: most collections in sight stay as they are while one scrolls.
class CollectionBlock extends Component<BlockProps> {
  override shouldComponentUpdate(next: BlockProps): boolean {
    const now = this.props as unknown as Record<string, unknown>;
    return Object.entries(next).some(([name, value]) => now[name] !== value);
  }

  render(props: BlockProps) {
    return <Block {...props} />;
  }
}

function Block({ side, layout, shapes, columns, decoder, marks, selected, flashes, growth, keyNames, collection, number, from, to }: BlockProps) {
  const top = layout.collectionTops[number]!;
  const height = layout.collectionTops[number + 1]! - top - layout.measures.gap;
  const first = layout.firstRows[number]!;
  const sample = JSON.parse(collection.rows[0]!.json) as Item;
  const grown = growth?.(collection) ?? null;
  // The names of the columns stay in sight while the rows below them pass by.
  const under = from > 0 && to > from && layout.headers[first + from] === 0 ? shapes.of(collection.rows[from]!) : null;
  return (
    <div role="rowgroup" class="collection" data-passed={grown && grown.passed.length > 0 ? '' : undefined} style={{ top: `${top}px`, height: `${height}px` }}>
      <div role="row" class="partition">
        <div role="rowheader" class="partition-cell" title={collection.partition}>
          {side.keys.partition.map((name, i) => (
            <KeyText
              key={name}
              entity={decoder.typeOf(sample).name}
              template={decoder.templateOf(sample, name)}
              value={unpackKey(collection.partition, side.keys.partition)[i]!}
              most={keyRoom(layout.measures, side.keys, height)}
            />
          ))}
          <span class="collection-facts">
            {collection.rows.length === 1 ? '1 item' : `${collection.rows.length.toLocaleString('en')} items`} · {showBytes(collection.bytes)}
          </span>
          {grown && <Grown growth={grown} />}
          <button class="add-here" tabIndex={-1} title={`Add an item to ${collection.partition}`} data-add={number}>
            + <span class="unseen">Add an item to {collection.partition}</span>
          </button>
        </div>
      </div>
      {collection.rows.slice(from, to).map((row, i) => {
        const flat = first + from + i;
        const shape = shapes.of(row);
        return (
          <Fragment key={row.id}>
            {layout.headers[flat] === 1 && <Header shape={shape} columns={columns(shape)} keys={side.keys} top={layout.rowTops[flat]! - top - headerHeight} />}
            <RowView
              row={row}
              domId={domId(side.keys.index, row.id)}
              number={flat + 1}
              top={layout.rowTops[flat]! - top}
              sortWidth={layout.measures.sort}
              columns={columns(shape)}
              keys={side.keys}
              keyNames={keyNames}
              decoder={decoder}
              selected={row.id === selected}
              mark={marks?.get(row.id)}
              flash={flashes.get(flashName(side.keys.index, row.id))}
            />
          </Fragment>
        );
      })}
      {under && (
        <div class="columns-rail" role="presentation">
          <Header shape={under} columns={columns(under)} keys={side.keys} top={null} />
        </div>
      )}
      {grown && grown.items > collection.rows.length && (
        <div class="more-items" role="presentation" style={{ height: `${roomFor(collection, grown)}px` }}>
          + {count(Math.round(grown.items - collection.rows.length))} more
        </div>
      )}
    </div>
  );
}

// The characters of a partition key that its cell has room for: one line, and more where the collection is higher.
function keyRoom(measures: Measures, keys: SideKeys, height: number): number {
  if (measures.head > 0) return 60;
  const lines = keys.partition.length > 1 ? 1 : Math.max(1, Math.min(3, Math.floor((height - 44) / 19)));
  return Math.floor((measures.partition - 46) / partitionCharacterWidth) * lines;
}

// The names of an entity's attributes, once for its rows in a collection.
function Header({ shape, columns, keys, top }: { shape: Shape; columns: ShownColumns; keys: SideKeys; top: number | null }) {
  return (
    <div class="columns-head" role="presentation" aria-hidden="true" style={{ ...colourStyle(shape.type.colour), ...(top === null ? {} : { top: `${top}px` }), height: `${headerHeight}px` }}>
      <span class="sort-cell">{keys.sort.join(' · ')}</span>
      <span class="type-cell" />
      <span class="attributes" style={{ gridTemplateColumns: columns.template }}>
        {columns.shown.map(({ name, numeric }) => (
          <span key={name} class={numeric ? 'attribute number' : 'attribute'} title={name}>
            {name}
          </span>
        ))}
      </span>
    </div>
  );
}

// The most used key of this kind at the scale of the page.
function Grown({ growth }: { growth: Growth }) {
  return (
    <span class="grown" title={`The most used key of this kind: ${often(growth.reads, 'read unit')}, ${often(growth.writes, 'write unit')}`}>
      <span>
        → {showBytes(growth.bytes)}, {percent(growth.utilisation)} of a partition
      </span>
      <span class="swell-bar">
        <span style={{ width: `${Math.max(swell(growth.bytes), Math.min(1, growth.utilisation)) * 100}%` }} />
      </span>
      {growth.passed.map((limit) => (
        <strong key={limit}>{limit}</strong>
      ))}
    </span>
  );
}

// Up and down by item, left and right by collection.
function keyboardMove(key: string, side: Side, layout: Layout, at: Place | null, frame: HTMLElement): Place | null {
  if (side.count === 0) return null;
  const last = side.count - 1;
  const flat = at ? flatRow(layout, at) : -1;
  const to = (wanted: number) => placeOf(layout, Math.max(0, Math.min(last, wanted)));
  const page = Math.max(1, Math.floor(frame.clientHeight / 60));
  const collection = at?.collection ?? -1;
  switch (key) {
    case 'ArrowDown':
      return to(flat + 1);
    case 'ArrowUp':
      return to(flat - 1);
    case 'PageDown':
      return to(flat + page);
    case 'PageUp':
      return to(flat - page);
    case 'Home':
      return to(0);
    case 'End':
      return to(last);
    case 'ArrowRight':
      return { collection: Math.min(collection + 1, side.collections.length - 1), row: 0 };
    case 'ArrowLeft':
      return { collection: Math.max(collection - 1, 0), row: 0 };
    default:
      return null;
  }
}
