import type { Lesson } from '../lesson.ts';

const table = 'LessonSensors';
const from = '2024-01-01T00:00:00Z';
const to = '2024-01-01T12:00:00Z';
const range = (end: string) => ({
  operation: 'Query',
  request: {
    TableName: table, KeyConditionExpression: 'PK = :p AND SK BETWEEN :a AND :b',
    ExpressionAttributeValues: { ':p': { S: 'DEVICE#d1' }, ':a': { S: `READING#${from}` }, ':b': { S: `READING#${end}` } },
  },
});

export const timeSeries: Lesson = {
  id: 'time-series',
  title: 'Time in the sort key',
  question: 'A sensor reports continuously. How do you find the newest values, and those of a time range?',
  strategy: 'One-to-many: timestamped sort keys',
  model: 'l10_time_series',
  table,
  steps: [
    {
      title: 'Text that sorts like time',
      text: [
        'Sort keys are compared byte by byte. A time written from the largest unit to the smallest, always in the same zone and with the same number of digits, sorts as text in the order of time: `2024-01-01T06:00:00Z`.',
        'So the newest readings are the end of the collection, read backwards, and a span of time is a run of neighbours.',
      ],
      tries: [
        { label: 'The newest two', note: 'Backwards, with a limit: two items are read, however long the history is.', pattern: 'Newest', parameters: { device: 'd1' } },
        { label: 'A morning', note: 'A run between two times.', pattern: 'Between', parameters: { device: 'd1', from, to } },
      ],
    },
    {
      title: 'Two in one second, and the end of a span',
      text: [
        'Two readings of the same second would have the same key, and the second would replace the first. A short suffix keeps them apart: `…12:00:00Z#MQR0`.',
        'The suffix also moves the end of a span: `…12:00:00Z#MQR0` comes after `…12:00:00Z`, so a range up to the bare time leaves noon out.',
      ],
      tries: [
        { label: 'Up to the bare time', note: 'One reading: the two of noon are missing.', calls: [range(to)] },
        { label: 'Up to the end of that second', note: '`~` comes after every letter and digit: all three.', calls: [range(`${to}~`)] },
      ],
      trap: { title: 'A collection that never ends', text: 'Years of readings under one key are cheap to keep, but all new ones go to one partition: 1,000 writes a second is its limit. Put the month or the day into the partition key, `DEVICE#d1#2024-01`, and a span asks one key for each month. Old ones expire by a time-to-live attribute, free of charge.' },
    },
  ],
};
