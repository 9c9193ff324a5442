import { describe, expect, it } from 'vitest';
import { LagQueue } from '../../src/views/items/lag.ts';

describe('the lag queue', () => {
  it('gives a change when it is due, not before', () => {
    const queue = new LagQueue<string>();
    queue.add('a', 1000, 500);
    expect(queue.take(1499)).toEqual([]);
    expect(queue.nextMs).toBe(1500);
    expect(queue.take(1500)).toEqual(['a']);
    expect(queue.nextMs).toBeNull();
  });

  it('lets no change overtake an earlier one when the lag gets shorter', () => {
    const queue = new LagQueue<string>();
    queue.add('first', 0, 5000);
    queue.add('second', 1000, 0);
    expect(queue.take(4999)).toEqual([]);
    expect(queue.take(5000)).toEqual(['first', 'second']);
  });
});
