import { describe, expect, it } from 'vitest';
import type { Item } from '../../src/api/attribute_value.ts';
import type { Model } from '../../src/api/model.ts';
import { makeDecoder } from '../../src/design/decode.ts';
import { matchTemplate, renderTemplate } from '../../src/design/key_template.ts';

const attribute = (name: string, type = 'text') => ({ name, type, averageBytes: 4, maximumBytes: 4 });
const template = (name: string, text: string) => ({ name, kind: 'template', template: text });

const school = (typeAttribute: string): Model => ({
  title: 'School',
  entities: [
    { name: 'Student', line: 1, attributes: [attribute('id'), attribute('year', 'number')] },
    { name: 'Course', line: 2, attributes: [attribute('id')] },
    { name: 'Enrollment', line: 3, attributes: [attribute('studentId'), attribute('courseId'), attribute('grade')] },
  ],
  relationships: [],
  patterns: [],
  writes: [],
  samples: [],
  tables: [
    {
      name: 'School',
      partition: 'PK',
      sort: 'SK',
      typeAttribute,
      indexes: [],
      items: [
        { entity: 'Student', attributes: [template('PK', 'STU#{id}'), template('SK', 'PROFILE')], without: ['id'] },
        { entity: 'Course', attributes: [template('PK', 'CRS#{id}'), template('SK', 'METADATA')], without: ['id'] },
        {
          entity: 'Enrollment',
          attributes: [template('PK', 'STU#{studentId}'), template('SK', 'ENROLL#{courseId}'), template('GSI1PK', 'CRS#{courseId}')],
          without: ['studentId', 'courseId'],
        },
      ],
    },
  ],
});

const item = (partition: string, sort: string, more: Item = {}): Item => ({ PK: { S: partition }, SK: { S: sort }, ...more });
const keys = ['PK', 'SK'];

describe('templates', () => {
  it('are read back, each attribute up to the text behind it', () => {
    expect(matchTemplate('ORG#{org}#USER#{user}', 'ORG#o1#USER#a#b')).toEqual([
      { text: 'ORG#', attribute: null },
      { text: 'o1', attribute: 'org' },
      { text: '#USER#', attribute: null },
      { text: 'a#b', attribute: 'user' },
    ]);
  });

  it.each([['USER#1', 'ORG#{o}'], ['ORG#', 'ORG#{o}'], ['METADATA#', 'METADATA'], ['ORG#1', 'ORG#{o}#X']])(
    '%s does not fit %s',
    (text, form) => {
      expect(matchTemplate(form, text)).toBeNull();
    },
  );

  it('are rendered with padding and case', () => {
    expect(renderTemplate('{kind upper}#{n pad 6}#{name lower}', { kind: 'a', n: '42', name: 'Bo' })).toBe('A#000042#bo');
    expect(renderTemplate('A#{missing}', {})).toBeNull();
  });

  it('choose shards as the server does: FNV-1a, 64 bits', () => {
    // 0xaf63dc4c8601ec8c is the published value for "a".
    expect(renderTemplate('{shard 8 of id}', { id: 'a' })).toBe(String(0xaf63dc4c8601ec8cn % 8n));
  });
});

describe('a decoder', () => {
  it('finds the entity by its keys', () => {
    const decoder = makeDecoder(school(''), 'School', keys);
    expect(decoder.typeOf(item('STU#1', 'PROFILE')).name).toBe('Student');
    expect(decoder.typeOf(item('CRS#1', 'METADATA')).name).toBe('Course');
    expect(decoder.typeOf(item('STU#1', 'ENROLL#math')).name).toBe('Enrollment');
    expect(decoder.typeOf(item('DOG#1', 'PROFILE')).name).toBe('not in the model');
  });

  it('believes the type attribute, whatever its case', () => {
    const decoder = makeDecoder(school('Type'), 'School', keys);
    expect(decoder.typeOf(item('X', 'Y', { Type: { S: 'COURSE' } })).name).toBe('Course');
    expect(decoder.typeOf(item('STU#1', 'PROFILE', { Type: { S: 'unheard' } })).name).toBe('Student');
  });

  it('rejects an item whose keys contradict each other', () => {
    const decoder = makeDecoder(school(''), 'School', keys);
    expect(decoder.typeOf(item('STU#1', 'ENROLL#math', { GSI1PK: { S: 'CRS#art' } })).name).toBe('not in the model');
  });

  it('takes a shard for what it is: no value of its attribute', () => {
    const model = school('');
    model.tables[0]!.items[2]!.attributes[2] = template('GSI1PK', 'CRS#{courseId}#{shard 8 of studentId}');
    const decoder = makeDecoder(model, 'School', keys);
    expect(decoder.typeOf(item('STU#1', 'ENROLL#math', { GSI1PK: { S: 'CRS#math#6' } })).name).toBe('Enrollment');
  });

  it('reads attributes out of keys', () => {
    const decoder = makeDecoder(school(''), 'School', keys);
    const known = decoder.attributesOf(item('STU#1', 'ENROLL#math', { grade: { S: 'A' }, other: { S: 'x' } }));
    expect(known).toEqual({ entity: 'Enrollment', attributes: { studentId: { S: '1' }, courseId: { S: 'math' }, grade: { S: 'A' } } });
  });

  it('goes by prefixes without a model, or when the table has other keys than the model says', () => {
    for (const decoder of [makeDecoder(null, 'School', keys), makeDecoder(school(''), 'Other', keys)]) {
      expect(decoder.typeOf(item('STU#1', 'PROFILE')).name).toBe('STU');
      expect(decoder.typeOf(item('STU#1', 'CRS#1')).name).toBe('STU CRS');
      expect(decoder.typeOf(item('ORG#1', 'ORG#1')).name).toBe('ORG');
      expect(decoder.typeOf(item('plain', 'plain')).name).toBe('item');
      expect(decoder.attributesOf(item('STU#1', 'PROFILE'))).toBeNull();
    }
    const decoder = makeDecoder(school(''), 'School', ['Country', 'Place']);
    expect(decoder.typeOf({ Country: { S: 'USA' }, Place: { S: 'NY#X' } }).name).toBe('NY');
  });
});
