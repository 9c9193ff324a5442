// A table of a design inside somebody else's page: its sample, the two homes of each item, and one access pattern that runs on
// the engine. It asks only what reads; whatever leads further opens a page of its own.
//
// /studio/embed/DESIGN?pattern=NAME&p.PARAMETER=…&index=GSI1&theme=dark; DESIGN is an example, `file` or `link:…`.
import { useComputed, useSignal, type ReadonlySignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { member } from '../api/attribute_value.ts';
import type { TableDescription } from '../api/dynamodb.ts';
import { model as api, type Model, type PlainValue, type PlannedPattern, type Trace } from '../api/model.ts';
import { formatRoute } from '../app/route.ts';
import { colourStyle, segmentColoursOf } from '../design/colours.ts';
import { bytes, perMillion, plural } from '../parts/numbers.ts';
import { valueSegments } from '../parts/key_segments.ts';
import { heightOf, placesIn, rowHeight } from '../parts/stack.ts';
import { unpackText } from '../requests/link.ts';
import { cardGroups, cardTable, keyLabel, litBy, tableSide, type CardItem, type CardTable } from './card_items.ts';
import '../parts/key_text.css';
import './card.css';

interface Opened {
  source: string;
  model: Model;
  table: CardTable;
  pattern: PlannedPattern | null;
}

async function textOf(design: string): Promise<string> {
  if (design.startsWith('link:')) return unpackText(design.slice('link:'.length));
  return design === 'file' ? (await api.source()).source : (await api.example(design)).source;
}

async function open(design: string, query: Readonly<Record<string, string>>): Promise<Opened> {
  const source = await textOf(design).catch(() => {
    throw new Error('The design of this card cannot be opened.');
  });
  const { model } = await api.check(source);
  if (!model) throw new Error('The design of this card cannot be read.');
  const [plan, made] = await Promise.all([api.plan(source), api.tables(source)]);
  const runs = plan.patterns.filter(({ served, examples, parameters }) => served && (examples.length > 0 || parameters.length === 0));
  const pattern = plan.patterns.find(({ name, served }) => served && name === query['pattern']) ?? (query['pattern'] === undefined ? runs[0] : undefined) ?? null;
  const wanted = query['table'] ?? pattern?.steps[0]?.table;
  const tables = made.tables as unknown as TableDescription[];
  const table = tables.find(({ TableName }) => TableName === wanted) ?? tables[0];
  if (!table) throw new Error('The design of this card has no table.');
  const items = made.items.filter((one) => one.table === table.TableName).map(({ item }) => item);
  return { source, model, table: cardTable(model, table, items), pattern };
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
  opened: Opened;
  side: string;
  trace: Trace | null;
}

function Stage({ opened: { model, table }, side, trace }: StageProps) {
  const groups = cardGroups(table, side);
  const places = placesIn(groups);
  const home = placesIn(cardGroups(table, tableSide));
  const lit = trace ? litBy(trace, table) : null;
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
        <span class="card-label">{item.label}</span>
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

function Sides({ table, side }: { table: CardTable; side: Signal<string> }) {
  if (table.sides.length === 1) return null;
  return (
    <div class="card-sides" role="group" aria-label="Side">
      {table.sides.map((each) => (
        <button key={each} type="button" aria-pressed={side.value === each} onClick={() => (side.value = each)}>
          {each === tableSide ? 'Table' : each}
        </button>
      ))}
    </div>
  );
}

interface PatternProps {
  pattern: PlannedPattern;
  texts: Signal<Record<string, string>>;
  run: () => void;
  busy: ReadonlySignal<boolean>;
}

function Pattern({ pattern, texts, run, busy }: PatternProps) {
  return (
    <form
      class="card-pattern"
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      {pattern.parameters.map(({ name }) => (
        <label key={name}>
          <span>{name}</span>
          <input value={member(texts.value, name) ?? ''} autocomplete="off" onInput={(event) => (texts.value = { ...texts.peek(), [name]: event.currentTarget.value })} />
        </label>
      ))}
      <button class="main" disabled={busy.value}>
        Run
      </button>
    </form>
  );
}

function Figures({ trace }: { trace: Trace }) {
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

function OpenCard({ opened, query, design }: { opened: Opened; query: Readonly<Record<string, string>>; design: string }) {
  const { table, pattern, source, model } = opened;
  const side = useSignal(table.sides.includes(query['index'] ?? '') ? query['index']! : tableSide);
  const given = Object.entries(query).flatMap(([name, value]) => (name.startsWith('p.') ? [[name.slice(2), value] as const] : []));
  const first = Object.entries(pattern?.examples[0] ?? {}).map(([name, value]) => [name, String(value)] as const);
  const texts = useSignal<Record<string, string>>(Object.fromEntries([...first, ...given]));
  const trace = useSignal<Trace | null>(null);
  const trouble = useSignal('');
  const asking = useSignal(0);
  const busy = useComputed(() => asking.value > 0);
  const run = async () => {
    asking.value += 1;
    try {
      const parameters = Object.fromEntries(pattern!.parameters.map(({ name, type }): [string, PlainValue] => {
        const text = member(texts.peek(), name) ?? '';
        return [name, type === 'bool' ? text === 'true' : text];
      }));
      const next = await api.runOnSample(source, pattern!.name, parameters);
      trouble.value = '';
      trace.value = next;
      const read = next.steps.find((step) => step.table === table.name);
      if (read) side.value = read.index ?? tableSide;
    } catch (error) {
      trouble.value = (error as Error).message;
      trace.value = null;
    }
    asking.value -= 1;
  };
  const further = formatRoute({ view: 'items', query: { model: design, pattern: pattern?.name, ...Object.fromEntries(given.map(([name, value]) => [`p.${name}`, value])) } });
  return (
    <>
      <header class="card-head">
        <h1>{pattern ? pattern.title || pattern.name : model.title}</h1>
        <Sides table={table} side={side} />
      </header>
      {pattern && <Pattern pattern={pattern} texts={texts} run={() => void run()} busy={busy} />}
      <p class="card-figures" role="status">
        {trouble.value ? <span class="refused">{trouble.value}</span> : trace.value ? <Figures trace={trace.value} /> : `${plural(table.items.length, 'item')} in ${table.name}. Turn the side and see where they go.`}
      </p>
      <Stage opened={opened} side={side.value} trace={trace.value} />
      <footer class="card-foot">
        <span>{model.title}</span>
        <a href={further} target="_blank" rel="noopener">
          Open in Prejoin Studio
        </a>
      </footer>
    </>
  );
}

export function Card({ design, query }: { design: string; query: Readonly<Record<string, string>> }) {
  const opened = useSignal<Opened | null>(null);
  const trouble = useSignal('');
  useEffect(() => void open(design, query).then((value) => (opened.value = value), (error: Error) => (trouble.value = error.message)), []);
  return (
    <main class="card">
      {opened.value ? <OpenCard opened={opened.value} query={query} design={design} /> : <p role="status" class={trouble.value ? 'refused' : 'hint'}>{trouble.value || 'Opening the design…'}</p>}
    </main>
  );
}
