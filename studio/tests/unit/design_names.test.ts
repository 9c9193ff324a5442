import { describe, expect, it } from 'vitest';
import type { FoundDesign } from '../../src/api/model.ts';
import { distinctDesigns, nameOf } from '../../src/views/model/design/design_names.ts';

describe('designs that were found', () => {
  const design = (money: number, indexes: number, bestFor: string[], note = ''): FoundDesign => ({
    bestFor, note, money, trips: 1, indexes, copies: 0, proved: true, problems: [], source: `${money} ${indexes} ${note}`,
  });
  const now = 2;

  it('come cheapest first, equal ones once', () => {
    const all = distinctDesigns([design(149.751, 4, ['simplest']), design(149.754, 4, ['fewest-indexes']), design(149.67, 4, [], 'natural keys')]);
    expect(all.map((one) => [one.money, one.bestFor])).toEqual([[149.67, []], [149.751, ['simplest', 'fewest-indexes']]]);
    expect(nameOf(all[0]!, all, now)).toBe('cheapest (natural keys)');
  });

  it('are not shown where another is better in everything', () => {
    const shown = (...all: FoundDesign[]) => distinctDesigns(all).map((one) => one.money);
    expect(shown(design(54, 3, ['cheapest']), design(60, 3, ['fewest-indexes']), design(61, 2, []))).toEqual([54, 61]);
    expect(shown(design(54, 3, ['cheapest']), { ...design(60, 3, []), trips: 0 })).toEqual([54, 60]);
  });

  it('have no name that the open design deserves more', () => {
    const [three, two] = [design(54, 3, ['cheapest', 'fewest-indexes']), design(60, 2, ['fewest-indexes'])];
    expect(nameOf(three, [three], now)).toBe('cheapest');
    expect(nameOf(two, [three, two], now)).toBe('fewest indexes');
    expect(nameOf({ ...two, trips: 2, bestFor: ['fewest-trips'] }, [three, two], now)).toBe('another way');
  });
});
