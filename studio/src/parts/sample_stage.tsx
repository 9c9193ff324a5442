// The sample of a design as a living picture: its items at home and in each index, and what a run lights up.
import { member, show, type Item } from '../api/attribute_value.ts';
import { keyNames, type TableDescription } from '../api/dynamodb.ts';
import { model as api, type Model, type PlannedPattern, type Trace } from '../api/model.ts';
import { colourStyle, segmentColoursOf } from '../design/colours.ts';
import { makeDecoder } from '../design/decode.ts';
import { valueSegments } from './key_segments.ts';
import { bytes, perMillion, plural } from './numbers.ts';
import { cardGroups, cardTable, keyLabel, litBy, tableSide, type CardItem, type CardTable } from './sample_items.ts';
import { heightOf, placesIn, rowHeight } from './stack.ts';
import './key_text.css';
import './sample_stage.css';

export interface OpenedSample {
  source: string;
  model: Model;
  table: CardTable;
  pattern: PlannedPattern | null;
  plan: PlannedPattern[];
  argumentsOf(pattern: PlannedPattern): Record<string, string>; // From the sample, for a pattern without an example.
}

// The table that the pattern in `query` reads, or the first that runs.
export async function openSample(source: string, query: Readonly<Record<string, string>> = {}): Promise<OpenedSample> {
  const { model } = await api.check(source);
  if (!model) throw new Error('The design cannot be read.');
  const [plan, made] = await Promise.all([api.plan(source), api.tables(source)]);
  const runs = plan.patterns.filter(({ served, examples, parameters }) => served && (examples.length > 0 || parameters.length === 0));
  const pattern = plan.patterns.find(({ name, served }) => served && name === query['pattern']) ?? (query['pattern'] === undefined ? runs[0] : undefined) ?? null;
  const wanted = query['table'] ?? pattern?.steps[0]?.table;
  const tables = made.tables as unknown as TableDescription[];
  const table = tables.find(({ TableName }) => TableName === wanted) ?? tables[0];
  if (!table) throw new Error('The design has no table.');
  const items = made.items.filter((one) => one.table === table.TableName).map(({ item }) => item);
  return { source, model, table: cardTable(model, table, items), pattern, plan: plan.patterns, argumentsOf: (of) => argumentsFrom(model, table, items, of) };
}

// Of each parameter the value that the first item has.
function argumentsFrom(model: Model, table: TableDescription, items: Item[], { parameters }: PlannedPattern): Record<string, string> {
  const decoder = makeDecoder(model, table.TableName, keyNames(table.KeySchema));
  const known = items.flatMap((item) => decoder.attributesOf(item) ?? []);
  return Object.fromEntries(
    parameters.flatMap(({ name, attribute }) => {
      const [entity, ...rest] = attribute.split('.');
      const value = known.find((one) => one.entity === entity && member(one.attributes, rest.join('.')))?.attributes[rest.join('.')];
      return value ? [[name, show(value)] as const] : [];
    }),
  );
}

function Key({ model, entity, text, template }: { model: Model; entity: string; text: string; template: string | null }) {
  return (
    <code>
      {valueSegments(text, template, segmentColoursOf(model, entity)).map(({ text: part, attribute, colour }, at) => (
        <span key={at} class={attribute === null ? 'key-word' : `key-value key-value-${colour}`}>
          {part}
        </span>
      ))}
    </code>
  );
}

interface StageProps {
  opened: OpenedSample;
  side: string;
  trace: Trace | null;
}

export function SampleStage({ opened: { model, table }, side, trace }: StageProps) {
  const groups = cardGroups(table, side);
  const places = placesIn(groups);
  const home = placesIn(cardGroups(table, tableSide));
  const lit = trace ? litBy(trace, table, side) : null;
  const height = Math.max(...table.sides.map((each) => heightOf(cardGroups(table, each))));
  const row = (item: CardItem) => {
    const key = item.keys[side] ?? null;
    const mark = lit?.get(item.id);
    return (
      <div
        key={item.id}
        class="card-item"
        data-mark={mark ? (mark.kept ? 'lit' : 'thrown') : lit ? 'untouched' : undefined}
        data-absent={key === null ? '' : undefined}
        aria-hidden={key === null}
        style={{ ...colourStyle(item.colour), transform: `translateY(${places.get(item.id) ?? home.get(item.id) ?? 0}px)`, height: `${rowHeight}px` }}
      >
        <Key model={model} entity={item.entity} text={key ? keyLabel(key.sort, table.keys[side]!.sort) : ''} template={item.templates[side]!.sort} />
        <span class="type-tag">{item.entity}</span>
        <span class="card-label">{item.labels[side]}</span>
        {mark && <span class="card-order" title={mark.kept ? 'Read, and part of the answer' : 'Read, paid for and discarded'}>{mark.order}</span>}
      </div>
    );
  };
  return (
    <div class="card-stage" tabIndex={0} role="region" aria-label={side === tableSide ? `Items of ${table.name}` : `Items of ${side}`}>
      <div style={{ height: `${height}px` }}>
        {groups.map(({ partition, top, height: tall, items }) => (
          <div key={`${side} ${partition}`} class="card-key" style={{ top: `${top}px`, height: `${tall}px` }}>
            <Key model={model} entity={items[0]!.entity} text={keyLabel(partition, table.keys[side]!.partition)} template={items[0]!.templates[side]!.partition} />
          </div>
        ))}
        {table.items.map(row)}
      </div>
    </div>
  );
}

export function TraceFigures({ trace }: { trace: Trace }) {
  const facts = [
    plural(trace.itemsRead, 'item'),
    trace.itemsThrownAway > 0 ? `${trace.itemsThrownAway} discarded` : '',
    bytes(trace.bytesRead),
    plural(trace.readUnits, 'read unit'),
    plural(trace.requests, 'request'),
    perMillion(trace.price, trace.currency),
  ];
  return <>{facts.filter(Boolean).join(' · ')}</>;
}
