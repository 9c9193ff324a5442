// What the live view knows: samples of the server's counters, and the load that the view itself makes. One loop runs at a time.
import { signal } from '@preact/signals';
import { reach } from '../../api/reach.ts';
import { makeTable, quiet, scenarios, sendSecond, type Capacity, type Load, type Scenario } from './load.ts';
import { sampleOf, type PartitionsAnswer, type Sample } from './samples.ts';
import { chartSeconds } from './live_chart.tsx';

export type Physics = 'asking' | 'off' | 'on';

export const physics = signal<Physics>('asking');
export const isVirtual = signal(false); // The tables' clock stands still until somebody moves it.
export const samples = signal<Sample[]>([]);
export const load = signal<Load>({ ...quiet, writes: 500 });
export const capacity = signal<Capacity>('on-demand');
export const provisioned = signal({ read: 1000, write: 1000 });
export const running = signal(false);
export const preparing = signal<number | null>(null); // Share of the items that are there.
export const playing = signal<Scenario | null>(null);
export const second = signal(0); // Of the run.
export const failure = signal('');
export const pace = signal(250); // Milliseconds for a second of load.

let last: { answer: PartitionsAnswer; at: number } | null = null;
let stop: AbortController | null = null;

async function getJson<T>(path: string, init?: RequestInit): Promise<T | null> {
  const response = await reach(path, init);
  return response.ok ? ((await response.json()) as T) : null;
}

async function nowOfTables(): Promise<number> {
  const clock = isVirtual.peek() ? await getJson<{ now: number }>('/clock') : null;
  return clock?.now ?? Date.now() / 1000;
}

async function pass(seconds: number): Promise<void> {
  if (isVirtual.peek()) {
    await getJson('/clock', { method: 'POST', body: JSON.stringify({ advance: seconds }) });
  } else {
    await new Promise((done) => setTimeout(done, seconds * 1000));
  }
}

// A table that was there is gone, although nobody here has deleted it.
export const startedAnew = (now: PartitionsAnswer, before: PartitionsAnswer): boolean =>
  before.Resources.some(({ Resource }) => !now.Resources.some((one) => one.Resource === Resource));

// Reads the counters, and adds what happened since they were read last.
export async function look(): Promise<void> {
  const answer = await getJson<PartitionsAnswer>('/partitions');
  if (!answer) return;
  if (last && startedAnew(answer, last.answer)) {
    // Another server, or the same without its tables: what was seen before is not there any more.
    samples.value = [];
    last = null;
  }
  const at = await nowOfTables();
  if (last && at - last.at >= 0.2) {
    const sample = sampleOf(answer, last.answer, at, at - last.at);
    if (running.peek()) sample.asked = { Read: load.peek().reads, Write: load.peek().writes };
    samples.value = [...samples.peek(), sample].filter((one) => one.at > at - chartSeconds - 5 && one.at <= at);
  }
  if (!last || at - last.at >= 0.2 || at < last.at) last = { answer, at };
}

export async function begin(): Promise<void> {
  if (physics.peek() === 'on') return;
  const answer = await reach('/partitions').catch(() => null);
  if (!answer) return; // The frame says that the server is gone.
  physics.value = answer.ok && answer.headers.get('content-type')?.startsWith('application/json') ? 'on' : 'off';
  if (physics.peek() === 'off') return;
  isVirtual.value = (await fetch('/clock').catch(() => null))?.ok ?? false;
  await look();
}

export function halt(): void {
  stop?.abort();
  stop = null;
  running.value = false;
  playing.value = null;
}

const wait = (ms: number) => new Promise((done) => setTimeout(done, Math.max(0, ms)));

async function run(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const began = performance.now();
    const scenario = playing.peek();
    if (scenario) load.value = scenario.at(second.peek());
    await sendSecond(load.peek(), Math.random, signal);
    if (isVirtual.peek()) await pass(1);
    await look();
    second.value += 1;
    await wait((isVirtual.peek() ? pace.peek() : 1000) - (performance.now() - began));
  }
}

// A new table, its items, and then the load until somebody stops it.
export async function start(scenario: Scenario | null): Promise<void> {
  halt();
  const control = new AbortController();
  stop = control;
  failure.value = '';
  running.value = true;
  preparing.value = 0;
  second.value = 0;
  if (scenario) {
    capacity.value = scenario.capacity;
    load.value = scenario.at(0);
  }
  try {
    await makeTable(capacity.peek(), provisioned.peek(), () => pass(1), (share) => (preparing.value = share));
    await pass(2); // What the seeds took is there again.
    preparing.value = null;
    samples.value = [];
    last = null;
    await look();
    playing.value = scenario;
    await run(control.signal);
  } catch (error) {
    if ((error as Error).name !== 'AbortError') failure.value = (error as Error).message;
  } finally {
    preparing.value = null;
    if (stop === control) halt();
  }
}

// Dragging a slider takes over from the scenario.
export function setLoad(change: Partial<Load>): void {
  playing.value = null;
  load.value = { ...load.peek(), ...change };
}

// A run as parameters of the address, and back.
export function queryOfRun(): Record<string, string | undefined> {
  const { writes, reads, hot, shards, statuses } = load.value;
  const scenario = playing.value;
  if (scenario) return { scenario: scenario.name };
  return { scenario: undefined, w: String(writes), r: String(reads), hot: String(hot), shards: String(shards), statuses: String(statuses), capacity: capacity.value };
}

export function takeQuery(query: Readonly<Record<string, string>>): Scenario | null {
  const number = (name: string, most: number, otherwise: number) => {
    const value = Number(query[name] ?? otherwise);
    return Number.isFinite(value) ? Math.min(most, Math.max(0, value)) : otherwise;
  };
  const before = load.peek();
  load.value = {
    writes: number('w', 8000, before.writes),
    reads: number('r', 12_000, before.reads),
    hot: number('hot', 100, before.hot),
    shards: Math.max(1, Math.round(number('shards', 16, before.shards))),
    statuses: Math.round(number('statuses', 32, before.statuses)),
  };
  const asked = query['capacity'];
  if (asked === 'on-demand' || asked === 'warm' || asked === 'provisioned') capacity.value = asked;
  return scenarios.find(({ name }) => name === query['scenario']) ?? null;
}
