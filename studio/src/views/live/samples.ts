// What GET /partitions says, and what happened between two of its answers: everything that the live view draws is such a difference
// of the engine's own counters.

export interface PartitionState {
  Begin: string; // Hexadecimal; the end is the next one's beginning.
  CreationDateTime: number;
  Cause: string;
  HotMinutes: number;
  ConsumedReadCapacityUnits: number;
  ReadThrottleEvents: number;
  ConsumedWriteCapacityUnits: number;
  WriteThrottleEvents: number;
}

export type Minute = { Timestamp: number } & Record<string, number>;

interface Side {
  UnitsPerSecond: number;
  Balance: number;
}

export interface ResourceState {
  Resource: string;
  BillingMode: string;
  Read: Side;
  Write: Side;
  Partitions: PartitionState[];
  Metrics: Minute[];
}

export interface PartitionsAnswer {
  Parameters: Record<string, { Value: number; DocumentedByAws: boolean }>;
  Resources: ResourceState[];
}

export const sides = ['Read', 'Write'] as const;
export type SideName = (typeof sides)[number];

export const limitNames = ['KeyRange', 'Provisioned', 'MaxOnDemand', 'AccountLimit'] as const;
export type LimitName = (typeof limitNames)[number];

// One direction of one table or index in one interval.
export interface Flow {
  unitsPerSecond: number;
  capacity: number; // Units a second, without burst.
  throttled: Record<LimitName, number>; // Events.
}

export interface PartitionHeat {
  begin: string;
  cause: string;
  heat: number; // Share of the partition's limit, of the direction that uses more.
  side: SideName;
  throttled: number;
}

export interface ResourceSample {
  name: string; // "Orders", or "Orders / ByStatus".
  isIndex: boolean;
  flows: Record<SideName, Flow>;
  partitions: PartitionHeat[];
}

export interface Sample {
  at: number; // Seconds, of the tables' clock.
  resources: ResourceSample[];
  asked?: Record<SideName, number>; // Units a second that the view's own load asked for.
}

export function nameOf(arn: string): string {
  const names = arn.slice(arn.indexOf(':table/') + ':table/'.length);
  return names.replace('/index/', ' / ');
}

function metricOf(side: SideName, limit: LimitName): string {
  return limit === 'AccountLimit' ? `${side}AccountLimitThrottleEvents` : `${side}${limit}ThroughputThrottleEvents`;
}

const total = (minutes: Minute[], metric: string) => minutes.reduce((sum, minute) => sum + (minute[metric] ?? 0), 0);

// Minutes that the server has forgotten meanwhile make a total smaller: nothing is taken back.
const more = (now: number, before: number) => Math.max(0, now - before);

function flowOf(side: SideName, now: ResourceState, before: ResourceState | undefined, seconds: number): Flow {
  const since = (metric: string) => more(total(now.Metrics, metric), before ? total(before.Metrics, metric) : 0);
  const throttled = Object.fromEntries(limitNames.map((limit) => [limit, since(metricOf(side, limit))]));
  return {
    unitsPerSecond: since(`Consumed${side}CapacityUnits`) / seconds,
    capacity: now[side].UnitsPerSecond,
    throttled: throttled as Record<LimitName, number>,
  };
}

function heatOf(now: PartitionState, before: PartitionState | undefined, limits: Record<SideName, number>, seconds: number): PartitionHeat {
  const shares = sides.map((side) => {
    const metric = `Consumed${side}CapacityUnits` as const;
    return more(now[metric], before?.[metric] ?? 0) / seconds / limits[side];
  });
  const [read = 0, write = 0] = shares;
  return {
    begin: now.Begin,
    cause: now.Cause,
    heat: Math.max(read, write),
    side: read > write ? 'Read' : 'Write',
    throttled: more(now.ReadThrottleEvents + now.WriteThrottleEvents, before ? before.ReadThrottleEvents + before.WriteThrottleEvents : 0),
  };
}

// `seconds` of the tables' clock lie between the answers, and are above 0.
export function sampleOf(now: PartitionsAnswer, before: PartitionsAnswer, at: number, seconds: number): Sample {
  const limits = {
    Read: now.Parameters['partition-read-units']?.Value ?? 3000,
    Write: now.Parameters['partition-write-units']?.Value ?? 1000,
  };
  const earlier = new Map(before.Resources.map((resource) => [resource.Resource, resource]));
  return {
    at,
    resources: now.Resources.map((resource) => {
      const old = earlier.get(resource.Resource);
      const partitions = new Map(old?.Partitions.map((partition) => [partition.Begin, partition]));
      return {
        name: nameOf(resource.Resource),
        isIndex: resource.Resource.includes('/index/'),
        flows: { Read: flowOf('Read', resource, old, seconds), Write: flowOf('Write', resource, old, seconds) },
        partitions: resource.Partitions.map((partition) => heatOf(partition, partitions.get(partition.Begin), limits, seconds)),
      };
    }),
  };
}

export const throttledIn = (flow: Flow) => limitNames.reduce((sum, limit) => sum + flow.throttled[limit], 0);

export function throttledOf(flows: Flow[]): Flow['throttled'] {
  const sum = (limit: LimitName) => flows.reduce((all, flow) => all + flow.throttled[limit], 0);
  return { KeyRange: sum('KeyRange'), Provisioned: sum('Provisioned'), MaxOnDemand: sum('MaxOnDemand'), AccountLimit: sum('AccountLimit') };
}

// The sentence under the strip: the worst that happened in the samples, or nothing.
export function verdictOf(samples: Sample[]): string {
  const counts = new Map<string, { name: string; isIndex: boolean; side: SideName; limit: LimitName; count: number }>();
  for (const sample of samples) {
    for (const { name, isIndex, flows } of sample.resources) {
      for (const side of sides) {
        for (const limit of limitNames) {
          const count = flows[side].throttled[limit];
          if (count === 0) continue;
          const key = `${name}|${side}|${limit}`;
          const known = counts.get(key) ?? { name, isIndex, side, limit, count: 0 };
          counts.set(key, { ...known, count: known.count + count });
        }
      }
    }
  }
  const worst = [...counts.values()].sort((a, b) => b.count - a.count)[0];
  return worst ? sentences[worst.limit](worst.name, worst.side.toLowerCase(), worst.isIndex) : '';
}

const sentences: Record<LimitName, (name: string, side: string, isIndex: boolean) => string> = {
  KeyRange: (name, side, isIndex) =>
    isIndex && side === 'write'
      ? `One key of the index ${name} takes more than a partition can write, so DynamoDB throttles writes to the table. Give the index key more values (shards).`
      : `${name} throttles ${side}s: one key or partition is at its limit, or the table is new and its load grows too fast. Spread the key over shards, or set warm throughput.`,
  Provisioned: (name, side) => `${name} uses more than its provisioned ${side} capacity, and its burst capacity is used up.`,
  MaxOnDemand: (name, side) => `${name} reaches the maximum ${side} throughput that is configured for it.`,
  AccountLimit: (name, side) => `${name} reaches the account's ${side} quota for one table.`,
};
