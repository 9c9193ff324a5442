// A table of a design inside somebody else's page: its sample, the two homes of each item, and one access pattern that runs on
// the engine. It asks only what reads; whatever leads further opens a page of its own.
//
// /studio/embed/DESIGN?pattern=NAME&p.PARAMETER=…&index=GSI1&theme=dark; DESIGN is an example, `file` or `link:…`.
import { useComputed, useSignal, type ReadonlySignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { member } from '../api/attribute_value.ts';
import { model as api, type PlainValue, type PlannedPattern, type Trace } from '../api/model.ts';
import { formatRoute } from '../app/route.ts';
import { plural } from '../parts/numbers.ts';
import { openSample, SampleStage, TraceFigures, type OpenedSample } from '../parts/sample_stage.tsx';
import { unpackText } from '../requests/link.ts';
import { tableSide, type CardTable } from '../parts/sample_items.ts';
import './card.css';

async function textOf(design: string): Promise<string> {
  if (design.startsWith('link:')) return unpackText(design.slice('link:'.length));
  return design === 'file' ? (await api.source()).source : (await api.example(design)).source;
}

async function open(design: string, query: Readonly<Record<string, string>>): Promise<OpenedSample> {
  const source = await textOf(design).catch(() => {
    throw new Error('The design of this card cannot be opened.');
  });
  return openSample(source, query);
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

function OpenCard({ opened, query, design }: { opened: OpenedSample; query: Readonly<Record<string, string>>; design: string }) {
  const { table, pattern, source, model, argumentsOf } = opened;
  const side = useSignal(table.sides.includes(query['index'] ?? '') ? query['index']! : tableSide);
  const given = Object.entries(query).flatMap(([name, value]) => (name.startsWith('p.') ? [[name.slice(2), value] as const] : []));
  const first = Object.entries(pattern?.examples[0] ?? (pattern ? argumentsOf(pattern) : {})).map(([name, value]) => [name, String(value)] as const);
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
        {trouble.value ? <span class="refused">{trouble.value}</span> : trace.value ? <TraceFigures trace={trace.value} /> : `${plural(table.items.length, 'item')} in ${table.name}. Turn the side and see where they go.`}
      </p>
      <SampleStage opened={opened} side={side.value} trace={trace.value} />
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
  const opened = useSignal<OpenedSample | null>(null);
  const trouble = useSignal('');
  useEffect(() => void open(design, query).then((value) => (opened.value = value), (error: Error) => (trouble.value = error.message)), []);
  return (
    <main class="card">
      {opened.value ? <OpenCard opened={opened.value} query={query} design={design} /> : <p role="status" class={trouble.value ? 'refused' : 'hint'}>{trouble.value || 'Opening the design…'}</p>}
    </main>
  );
}
