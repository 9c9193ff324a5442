// Tables as they throttle: partitions that heat and split, units over time, and requests refused by reason. All figures are differences of
// the server's own counters. The load can be the reader's program, or a table that this view makes.
import { useEffect } from 'preact/hooks';
import { route, setQuery } from '../../app/route.ts';
import { LiveChart, Reasons, figure, topOf } from './live_chart.tsx';
import { begin, capacity, failure, halt, isVirtual, load, look, pace, physics, playing, preparing, provisioned, queryOfRun, running, samples, second, setLoad, start, takeQuery } from './live_state.ts';
import { scenarios, tableName, type Capacity, type Load } from './load.ts';
import { sides, throttledOf, verdictOf, type PartitionHeat, type ResourceSample } from './samples.ts';
import './live.css';

const lookEveryMs = 1000;
const knockEvery = 3;
const partitionsShown = 64;

function Slider({ label, value, most, step, unit, id, onInput }: { label: string; value: number; most: number; step: number; unit: string; id: string; onInput: (value: number) => void }) {
  return (
    <label class="live-slider" for={id}>
      <span>{label}</span>
      <output>
        {figure(value)}
        {unit}
      </output>
      <input id={id} type="range" min="0" max={most} step={step} value={value} onInput={(event) => onInput(Number(event.currentTarget.value))} />
    </label>
  );
}

function LoadPanel() {
  const { writes, reads, hot, shards, statuses } = load.value;
  const set = (change: Partial<Load>) => setLoad(change);
  return (
    <fieldset class="live-load">
      <legend>Load</legend>
      <Slider id="live-writes" label="Writes" value={writes} most={8000} step={100} unit=" units/s" onInput={(value) => set({ writes: value })} />
      <Slider id="live-reads" label="Reads" value={reads} most={12000} step={100} unit=" units/s" onInput={(value) => set({ reads: value })} />
      <Slider id="live-hot" label="To one hot key" value={hot} most={100} step={5} unit="%" onInput={(value) => set({ hot: value })} />
      <Slider id="live-shards" label="Shards of the hot key" value={shards} most={16} step={1} unit="" onInput={(value) => set({ shards: Math.max(1, value) })} />
      <Slider id="live-statuses" label="Values of the index key (shards)" value={statuses} most={32} step={1} unit={statuses === 0 ? ' (no index)' : ''} onInput={(value) => set({ statuses: value })} />
    </fieldset>
  );
}

const capacities: [Capacity, string][] = [
  ['on-demand', 'On demand, new'],
  ['warm', 'On demand, warm'],
  ['provisioned', 'Provisioned 1,000 / 1,000'],
];

function CapacityPanel() {
  return (
    <fieldset class="live-capacity">
      <legend>Capacity</legend>
      {capacities.map(([name, title]) => (
        <label key={name}>
          <input type="radio" name="live-capacity" checked={capacity.value === name} onChange={() => choose(name)} /> {title}
        </label>
      ))}
      <label class="live-pace" for="live-pace">
        Speed
        <select id="live-pace" value={String(pace.value)} disabled={!isVirtual.value} onChange={(event) => (pace.value = Number(event.currentTarget.value))}>
          <option value="1000">1×</option>
          <option value="250">4×</option>
          <option value="0">as fast as it goes</option>
        </select>
      </label>
    </fieldset>
  );
}

// A new table, because a table may be switched only four times a day.
function choose(name: Capacity): void {
  capacity.value = name;
  if (running.value) void start(null);
}

const causes: Record<string, string> = { initial: 'from the start', heat: 'split for heat', size: 'split for size', provisioned: 'split for capacity', peak: 'split for a new peak' };

function PartitionCell({ partition }: { partition: PartitionHeat }) {
  const percent = Math.round(partition.heat * 100);
  const title = `Keys from ${partition.begin || '0'}: ${percent}% of the ${partition.side.toLowerCase()} limit, ${partition.throttled} throttled since the last sample, ${causes[partition.cause] ?? partition.cause}`;
  return (
    <li class={`live-partition ${partition.throttled > 0 ? 'throttles' : ''} ${partition.cause}`} style={{ '--heat': String(Math.min(1, partition.heat)) }} title={title}>
      <i />
      <span class="unseen">{title}</span>
    </li>
  );
}

function Strip({ resource }: { resource: ResourceSample }) {
  const shown = resource.partitions.slice(0, partitionsShown);
  const hottest = Math.max(0, ...resource.partitions.map(({ heat }) => heat));
  return (
    <section class="live-strip" aria-label={`Partitions of ${resource.name}`}>
      <h3>
        {resource.isIndex ? 'Index' : 'Table'} {resource.name}
        <small>
          {resource.partitions.length} partition{resource.partitions.length === 1 ? '' : 's'}, the hottest at {Math.round(hottest * 100)}%
        </small>
      </h3>
      <ol>
        {shown.map((partition) => (
          <PartitionCell key={partition.begin} partition={partition} />
        ))}
      </ol>
    </section>
  );
}

