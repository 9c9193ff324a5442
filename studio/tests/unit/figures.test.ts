import { effect, signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { follow } from '../../src/design/figures.ts';

const turn = () => new Promise((resolve) => setTimeout(resolve));

describe('follow', () => {
  it('asks only while somebody reads', async () => {
    const key = signal<string | null>('a');
    const asked: string[] = [];
    const answer = follow(key, async (name) => (asked.push(name), name.toUpperCase()));
    await turn();
    expect(asked).toEqual([]);
    const stop = effect(() => void answer.value);
    await turn();
    expect(answer.peek()).toEqual({ value: 'A', error: null, busy: false });
    stop();
    await turn();
    key.value = 'b';
    await turn();
    expect(asked).toEqual(['a']);
  });

  it('asks nothing twice for the same text', async () => {
    const asked: string[] = [];
    const answer = follow(signal('a'), async (name) => (asked.push(name), name));
    for (let i = 0; i < 2; ++i) {
      const stop = effect(() => void answer.value);
      await turn();
      stop();
      await turn();
    }
    expect(asked).toEqual(['a']);
  });

  it('keeps the newest answer, not the last to arrive', async () => {
    const key = signal('slow');
    const answers = new Map<string, (text: string) => void>();
    const answer = follow(key, (name) => new Promise<string>((resolve) => answers.set(name, resolve)));
    const stop = effect(() => void answer.value);
    await turn();
    key.value = 'quick';
    await turn();
    answers.get('quick')!('quick');
    await turn();
    answers.get('slow')!('slow');
    await turn();
    expect(answer.peek().value).toBe('quick');
    stop();
  });

  it('gives the reason when it fails', async () => {
    const answer = follow(signal('a'), () => Promise.reject(new Error('no such table')));
    const stop = effect(() => void answer.value);
    await turn();
    expect(answer.peek()).toEqual({ value: null, error: 'no such table', busy: false });
    stop();
  });
});
