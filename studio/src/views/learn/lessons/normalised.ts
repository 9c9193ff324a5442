import type { Lesson } from '../lesson.ts';

const table = 'LessonAdmin';
const describe = (text: string) => ({
  operation: 'UpdateItem',
  request: { TableName: table, Key: { PK: { S: 'REPO#repo2' } }, UpdateExpression: 'SET Description = :d', ExpressionAttributeValues: { ':d': { S: text } } },
});

export const normalised: Lesson = {
  id: 'normalised',
  title: 'Ids, then items',
  question: 'Reads must never be stale, and latency does not matter. Is a second request so bad?',
  strategy: 'Many-to-many: normalise and fetch',
  model: 'l07_references',
  table,
  steps: [
    {
      title: 'A list of ids is not a copy',
      text: [
        'The user keeps only the ids of the repositories; their names are stored in one place. Reading takes two requests: the user, then a `BatchGetItem` for the ids, up to 100 of them at once.',
        'Both may be strongly consistent, because no index is in between.',
      ],
      tries: [
        { label: 'A user’s repositories', note: 'Two requests, one after the other: the second needs the answer of the first.', pattern: 'Repos', parameters: { user: 'alexdebrie' } },
      ],
    },
    {
      title: 'A change is one write',
      text: ['The description is stored once, so everybody sees a change immediately. Compare with lists on both sides, where the same change is one write per copy.'],
      tries: [
        { label: 'Rename the website', note: 'One write unit, however many users watch it.', calls: [describe('The new website')] },
        { label: 'What Bob sees', note: 'The new text: it is read, not remembered.', pattern: 'Repos', parameters: { user: 'bob' } },
        { label: 'Name it as it was', note: 'Back again.', calls: [describe('A website')] },
      ],
      trap: { title: 'One request after the other', text: 'Ids, then items, then what those refer to: each step waits for the one before. Two are fine for an admin page; three or more on a page that customers wait for are a join done by hand, and slower than one.' },
    },
  ],
};
