// The live view draws differences of counters, and makes the load that its sliders say.
import { describe, expect, it } from 'vitest';
import { countOf, keysOf, quiet, scenarios } from '../../src/views/live/load.ts';
import { niceTop } from '../../src/views/live/live_chart.tsx';
import { nameOf, sampleOf, throttledIn, verdictOf, type PartitionsAnswer, type ResourceState } from '../../src/views/live/samples.ts';

const arn = 'arn:aws:dynamodb:us-east-1:123456789012:table/Orders';

function resource(changes: Partial<ResourceState> = {}): ResourceState {
  return {
    Resource: arn,
    BillingMode: 'PAY_PER_REQUEST',
    Read: { UnitsPerSecond: 12000, Balance: 0 },
    Write: { UnitsPerSecond: 4000, Balance: 0 },
    Partitions: [],
    Metrics: [],
    ...changes,
  };
}

const partition = (Begin: string, written: number, throttled = 0, Cause = 'initial') => ({
  Begin,
  CreationDateTime: 0,
  Cause,
  HotMinutes: 0,
  ConsumedReadCapacityUnits: 0,
  ReadThrottleEvents: 0,
  ConsumedWriteCapacityUnits: written,
  WriteThrottleEvents: throttled,
});

const answer = (...Resources: ResourceState[]): PartitionsAnswer => ({
  Parameters: { 'partition-read-units': { Value: 3000, DocumentedByAws: true }, 'partition-write-units': { Value: 1000, DocumentedByAws: true } },
  Resources,
});

describe('samples', () => {
  it('are differences over the minutes of the server', () => {
    const before = answer(resource({ Metrics: [{ Timestamp: 0, ConsumedWriteCapacityUnits: 100, WriteKeyRangeThroughputThrottleEvents: 2 }] }));
    const now = answer(
      resource({
        Metrics: [
          { Timestamp: 0, ConsumedWriteCapacityUnits: 160, WriteKeyRangeThroughputThrottleEvents: 5 },
          { Timestamp: 60, ConsumedWriteCapacityUnits: 40 },
        ],
      }),
    );
    const flow = sampleOf(now, before, 62, 2).resources[0]!.flows.Write;
    expect(flow.unitsPerSecond).toBe(50);
    expect(flow.throttled.KeyRange).toBe(3);
    expect(throttledIn(flow)).toBe(3);
    expect(flow.capacity).toBe(4000);
  });

  it('never go below zero when the server forgets minutes', () => {
    const before = answer(resource({ Metrics: [{ Timestamp: 0, ConsumedReadCapacityUnits: 500 }] }));
    expect(sampleOf(answer(resource()), before, 1, 1).resources[0]!.flows.Read.unitsPerSecond).toBe(0);
  });

  it('show the heat of each partition, and of one that has just split off', () => {
    const before = answer(resource({ Partitions: [partition('', 1000)] }));
    const now = answer(resource({ Partitions: [partition('', 1500, 4), partition('80000000', 900, 0, 'heat')] }));
    const [left, right] = sampleOf(now, before, 1, 1).resources[0]!.partitions;
    expect(left).toMatchObject({ heat: 0.5, throttled: 4, side: 'Write' });
    expect(right).toMatchObject({ heat: 0.9, cause: 'heat' });
  });

  it('name indexes with their tables', () => {
    expect(nameOf(`${arn}/index/ByStatus`)).toBe('Orders / ByStatus');
  });

  it('say what throttles most, and nothing when nothing does', () => {
    const quietSample = sampleOf(answer(resource()), answer(resource()), 1, 1);
    expect(verdictOf([quietSample])).toBe('');
    const index = resource({ Resource: `${arn}/index/ByStatus`, Metrics: [{ Timestamp: 0, WriteKeyRangeThroughputThrottleEvents: 9 }] });
    expect(verdictOf([sampleOf(answer(index), answer(), 1, 1)])).toContain('Orders / ByStatus takes more than a partition can write');
  });
});

describe('load', () => {
  it('has the stated rate on average', () => {
    let state = 1;
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
    let sum = 0;
    for (let at = 0; at < 2000; at += 1) sum += countOf(250, 100, random);
    expect(sum / 2000).toBeCloseTo(2.5, 1);
  });

  it('sends the hot share to the shards of one key', () => {
    let at = 0;
    const random = () => ((at += 1) % 100) / 100;
    const keys = keysOf(1000, { ...quiet, hot: 50, shards: 2 }, random);
    expect(keys.filter((key) => key.startsWith('star-')).length).toBeGreaterThan(300);
    expect(new Set(keys.filter((key) => key.startsWith('star-'))).size).toBeLessThanOrEqual(2);
  });

  it('is never negative in a scenario', () => {
    for (const scenario of scenarios) {
      for (const second of [0, 1, 20, 79, 80, 1000]) {
        const load = scenario.at(second);
        expect(Math.min(load.writes, load.reads, load.hot, load.statuses)).toBeGreaterThanOrEqual(0);
        expect(load.shards).toBeGreaterThanOrEqual(1);
      }
    }
  });
});

it('the scale of a chart ends at a round number above its values', () => {
  expect(niceTop(4300)).toBe(5000);
  expect(niceTop(101)).toBe(150);
  expect(niceTop(1)).toBeGreaterThanOrEqual(1);
});
