import { describe, expect, it } from 'vitest';
import type { Model } from '../../src/api/model.ts';
import { entityColour, segmentColoursOf } from '../../src/design/colours.ts';
import { cutMiddle, templateSegments, valueSegments } from '../../src/parts/key_segments.ts';

const plain = () => 0;
const texts = (segments: { text: string; attribute: string | null }[]) =>
  segments.map(({ text, attribute }) => (attribute === null ? text : `<${attribute}:${text}>`));

describe('templates', () => {
  it('fall into words and values', () => {
    expect(texts(templateSegments('ENROLL#CRS#{courseId}', plain))).toEqual(['ENROLL#CRS#', '<courseId:{courseId}>']);
    expect(texts(templateSegments('{a}#{n pad 6}', plain))).toEqual(['<a:{a}>', '#', '<n:{n pad 6}>']);
    expect(texts(templateSegments('METADATA', plain))).toEqual(['METADATA']);
    expect(templateSegments('', plain)).toEqual([]);
  });

  it('name the attribute behind a modifier', () => {
    expect(texts(templateSegments('{shard 8 of id}#{ name lower }', plain))).toEqual(['<id:{shard 8 of id}>', '#', '<name:{ name lower }>']);
  });
});

describe('stored keys', () => {
  it('follow their template', () => {
    expect(texts(valueSegments('ENROLL#CRS#math204', 'ENROLL#CRS#{courseId}', plain))).toEqual([
      'ENROLL#CRS#',
      '<courseId:math204>',
    ]);
    expect(texts(valueSegments('US#NY#Albany#3', '{country}#{state}#{city}#{id}', plain))).toEqual([
      '<country:US>', '#', '<state:NY>', '#', '<city:Albany>', '#', '<id:3>',
    ]);
  });

  it('do not take the number of a shard for a value', () => {
    expect(texts(valueSegments('VOTE#7', 'VOTE#{shard 8 of voter}', plain))).toEqual(['VOTE#', '7']);
  });

  it('take signs of regular expressions as they are', () => {
    expect(texts(valueSegments('a.b(1)', 'a.b({x})', plain))).toEqual(['a.b(', '<x:1>', ')']);
    expect(texts(valueSegments('aXb(1)', 'a.b({x})', plain))).toEqual(['<:aXb(1)>']);
  });

  it('are split at # if nothing fits', () => {
    expect(texts(valueSegments('STU#a91', null, plain))).toEqual(['STU#', '<:a91>']);
    expect(texts(valueSegments('OTHER#a91', 'STU#{id}', plain))).toEqual(['OTHER#', '<:a91>']);
  });
});

describe('a key that is too long', () => {
  it('loses its middle, wherever its parts end', () => {
    const segments = valueSegments('ORDER#2024-01-01#0123456789', 'ORDER#{day}#{id}', plain);
    for (let most = 3; most < 40; most += 1) {
      const text = cutMiddle(segments, most).map((one) => one.text).join('');
      expect(text.length).toBeLessThanOrEqual(Math.max(3, most));
      expect(text.startsWith('O') && text.endsWith('9')).toBe(true);
      expect(text.split('…').length).toBe(most < 27 ? 2 : 1);
    }
  });
});

describe('colours', () => {
  const attribute = (name: string, references?: string) => ({
    name, type: 'text', averageBytes: 1, maximumBytes: 1, ...(references ? { references } : {}),
  });
  const model = {
    entities: [
      { name: 'Student', line: 1, attributes: [attribute('id')] },
      { name: 'Course', line: 2, attributes: [attribute('id')] },
      { name: 'Edge', line: 3, attributes: [attribute('s', 'Student.id'), attribute('c', 'Course.id')] },
    ],
    tables: [
      {
        items: [
          { entity: 'Student', attributes: [{ name: 'PK', kind: 'template', template: 'STU#{id}' }], without: [] },
          {
            entity: 'Edge',
            attributes: [
              { name: 'PK', kind: 'template', template: 'STU#{s}' },
              { name: 'SK', kind: 'template', template: 'CRS#{c}' },
            ],
            without: [],
          },
        ],
      },
    ],
  } as unknown as Model;

  it('are those of what an attribute references', () => {
    expect(segmentColoursOf(model, 'Edge')('s')).toBe(segmentColoursOf(model, 'Student')('id'));
    expect(segmentColoursOf(model, 'Edge')('c')).toBe(segmentColoursOf(model, 'Course')('id'));
    expect(segmentColoursOf(model, 'Edge')('c')).toBe(entityColour(model, 'Course'));
    expect(segmentColoursOf(model, 'Edge')('c')).not.toBe(segmentColoursOf(model, 'Edge')('s'));
  });

  it('end where references go in a circle', () => {
    const circle = {
      entities: [
        { name: 'A', line: 1, attributes: [attribute('x', 'B.x')] },
        { name: 'B', line: 2, attributes: [attribute('x', 'A.x')] },
      ],
      tables: [],
    } as unknown as Model;
    expect(segmentColoursOf(circle, 'A')('x')).toBe(0);
  });
});
