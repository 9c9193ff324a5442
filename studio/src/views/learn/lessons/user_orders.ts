import type { Lesson } from '../lesson.ts';

const table = 'LessonUserOrders';
const collection = { S: 'USER#123' };
const orders = (more: object = {}) => ({
  operation: 'Query',
  request: { TableName: table, KeyConditionExpression: 'PK = :user AND begins_with(SK, :orders)', ExpressionAttributeValues: { ':user': collection, ':orders': { S: 'ORDER#' } }, ...more },
});
const sameDay = (id: string, total: string) => ({
  operation: 'PutItem',
  request: { TableName: table, Item: { PK: collection, SK: { S: `ORDER#2023-02-01${id}` }, total: { N: total } } },
});
const february = {
  operation: 'Query',
  request: { TableName: table, KeyConditionExpression: 'PK = :user AND SK > :day', ExpressionAttributeValues: { ':user': collection, ':day': { S: 'ORDER#2023-02-01' } } },
};

export const userOrders: Lesson = {
  id: 'user-orders',
  title: 'A user and the orders',
  question: 'The page of a user shows the name and the orders. Two tables and a join, or one request?',
  strategy: 'One-to-many: item collection',
  model: 'l12_user_orders',
  table,
  steps: [
    {
      title: 'Stored together, read together',
      text: [
        'A relational database keeps users in one table and orders in another, and joins them when the page is read. DynamoDB joins nothing. What a page reads together must lie together, so the user and the orders get the same partition key, `USER#123`.',
        'Items with the same partition key are an item collection. The sort key says which is which: `METADATA` is the user, `ORDER#…` are the orders. One Query reads them all.',
      ],
      tries: [
        { label: 'The page of Alice', note: 'Three orders and Alice herself, in one request. `M` sorts before `O`, so the user comes first.', pattern: 'Page', parameters: { user: '123' } },
        { label: 'Alice alone', note: 'One item by its whole key: a GetItem reads nothing else.', pattern: 'User', parameters: { user: '123' } },
      ],
      pattern: { name: 'Page', parameters: { user: '123' } },
      draft: { operation: 'Query', table, key: [{ name: 'PK', test: '=', values: [collection] }] },
    },
    {
      title: 'The newest orders, and those since a day',
      text: [
        'The sort key of an order begins with its date, so the orders of a user lie in the order of time. The newest are the end of the run: read backwards and stop after two.',
        'A range of dates is a run as well. Whatever lies outside of it is not read and not paid for.',
      ],
      tries: [
        { label: 'The newest two', note: 'Two items read, however many orders there are.', pattern: 'Newest', parameters: { user: '123' } },
        { label: 'Since 2 January', note: 'The run from that day to the end of the orders.', pattern: 'Since', parameters: { user: '123', day: '2023-01-02' } },
        { label: 'All orders, then the first two', note: 'The whole run is read, and the application throws the rest away. With 10,000 orders that is most of the bill.', calls: [orders()] },
      ],
      pattern: { name: 'Newest', parameters: { user: '123' } },
      draft: { operation: 'Query', table, key: [{ name: 'PK', test: '=', values: [collection] }, { name: 'SK', test: 'begins_with', values: [{ S: 'ORDER#' }] }], descending: true, limit: 2 },
    },
    {
      title: 'Two orders on one day',
      text: [
        'Suppose the sort key were the date alone: `ORDER#2023-02-01`. It works until a user orders twice on one day. Both orders have the same key, and the second put replaces the first, without an error.',
        'The order’s id behind the date keeps them apart. It costs nothing, and the order of time stays.',
      ],
      tries: [
        { label: 'Two orders, keyed by the date', note: 'Two puts, one item: the first order is gone.', calls: [sameDay('', '10'), sameDay('', '20'), { ...february, request: { ...february.request, KeyConditionExpression: 'PK = :user AND SK = :day' } }] },
        { label: 'Two orders, keyed by date and id', note: 'Both are there.', calls: [sameDay('#o470', '10'), sameDay('#o471', '20'), february] },
      ],
      trap: { title: 'A key is also the identity', text: 'Before you shape a key for reading, ask what tells two rows apart. All of that must be in the key, and `attribute_not_exists(PK)` refuses what is there already.' },
    },
  ],
};
