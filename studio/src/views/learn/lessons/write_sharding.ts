import type { Lesson } from '../lesson.ts';

const table = 'LessonVotes';
const query = (shard: number) => ({
  operation: 'Query',
  request: { TableName: table, IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :k', ExpressionAttributeValues: { ':k': { S: `LECTURE#l1#${shard}` } } },
});

export const writeSharding: Lesson = {
  id: 'write-sharding',
  title: 'One hot key',
  question: '200,000 people vote on one lecture within a minute. Where do the votes go?',
  strategy: 'Hot keys: write sharding',
  model: 'l08_write_sharding',
  table,
  steps: [
    {
      title: 'A partition takes 1,000 writes a second',
      text: [
        'All items with one partition key are in one partition, which is limited to 1,000 WCU and 3,000 RCU per second. The votes have voters as partition keys, so the table is fine. The index groups them by lecture: one key, all the heat: 200,000 votes a minute are 3,333 a second.',
        'So the index key gets a suffix. `LECTURE#l1#3` is one of eight, which take 8,000 a second: which one follows from the voter’s id, so that the same vote always lands in the same place.',
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
      trap: { title: 'More suffixes later', text: 'The suffix is the id’s hash modulo eight. With sixteen, old items stay where they are and new ones go elsewhere: readers must know both, or all old keys must be written again. Take enough from the start: peak writes a second, divided by 1,000, times two. Here that is 6.7, so eight.' },
      index: 'GSI1',
    },
    {
      title: 'What a throttle looks like',
      text: [
        'Without the suffix, the index takes 1,000 votes a second for the lecture and refuses the rest. The refused request is the PutItem on the table: a write goes through only if every index has room for its part. The exception’s list of reasons says `IndexWriteKeyRangeThroughputExceeded` and names the index.',
        'The SDK tries again, four times in all since November 2026, and waits up to 1, 2 and 4 seconds in between. Short peaks become slow votes; a hot minute becomes failed ones. More capacity does not help: the limit is that of one partition.',
        'The Live view with `serve --physics aws` shows partitions heat up and throttle; `prejoin simulate` runs a model’s rates against them and says what fails.',
      ],
      tries: [
        {
          label: 'What one vote costs',
          note: 'Two units: one in the table and one in GSI1. The index pays for each vote, so its hot key is the limit of the table.',
          calls: [
            {
              operation: 'PutItem',
              request: {
                TableName: table,
                Item: {
                  PK: { S: 'VOTER#v9' },
                  SK: { S: 'LECTURE#l9' },
                  GSI1PK: { S: 'LECTURE#l9#0' },
                  GSI1SK: { S: 'VOTER#v9' },
                  stars: { N: '5' },
                },
              },
            },
          ],
        },
      ],
      index: 'GSI1',
    },
  ],
};
