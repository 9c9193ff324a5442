// The strategies of a relationship as bars.
import type { Advice } from '../../../api/model.ts';

export interface AlternativeRow {
  strategy: string;
  legal: boolean;
  switchable: boolean;
  partner: string | null; // Advised, but only together with this.
  inUse: boolean;
  recommended: boolean;
  moneyPerMonth: number;
  share: number; // Of the dearest that is legal, for the bar.
  reads: number;
  writes: number;
  roundTrips: number;
  reason: string;
}

// Legal ones first, cheapest first. What is advised but cannot stand alone comes next: an adjacency
// list serves one direction only, and goes with an inverted index. `most` is what a whole bar stands for.
export function alternativeRows(advice: Advice, most?: number): AlternativeRow[] {
  const legal = advice.alternatives.filter((one) => one.legal);
  const dearest = most ?? Math.max(0, ...legal.map((one) => one.moneyPerMonth));
  const rank = (one: Advice['alternatives'][number]) => (one.legal ? 2 : advice.recommended.includes(one.strategy) ? 1 : 0);
  return [...advice.alternatives]
    .sort((a, b) => rank(b) - rank(a) || (a.legal ? a.moneyPerMonth - b.moneyPerMonth : 0))
    .map((one) => ({
      strategy: one.strategy,
      legal: one.legal,
      switchable: one.switchable,
      partner: rank(one) === 1 ? (advice.recommended.find((other) => other !== one.strategy) ?? null) : null,
      inUse: advice.inUse.includes(one.strategy),
      recommended: advice.recommended.includes(one.strategy),
      moneyPerMonth: one.moneyPerMonth,
      share: dearest > 0 && one.legal ? one.moneyPerMonth / dearest : 0,
      reads: one.readUnitsPerSecond,
      writes: one.writeUnitsPerSecond,
      roundTrips: one.roundTrips,
      reason: one.reason,
    }));
}
