// A custom property that nothing defines leaves a shape black, which nobody sees on a dark page until they look.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(css|tsx?)$/.test(name))
  .map((name) => ({ name, text: readFileSync(join('src', name), 'utf8') }));

// Set as "--name: value", as a key of a style, or with a number behind the name.
const defined = new Set<string>();
const numbered: string[] = [];
for (const { text } of sources) {
  for (const match of text.matchAll(/(--[\w-]+)['"\]]*\s*:/g)) defined.add(match[1]!);
  for (const match of text.matchAll(/setProperty\(\s*['"](--[\w-]+)/g)) defined.add(match[1]!);
  for (const match of text.matchAll(/[`'"](--[\w-]+-)\$\{/g)) numbered.push(match[1]!);
}

it('every custom property that a style uses is defined', () => {
  const unknown = sources.flatMap(({ name, text }) =>
    [...text.matchAll(/var\((--[\w-]+)\)/g)]
      .map((match) => match[1]!)
      .filter((property) => !defined.has(property) && !numbered.some((prefix) => property.startsWith(prefix)))
      .map((property) => `${name}: ${property}`),
  );
  expect(defined.size).toBeGreaterThan(30);
  expect(unknown).toEqual([]);
});