function Charts({ name }: { name: string }) {
  const points = (side: (typeof sides)[number]) =>
    samples.value.flatMap(({ at, resources, asked }) => {
      const resource = resources.find((one) => one.name === name);
      if (!resource) return [];
      const throttled = throttledOf(resources.filter((one) => one.name === name || one.name.startsWith(`${name} / `)).map((one) => one.flows[side]));
      return [{ at, flow: { ...resource.flows[side], throttled }, asked: asked?.[side] }];
    });
  return (
    <div class="live-charts">
      {sides.map((side) => {
        const all = points(side);
        return (
          <figure key={side}>
            <figcaption>
              {side} units
              <b>{figure(all[all.length - 1]?.flow.unitsPerSecond ?? 0)}/s</b>
              <small>capacity {figure(all[all.length - 1]?.flow.capacity ?? 0)}/s</small>
              <Reasons points={all} />
            </figcaption>
            <p class="live-scale">
              {figure(topOf(all))} units/s
              {all[all.length - 1]?.asked !== undefined && <span>asked for: {figure(all[all.length - 1]!.asked!)}/s</span>}
            </p>
            <LiveChart side={side} points={all} pace={running.value && isVirtual.value ? Math.max(pace.value, 60) : lookEveryMs} />
          </figure>
        );
      })}
    </div>
  );
}

function Scenarios() {
  return (
    <ul class="live-scenarios">
      {scenarios.map((scenario) => (
        <li key={scenario.name}>
          <button type="button" aria-pressed={playing.value?.name === scenario.name} onClick={() => play(scenario.name)}>
            <b>{scenario.title}</b>
            <span>{scenario.says}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function play(name: string): void {
  setQuery({ scenario: name }, { replace: true });
  void start(scenarios.find((one) => one.name === name) ?? null);
  // What happens is drawn at the top, and the scenarios stand at the end.
  document.querySelector('main')?.scrollIntoView({ block: 'start' });
}

function Off() {
  return (
    <section class="live-off">
      <p>This server does not throttle. Start it with the limits of a real account, and with a clock that this page can move:</p>
      <pre>prejoin serve --memory --physics aws --clock virtual</pre>
      <p>Then this view shows partitions that heat up and split, and why requests are refused.</p>
    </section>
  );
}

function Bar() {
  const share = preparing.value;
  return (
    <div class="live-bar">
      {running.value ? (
        <button type="button" class="main" onClick={halt}>
          Stop
        </button>
      ) : (
        <button type="button" class="main" onClick={() => void start(null)}>
          Start
        </button>
      )}
      <span class="hint">{share !== null ? `Writing the items of table ${tableName}: ${Math.round(share * 100)}%` : running.value ? `Second ${second.value} of the run` : `Start recreates the table ${tableName} and loads it`}</span>
      <button type="button" onClick={() => void copyLink()}>
        Copy link to this run
      </button>
    </div>
  );
}

async function copyLink(): Promise<void> {
  setQuery(queryOfRun(), { replace: true });
  await navigator.clipboard?.writeText(location.href).catch(() => undefined);
}

export default function LiveView() {
  useEffect(() => {
    void begin().then(() => {
      if (physics.peek() !== 'on') return;
      const scenario = takeQuery(route.peek().query);
      if (scenario && !running.peek()) void start(scenario);
    });
    // Also a server that does not throttle is asked now and then: it may be gone, or come back as one that does.
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
      if (physics.peek() === 'on' && !running.peek()) void look().catch(() => undefined);
      if (physics.peek() !== 'on' && ticks % knockEvery === 0) void begin();
    }, lookEveryMs);
    return () => {
      clearInterval(timer);
      halt();
    };
  }, []);
  if (physics.value !== 'on') {
    return (
      <div class="live">
        <h1>Live</h1>
        {physics.value === 'off' && <Off />}
      </div>
    );
  }
  const resources = samples.value[samples.value.length - 1]?.resources ?? [];
  const busiest = resources.find(({ name }) => name === tableName) ?? resources[0];
  const verdict = verdictOf(samples.value.slice(-20));
  return (
    <div class="live">
      <h1>Live</h1>
      <p class={`live-verdict ${verdict ? 'throttles' : ''}`} role="status">
        {verdict || (resources.length > 0 ? 'Nothing is throttled.' : 'No requests yet. Start the load, play a scenario, or use your own program.')}
      </p>
      {failure.value && <p class="live-verdict throttles">{failure.value}</p>}
      <div class="live-strips">
        {resources.map((resource) => (
          <Strip key={resource.name} resource={resource} />
        ))}
      </div>
      {busiest && <Charts name={busiest.name} />}
      <Bar />
      <div class="live-controls">
        <LoadPanel />
        <CapacityPanel />
      </div>
      <h2>Scenarios</h2>
      <Scenarios />
      <p class="hint">
        Provisioned is {figure(provisioned.value.read)} read and {figure(provisioned.value.write)} write units a second. Limits that AWS does not publish are estimates: GET /partitions lists them.
      </p>
    </div>
  );
}
