import type { Lesson } from '../lesson.ts';

const table = 'LessonCatalogue';
const othersCount = 500;
const other = (number: number) => ({
  PK: { S: `CATEGORY#shelf${String(number % 20).padStart(2, '0')}` }, SK: { S: `PRODUCT#x${String(number).padStart(3, '0')}` },
  name: { S: `Product number ${number}` }, price: { N: String(5 + (number % 90)) },
});
const addOthers = Array.from({ length: othersCount / 25 }, (_, batch) => ({
  operation: 'BatchWriteItem',
  request: { RequestItems: { [table]: Array.from({ length: 25 }, (_each, at) => ({ PutRequest: { Item: other(batch * 25 + at) } })) } },
}));
const tea = { ':c': { S: 'CATEGORY#tea' } };
const query = (more: object = {}, values: object = {}) => ({
  operation: 'Query', request: { TableName: table, KeyConditionExpression: 'PK = :c', ExpressionAttributeValues: { ...tea, ...values }, ...more },
});
const scan = (more: object) => ({ operation: 'Scan', request: { TableName: table, ...more } });

export const queryAndScan: Lesson = {
  id: 'query-and-scan',
  title: 'Query against Scan',
  question: 'Both find the teas. Why does one cost the same for ever, and the other more every day?',
  strategy: 'Reading: Query, Scan and filters',
  model: 'l14_query_and_scan',
  table,
  steps: [
    {
      title: 'A Query reads a run, a Scan reads everything',
      text: [
        'The products of a category share a partition key. A Query goes there and reads that run, nothing else. A Scan begins at one end of the table and reads to the other.',
        'Six products are too few to see it. Add 500 others first, then ask both ways and compare the units.',
      ],
      tries: [
        { label: 'Add 500 other products', note: 'Written, 25 in each request. Reset takes them away again.', calls: addOthers },
        { label: 'Query the teas', note: 'Three items read, three returned.', pattern: 'Category', parameters: { category: 'tea' } },
        { label: 'Scan for the teas', note: 'The filter returns the same three. All others were read and paid for too.', calls: [scan({ FilterExpression: 'PK = :c', ExpressionAttributeValues: tea })] },
      ],
      draft: { operation: 'Query', table, key: [{ name: 'PK', test: '=', values: [{ S: 'CATEGORY#tea' }] }] },
    },
    {
      title: 'A filter is not free',
      text: [
        'A filter runs after the items are read. It makes the answer smaller, not the bill. The same is true of a ProjectionExpression: fewer attributes travel, the same bytes are read. What must be cheap belongs in the key.',
        'And `Limit` counts what is read, not what is found. A filtered page may be empty although there is more: go on as long as the answer has a LastEvaluatedKey.',
      ],
      tries: [
        { label: 'Teas above 10, by a filter', note: 'One tea returned, three read.', calls: [query({ FilterExpression: 'price > :p' }, { ':p': { N: '10' } })] },
        { label: 'Names only', note: 'Fewer attributes, the same units.', calls: [query({ ProjectionExpression: '#n', ExpressionAttributeNames: { '#n': 'name' } })] },
        { label: 'Scan with a filter and Limit 2', note: 'Two items were read and none of them was kept: an empty page that is not the end.', calls: [scan({ Limit: 2, FilterExpression: 'price > :p', ExpressionAttributeValues: { ':p': { N: '9000' } } })] },
      ],
      trap: { title: 'It was fast in the test', text: 'A Scan of a hundred items takes half a unit. The same line of code reads a million items in production, on every call. Prejoin’s checker refuses a pattern that needs a Scan unless you write `scan allowed because "…"`, and then Cost shows its price.' },
      draft: { operation: 'Query', table, key: [{ name: 'PK', test: '=', values: [{ S: 'CATEGORY#tea' }] }], filter: { join: 'AND', parts: [{ left: { path: ['price'] }, test: '>', right: [{ value: { N: '10' } }] }] } },
    },
    {
      title: 'Where a Scan is right',
      text: [
        'Somebody has to read everything now and then: an export, a migration, a check of all items. A Scan does that, in segments that several workers read side by side. For analytics, an export to S3 does not touch the table’s capacity at all.',
        'A count is a Scan too: `Select: COUNT` returns a number and reads every item for it. If a page shows a count, keep it as an attribute and add to it when you write.',
      ],
      tries: [
        { label: 'One of two segments', note: 'Another worker reads the other half at the same time.', calls: [scan({ Segment: 0, TotalSegments: 2 })] },
        { label: 'Count the products', note: 'A number and no items, and as many units as if you had asked for all of them.', calls: [scan({ Select: 'COUNT' })] },
      ],
      draft: { operation: 'Scan', table, key: [] },
    },
  ],
};
