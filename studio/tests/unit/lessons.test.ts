// Lessons are data; these tests hold them against the models that they name.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/requests/request.ts';
import { lessons } from '../../src/views/learn/lessons.ts';
import { fingerprint } from '../../src/views/learn/state.ts';
import { perMillion } from '../../src/parts/numbers.ts';

const modelText = (name: string) => readFileSync(new URL(`../../../examples/models/${name}.prejoin`, import.meta.url), 'utf8');

describe('the lessons', () => {
  it('have addresses of their own', () => {
    expect(lessons).toHaveLength(15);
    expect(new Set(lessons.map(({ id }) => id)).size).toBe(15);
    for (const { id } of lessons) expect(id).toMatch(/^[a-z-]+$/);
  });

  it.each(lessons.map((lesson) => [lesson.id, lesson] as const))('%s keeps to its model', (_id, lesson) => {
    const text = modelText(lesson.model);
    expect(text).toContain(`\ntable ${lesson.table} `);
    expect([...text.matchAll(/^table /gm)], 'one table, so that Reset touches nothing else').toHaveLength(1);
    for (const step of lesson.steps) {
      expect(step.tries.length).toBeGreaterThan(0);
      for (const paragraph of [...step.text, step.trap?.text ?? '']) expect(paragraph.split('`').length % 2, paragraph).toBe(1);
      if (step.index) expect(text).toContain(`index ${step.index} `);
      if (step.draft) expect(compile(step.draft).request['TableName']).toBe(lesson.table);
      const patterns = [step.pattern, ...step.tries.flatMap((wanted) => ('pattern' in wanted ? [{ name: wanted.pattern, parameters: wanted.parameters }] : []))];
      for (const pattern of patterns) {
        if (!pattern) continue;
        const found = text.match(new RegExp(`^pattern ${pattern.name} [^]*?^}`, 'm'))?.[0] ?? '';
        expect(found, pattern.name).not.toBe('');
        expect(new Set(found.match(/(?<=:)[a-z]\w*/g))).toEqual(new Set(Object.keys(pattern.parameters)));
      }
      for (const wanted of step.tries) {
        if ('calls' in wanted) for (const { request } of wanted.calls) expect(JSON.stringify(request)).toContain(`"${lesson.table}"`);
      }
    }
  });

  it('keep to their own rule for suffixes', () => {
    const lesson = lessons.find(({ id }) => id === 'write-sharding')!;
    const perMinute = Number(/^([\d,]+) people vote/.exec(lesson.question)![1]!.replaceAll(',', ''));
    const suffixes = Number(/\{shard (\d+) of/.exec(modelText(lesson.model))![1]);
    const wanted = (perMinute / 60 / 1000) * 2;
    expect(suffixes).toBe(Math.ceil(wanted) + (Math.ceil(wanted) % 2));
    expect(lesson.steps.map(({ trap }) => trap?.text).join(' ')).toContain(`Here that is ${wanted.toFixed(1)}, so eight.`);
  });

  it('name the traps that belong to them', () => {
    const traps = lessons.flatMap(({ steps }) => steps.flatMap(({ trap }) => (trap ? [trap.title] : [])));
    for (const title of ['The profile slips in', 'Names in the picture, not in the answer', 'A prefix without its end', 'The key is also the identity']) {
      expect(traps).toContain(title);
    }
  });
});

describe('prices', () => {
  it('are said for a million', () => {
    expect(perMillion(6.25e-8)).toBe('$0.06 per million runs');
    expect(perMillion(1.25e-5)).toBe('$12.50 per million runs');
    expect(perMillion(1.25e-3, '€')).toBe('€1,250 per million runs');
  });
});

describe('the fingerprint of a table', () => {
  it('knows neither order of items nor of attributes, but every value', () => {
    const a = { x: { S: '1' }, m: { M: { p: { N: '1' }, q: { N: '2' } } } };
    const b = { y: { L: [{ S: '1' }, { S: '2' }] } };
    expect(fingerprint([a, b])).toBe(fingerprint([{ ...b }, { m: { M: { q: { N: '2' }, p: { N: '1' } } }, x: { S: '1' } }]));
    expect(fingerprint([a])).not.toBe(fingerprint([{ ...a, x: { S: '2' } }]));
    expect(fingerprint([b])).not.toBe(fingerprint([{ y: { L: [{ S: '2' }, { S: '1' }] } }]));
  });
});
