// One item in one line: its sort key, its entity, and its attributes in the columns of the entity.
import { Component } from 'preact';
import { member, show, type AttributeValue, type Item } from '../../api/attribute_value.ts';
import { colourStyle } from '../../design/colours.ts';
import type { Decoder } from '../../design/decode.ts';
import { keyText } from '../../design/order.ts';
import { KeyText } from '../../parts/key_text.tsx';
import { bytes as showBytes, ordinal } from '../../parts/numbers.ts';
import { ValueText } from '../../parts/value_text.tsx';
import { characterWidth, rowHeight, type ShownColumns } from './layout.ts';
import type { Row, SideKeys } from './side.ts';
import type { Flash } from './table_data.ts';
import type { Mark } from './trace_steps.ts';

export interface RowProps {
  row: Row;
  domId: string;
  number: number; // From 1, through all collections.
  top: number;
  sortWidth: number;
  columns: ShownColumns;
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

  render({ row, domId, number, top, sortWidth, columns, keys, keyNames, decoder, selected, mark, flash }: RowProps) {
    const item = JSON.parse(row.json) as Item;
    const type = decoder.typeOf(item);
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
        style={{ top: `${top}px`, height: `${rowHeight}px`, ...colourStyle(type.colour) }}
      >
        <SortKey item={item} keys={keys} decoder={decoder} entity={type.name} room={selected ? Infinity : sortWidth} />
        <div role="gridcell" class="type-cell">
          <span class="type-name" title={`${type.name}, ${showBytes(row.bytes)} of 400 KB`}>
            {type.name}
          </span>
        </div>
        <div class="attributes" role="presentation" style={{ gridTemplateColumns: columns.template }}>
          {columns.shown.map(({ name, numeric }) => {
            const value = member(item, name);
            return (
              <div key={name} role="gridcell" class={numeric ? 'attribute number' : 'attribute'} title={value && `${name}: ${cellText(value)}`}>
                {value && <span class="unseen">{name} </span>}
                {value && (
                  <span class="attribute-value">
                    {keyNames.includes(name) ? <Key item={item} name={name} value={value} decoder={decoder} entity={type.name} /> : <ValueText value={value} />}
                  </span>
                )}
              </div>
            );
          })}
          <More item={item} columns={columns} keys={keys} />
        </div>
        {mark && <MarkBadge mark={mark} />}
      </div>
    );
  }
}

// Whole where it is looked at; elsewhere what is too long is cut in the middle, because keys differ at both ends.
function SortKey({ item, keys, decoder, entity, room }: { item: Item; keys: SideKeys; decoder: Decoder; entity: string; room: number }) {
  const most = Math.floor((room - 16) / characterWidth / Math.max(1, keys.sort.length)) - (keys.sort.length > 1 ? 2 : 0);
  return (
    <div role="gridcell" class="sort-cell">
      <span class="sort-keys" title={keys.sort.map((name) => keyText(member(item, name)!)).join(' · ')}>
        {keys.sort.map((name, i) => (
          <span key={name}>
            {i > 0 && ' · '}
            <Key item={item} name={name} value={member(item, name)!} decoder={decoder} entity={entity} most={most} />
          </span>
        ))}
      </span>
    </div>
  );
}

// What does not fit, by name; the panel has it in full.
function More({ item, columns, keys }: { item: Item; columns: ShownColumns; keys: SideKeys }) {
  const there = new Set([...columns.shown.map(({ name }) => name), ...keys.partition, ...keys.sort]);
  const hidden = Object.keys(item).filter((name) => !there.has(name));
  if (hidden.length === 0) return null;
  return (
    <div role="gridcell" class="more-attributes" title={hidden.map((name) => `${name}: ${cellText(member(item, name)!)}`).join('\n')}>
      +{hidden.length}
      <span class="unseen"> more: {hidden.join(', ')}</span>
    </div>
  );
}

function Key({ item, name, value, decoder, entity, most = Infinity }: { item: Item; name: string; value: AttributeValue; decoder: Decoder; entity: string; most?: number }) {
  return <KeyText entity={entity} template={decoder.templateOf(item, name)} value={keyText(value)} most={most} />;
}

const markWords = { lit: 'read', thrown: 'read and discarded', earlier: 'read before', same: 'the same item' };

function MarkBadge({ mark }: { mark: Mark }) {
  return (
    <span class="mark-badge" title={markWords[mark.kind]}>
      {mark.order > 0 && <b>{ordinal(mark.order)}</b>} <span class={mark.kind === 'lit' ? 'unseen' : undefined}>{markWords[mark.kind]}</span>
    </span>
  );
}

function cellText(value: AttributeValue): string {
  const text = show(value);
  return text.length > valueCharacters ? `${text.slice(0, valueCharacters)}…` : text;
}
