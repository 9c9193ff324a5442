import type { Lesson } from '../lesson.ts';

const table = 'LessonLibrary';
const year = (value: string) => ({
  operation: 'UpdateItem',
  request: { TableName: table, Key: { PK: { S: 'BOOK#Good Omens' } }, UpdateExpression: 'SET #y = :y', ExpressionAttributeNames: { '#y': 'year' }, ExpressionAttributeValues: { ':y': { N: value } } },
});

export const shallowDuplication: Lesson = {
  id: 'shallow-duplication',
  title: 'Lists on both sides',
  question: 'Two sides that hardly change, read all the time: do you need an edge and an index?',
  strategy: 'Many-to-many: shallow duplication',
  model: 'l06_shallow_duplication',
  table,
  steps: [
    {
      title: 'Each side holds a short list of the other',
      text: [
        'An author has a few books, a book a few authors, and after publication neither changes. So each item carries a list with as much of the other side as a screen shows: the author’s item has the titles and years, the book’s item the names.',
        'Both directions are one GetItem, the cheapest read there is. No edge, no index.',
      ],
      tries: [
        { label: 'The books of Gaiman', note: 'One item: the author, with the list inside.', pattern: 'Works', parameters: { author: 'Gaiman' } },
        { label: 'The authors of Good Omens', note: 'The other direction, one item again.', pattern: 'Authors', parameters: { book: 'Good Omens' } },
      ],
    },
    {
      title: 'What a change costs',
      text: [
        'The year of a book is stored on the book, and again in the list of every author. Change it on the book alone and the lists disagree: your application must keep them consistent.',
        'That is the whole bargain: reads cost half a unit, changes cost a write for each copy, and between the two a reader may see either.',
      ],
      tries: [
        { label: 'Correct the year on the book only', note: 'Written. The copies know nothing of it.', calls: [year('1991')] },
        { label: 'The books of Gaiman now', note: 'The list still has the old year.', pattern: 'Works', parameters: { author: 'Gaiman' } },
        { label: 'Put it back', note: 'Both agree again.', calls: [year('1990')] },
      ],
      trap: { title: 'Lists have an end', text: 'An item is limited to 400 KB. A list that grows with success, such as followers or likes, will reach that limit; and two writers that each read the list, add to it and write it back lose one of the additions. For such data take an edge item.' },
    },
  ],
};
