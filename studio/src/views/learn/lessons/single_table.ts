import type { Lesson } from '../lesson.ts';

const table = 'LessonShop';
const get = (pk: string, sk: string) => ({ operation: 'GetItem', request: { TableName: table, Key: { PK: { S: pk }, SK: { S: sk } } } });
const linesOf = (order: string) => ({
  operation: 'Query',
  request: { TableName: table, KeyConditionExpression: 'PK = :order AND begins_with(SK, :line)', ExpressionAttributeValues: { ':order': { S: `ORDER#${order}` }, ':line': { S: 'LINE#' } } },
});
const review = {
  PK: { S: 'PRODUCT#teapot' }, SK: { S: 'REVIEW#c123' }, GSI1PK: { S: 'CUSTOMER#c123' }, GSI1SK: { S: 'REVIEW#teapot' }, stars: { N: '5' },
};

export const singleTable: Lesson = {
  id: 'single-table-design',
  title: 'Single-table design',
  question: 'Customers, orders and order lines in one table: why would anybody do that, and when not?',
  strategy: 'Single-table design: overloaded keys and one overloaded index',
  model: 'l13_single_table',
  table,
  steps: [
    {
      title: 'First the pages, then the keys',
      text: [
        'A relational design begins with the things there are, and any question can be asked later. A design for DynamoDB begins with the questions: which pages and requests does the application have, and what does each of them show?',
        'This shop has two: an order with its lines, and a customer with the newest orders. The order and its lines share the partition key `ORDER#o456`, so the first page is one Query.',
      ],
      tries: [
        { label: 'The order page', note: 'Two lines and the order, in one request: `L` sorts before `M`.', pattern: 'OrderPage', parameters: { order: 'o456' } },
        { label: 'As if there were two tables', note: 'The order, then its lines: two requests, one after the other, and each has its own waiting time.', calls: [get('ORDER#o456', 'METADATA'), linesOf('o456')] },
      ],
      draft: { operation: 'Query', table, key: [{ name: 'PK', test: '=', values: [{ S: 'ORDER#o456' }] }] },
    },
    {
      title: 'One index for many relationships',
      text: [
        'The keys are called `PK` and `SK`, because they hold different things for different items. The index does the same: `GSI1PK` holds the customer, for the customer’s own item and for the orders. So the second page is one Query of the index.',
        'A next relationship uses the same index with other prefixes. An index for each relationship would cost the same in writes, but a table has at most 20 of them, and each is one more thing to run.',
      ],
      tries: [
        { label: 'The customer page', note: 'Backwards: the customer’s profile, then the newest orders.', pattern: 'CustomerPage', parameters: { customer: 'c123' } },
        { label: 'Add a review, which nobody planned', note: 'A new kind of item needs new prefixes, no new table and no new index.', calls: [{ operation: 'PutItem', request: { TableName: table, Item: review } }] },
        {
          label: 'The reviews of the customer',
          note: 'Found in the same index by the prefix REVIEW#.',
          calls: [{ operation: 'Query', request: { TableName: table, IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :c AND begins_with(GSI1SK, :r)', ExpressionAttributeValues: { ':c': { S: 'CUSTOMER#c123' }, ':r': { S: 'REVIEW#' } } } }],
        },
      ],
      trap: { title: 'The page slips', text: 'The review sorts behind PROFILE now. Read backwards, the customer page would begin with reviews. A new prefix in a collection changes every pattern that reads it without a prefix: look at those first. In a model, `sorts … before …` states the order, and the checker holds the keys to it.' },
      index: 'GSI1',
      pattern: { name: 'CustomerPage', parameters: { customer: 'c123' } },
      draft: { operation: 'Query', table, index: 'GSI1', key: [{ name: 'GSI1PK', test: '=', values: [{ S: 'CUSTOMER#c123' }] }], descending: true, limit: 11 },
    },
    {
      title: 'Together, or not at all',
      text: [
        'An order and its first line are written in one transaction: both, or neither. It costs twice the write units, and it works across tables too.',
        'One table is not a goal in itself. Use several where nothing is read together, where the parts belong to different teams, or where they need different backups, streams or table classes. And a table for analytics is a copy elsewhere: no key serves a question that nobody has asked yet.',
      ],
      tries: [
        {
          label: 'Place an order with a line',
          note: 'Two items in one transaction. Try it twice: the condition cancels both.',
          calls: [{
            operation: 'TransactWriteItems',
            request: {
              TransactItems: [
                { Put: { TableName: table, Item: { PK: { S: 'ORDER#o470' }, SK: { S: 'METADATA' }, GSI1PK: { S: 'CUSTOMER#c124' }, GSI1SK: { S: 'ORDER#o470' }, placed: { S: '2024-03-20' }, status: { S: 'open' } }, ConditionExpression: 'attribute_not_exists(PK)' } },
                { Put: { TableName: table, Item: { PK: { S: 'ORDER#o470' }, SK: { S: 'LINE#01' }, product: { S: 'Tray' }, amount: { N: '1' } }, ConditionExpression: 'attribute_not_exists(PK)' } },
              ],
            },
          }],
        },
        { label: 'The new order', note: 'Both items are there.', pattern: 'OrderPage', parameters: { order: 'o470' } },
      ],
    },
  ],
};
