import type { Lesson } from '../lesson.ts';

const table = 'LessonVotes';
const query = (shard: number) => ({
  operation: 'Query',
  request: { TableName: table, IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :k', ExpressionAttributeValues: { ':k': { S: `LECTURE#l1#${shard}` } } },
});

export const writeSharding: Lesson = {
  id: 'write-sharding',
  title: 'One hot key',
  question: 'A million people vote on one lecture within a minute. Where do the votes go?',
  strategy: 'Hot keys: write sharding',
  model: 'l08_write_sharding',
  table,
  steps: [
    {
      title: 'A partition takes 1,000 writes a second',
      text: [
        'All items with one partition key are in one partition, which is limited to 1,000 WCU and 3,000 RCU per second. The votes have voters as partition keys, so the table is fine. The index groups them by lecture: one key, all the heat.',
        'So the index key gets a suffix. `LECTURE#l1#3` is one of eight: which one follows from the voter’s id, so that the same vote always lands in the same place.',
      ],
      tries: [{ label: 'The votes of one voter', note: 'The table itself: no shard, one request.', pattern: 'Mine', parameters: { voter: 'v1' } }],
      index: 'GSI1',
    },
    {
      title: 'Reading asks all of them',
      text: [
        'To read all votes of the lecture, query eight keys in parallel and merge the answers. Eight small requests instead of one are the price of sharding, and the reason not to shard before a key is hot.',
      ],
      tries: [
        { label: 'All votes of the lecture', note: 'Eight requests, one for each suffix.', pattern: 'OfLecture', parameters: { lecture: 'l1' } },
        { label: 'One suffix alone', note: 'This returns a part of the votes, for unknown voters: forget one suffix and the count is wrong.', calls: [query(0)] },
      ],
      trap: { title: 'More suffixes later', text: 'The suffix is the id’s hash modulo eight. With sixteen, old items stay where they are and new ones go elsewhere: readers must know both, or all old keys must be written again. Take enough from the start: peak writes a second, divided by 1,000, times two.' },
      index: 'GSI1',
    },
  ],
};
