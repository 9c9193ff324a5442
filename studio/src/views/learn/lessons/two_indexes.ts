import type { Lesson } from '../lesson.ts';

const table = 'LessonOrders';
const largest = (index: string, key: string, value: string) => ({
  operation: 'Query',
  request: { TableName: table, IndexName: index, ConsistentRead: true, KeyConditionExpression: `${key} = :k`, ExpressionAttributeValues: { ':k': { S: value } }, ScanIndexForward: false },
});

export const twoIndexes: Lesson = {
  id: 'local-or-global',
  title: 'Local or global index',
  question: 'A user’s largest orders, and all open orders. Two indexes, but of which kind?',
  strategy: 'Indexes: same partition or another one',
  model: 'l09_two_indexes',
  table,
  steps: [
    {
      title: 'The same partition, in another order: local',
      text: [
        'The orders of a user lie in one collection, by their number. To read them by their total, the same items are kept in a second order inside the same partition: a local index. Its partition key is the table’s own; only the sort key is new, `total`.',
        'Because it lives in the partition, it is written together with the item and can be read strongly.',
      ],
      tries: [
        { label: 'Ada’s largest orders', note: 'One Query of ByTotal, backwards.', pattern: 'Largest', parameters: { user: 'ada' } },
        { label: 'The same, strongly consistent', note: 'Allowed: a local index knows every confirmed write. It costs twice as much.', calls: [largest('ByTotal', 'PK', 'USER#ada')] },
      ],
      index: 'ByTotal',
    },
    {
      title: 'Another partition: global',
      text: [
        'All open orders, of whatever user, lie in many collections. No order inside one of them helps; the items must be grouped by something else. That is a global index: a partition key of its own, kept up to date a moment after the write.',
      ],
      tries: [
        { label: 'Open orders of all users', note: 'Two users, one Query.', pattern: 'InState', parameters: { state: 'open' } },
        { label: 'The same, strongly consistent', note: 'Refused. A global index follows the table; it cannot promise the last write.', calls: [largest('GSI1', 'GSI1PK', 'STATE#open')] },
      ],
      trap: { title: 'A local index is for ever', text: 'It must be created with the table and cannot be dropped, and it limits each item collection to 10 GB: beyond that, writes are refused. A global index can be added and deleted at any time and has no such limit. If in doubt, use the global one.' },
      index: 'GSI1',
    },
  ],
};
