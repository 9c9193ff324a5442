import type { Lesson } from '../lesson.ts';

const table = 'LessonBooks';
const correct = (book: string) => ({
  operation: 'UpdateItem',
  request: {
    TableName: table, Key: { AuthorName: { S: 'Stephen King' }, BookName: { S: book } }, UpdateExpression: 'SET AuthorBirthdate = :date',
    ExpressionAttributeValues: { ':date': { S: '21 September 1947' } },
  },
});
const shelf = (author: string) => ({
  operation: 'Query',
  request: { TableName: table, KeyConditionExpression: 'AuthorName = :author', ExpressionAttributeValues: { ':author': { S: author } } },
});

export const books: Lesson = {
  id: 'books',
  title: 'Books and authors',
  question: 'Every book page shows the author’s birth date. Where is it kept?',
  strategy: 'One-to-many: duplicate what does not change',
  model: 'l04_books_authors',
  table,
  steps: [
    {
      title: 'A copy on every book',
      text: [
        'In a relational database, the birth date is stored once, with the author, and each book references it. Here each book carries a copy. One Query returns the shelf with everything that the page shows.',
        'The keys are the natural ones: author, then title. So the books of one author are a collection, sorted by title.',
      ],
      tries: [{ label: 'The shelf of Stephen King', note: 'Two books, each with the birth date. One request.', pattern: 'Shelf', parameters: { author: 'Stephen King' } }],
      draft: { operation: 'Query', table, key: [{ name: 'AuthorName', test: '=', values: [{ S: 'Stephen King' }] }] },
    },
    {
      title: 'Two questions before you copy',
      text: [
        'Does it change? A birth date does not, so the copies cannot disagree. If it does change: how often, and on how many items? A low answer to either is fine. High answers to both are not.',
        'When a copy must be corrected, every item that has it must be found and written. Two books: two writes. A bestselling author’s three hundred: three hundred, and for a while some are old and some are new.',
      ],
      tries: [
        { label: 'Correct the date on every book', note: 'One write for each copy; then the shelf again. Leave one out and two pages disagree.', calls: [correct('It'), correct('The Shining'), shelf('Stephen King')] },
        { label: 'Correct it on one book only', note: 'Forget the other copy, and the author has two birth dates. Nothing in the database minds.', calls: [
          { ...correct('It'), request: { ...correct('It').request, ExpressionAttributeValues: { ':date': { S: '1 January 1950' } } } }, shelf('Stephen King'),
        ] },
      ],
      trap: { title: 'Who keeps the copies consistent?', text: 'A copy needs an owner: the transaction that changes the original, a stream that follows it, a job by night. Prejoin’s model names it with `copy of … kept by …`.' },
      draft: {
        operation: 'UpdateItem', table, key: [{ name: 'AuthorName', test: '=', values: [{ S: 'Stephen King' }] }, { name: 'BookName', test: '=', values: [{ S: 'It' }] }],
        update: [{ action: 'SET', path: ['AuthorBirthdate'], form: 'value', operand: { value: { S: '21 September 1947' } } }],
        condition: { join: 'AND', parts: [{ left: { path: ['BookName'] }, test: 'attribute_exists', right: [] }] },
      },
    },
    {
      title: 'No books, no author',
      text: [
        'John Grisham was in the list of authors, but none of his books is in this table. So nothing about him is stored: the author exists only as copies on books.',
        'If authors must exist by themselves, they need an item of their own.',
      ],
      tries: [{ label: 'The shelf of John Grisham', note: 'Nothing, and no hint that he was ever known.', calls: [shelf('John Grisham')] }],
    },
    {
      title: 'Names as keys',
      text: [
        'Author and title make the key, so one author cannot have two books of one title. A new edition of the same book would replace the old one.',
        'If that can happen, the key needs something more: the year, or an edition. If it cannot, say so with a condition, and a mistake is refused.',
      ],
      tries: [{
        label: 'Add “It” once more',
        note: 'Refused: the key is taken.',
        calls: [{
          operation: 'PutItem',
          request: {
            TableName: table, Item: { AuthorName: { S: 'Stephen King' }, BookName: { S: 'It' }, ReleaseYear: { N: '2017' }, AuthorBirthdate: { S: 'September 21, 1947' } },
            ConditionExpression: 'attribute_not_exists(BookName)',
          },
        }],
      }],
      trap: { title: 'Unique today', text: 'Two orders on one day, two shops in one zip code, two editions of one title: keys that look unique in five sample rows often are not.' },
    },
  ],
};
