// One item: its sort key, and its attributes with their names above their values.
import { Component } from 'preact';
import { member, show, type AttributeValue, type Item } from '../../api/attribute_value.ts';
import { colourStyle } from '../../design/colours.ts';
import type { Decoder } from '../../design/decode.ts';
import { itemBytesMax } from '../../design/sizes.ts';
import { bytes as showBytes } from '../../parts/numbers.ts';
import { keyText } from '../../design/order.ts';
import { KeyText } from '../../parts/key_text.tsx';
import { ordinal } from '../../parts/numbers.ts';
import { ValueText } from '../../parts/value_text.tsx';
import { SizeBar } from './size_bar.tsx';
import type { Row, SideKeys } from './side.ts';
import type { Flash } from './table_data.ts';
import type { Mark } from './trace_steps.ts';

export interface RowProps {
  row: Row;
  domId: string;
  number: number; // From 1, through all collections.
  top: number;
  height: number;
  columns: number;
  keys: SideKeys;
  keyNames: string[]; // Of all sides.
  decoder: Decoder;
  selected: boolean;
  mark: Mark | undefined;
  flash: Flash | undefined;
}

const valueCharacters = 200; // More than a cell can show.

// A class for shouldComponentUpdate: scrolling draws only the rows that come into sight.
export class RowView extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const now = this.props as unknown as Record<string, unknown>;
    return Object.entries(next).some(([name, value]) => now[name] !== value);
  }

  render({ row, domId, number, top, height, columns, keys, keyNames, decoder, selected, mark, flash }: RowProps) {
    const item = JSON.parse(row.json) as Item;
    const type = decoder.typeOf(item);
    const names = Object.keys(item).filter((name) => !keys.partition.includes(name) && !keys.sort.includes(name));
    return (
      <div
        id={domId}
        role="row"
        aria-rowindex={number}
        aria-selected={selected}
        data-id={row.id}
        data-mark={mark?.kind}
        data-flash={flash}
        class="item-row"
        style={{
          top: `${top}px`,
          height: `${height}px`,
          ...colourStyle(type.colour),
        }}
      >
        <div role="gridcell" class="sort-cell">
          <span class="sort-keys" title={keys.sort.map((name) => keyText(member(item, name)!)).join(' · ')}>
            {keys.sort.map((name, i) => (
              <span key={name}>
                {i > 0 && ' · '}
                <Key item={item} name={name} value={member(item, name)!} decoder={decoder} entity={type.name} />
              </span>
            ))}
          </span>
          <span class="row-facts">
            <span class="type-name">{type.name}</span>
            <SizeBar bytes={row.bytes} most={itemBytesMax} label={`${showBytes(row.bytes)} of 400 KB`} />
            <span class="bytes">{showBytes(row.bytes)}</span>
          </span>
          {mark && <MarkBadge mark={mark} />}
        </div>
        <div class="attributes" role="presentation" style={{ gridTemplateColumns: columnsOf(Math.min(columns, Math.max(1, names.length)), columns) }}>
          {names.map((name) => (
            <div key={name} role="gridcell" class="attribute">
              <span class="attribute-name">{name}</span>
              <span class="attribute-value" title={cellText(member(item, name)!)}>
                {keyNames.includes(name) ? (
                  <Key item={item} name={name} value={member(item, name)!} decoder={decoder} entity={type.name} />
                ) : (
                  <ValueText value={member(item, name)!} />
                )}
              </span>
            </div>
          ))}
        </div>
      </div>
    );
  }
}

// Each at least its share, in line with the rows above; a long value takes what others leave.
const columnsOf = (count: number, columns: number) => `repeat(${count}, minmax(calc(100% / ${columns + 0.2}), auto))`;

function Key({ item, name, value, decoder, entity }: { item: Item; name: string; value: AttributeValue; decoder: Decoder; entity: string }) {
  return <KeyText entity={entity} template={decoder.templateOf(item, name)} value={keyText(value)} />;
}

const markWords = { lit: 'read', thrown: 'read and thrown away', earlier: 'read before', same: 'the same item' };

function MarkBadge({ mark }: { mark: Mark }) {
  return (
    <span class="mark-badge">
      {mark.order > 0 && <b>{ordinal(mark.order)}</b>} {markWords[mark.kind]}
    </span>
  );
}

function cellText(value: AttributeValue): string {
  const text = show(value);
  return text.length > valueCharacters ? `${text.slice(0, valueCharacters)}…` : text;
}
