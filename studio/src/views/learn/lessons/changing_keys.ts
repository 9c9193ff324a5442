import type { Lesson } from '../lesson.ts';

const table = 'LessonTasks';
const key = (no: string) => ({ PK: { S: 'BOARD#web' }, SK: { S: `TASK#${no}` } });
const update = (expression: string, values: Record<string, { S: string }>) => ({
  operation: 'UpdateItem',
  request: { TableName: table, Key: key('1'), UpdateExpression: expression, ExpressionAttributeNames: { '#s': 'state' }, ExpressionAttributeValues: values },
});

export const changingKeys: Lesson = {
  id: 'changing-keys',
  title: 'Keys that change',
  question: 'A task moves from “todo” to “doing”, and the state is part of a key. What is written?',
  strategy: 'Writes: index keys follow, the table’s key cannot',
  model: 'l11_changing_keys',
  table,
  steps: [
    {
      title: 'The attribute and its key',
      text: [
        'The index groups tasks by board and state: `BOARD#web#todo`. That text is an attribute like any other. DynamoDB keeps the index in step with the attribute, but your application must keep the attribute in step with `state`.',
      ],
      tries: [
        { label: 'Change the state alone', note: 'Written: `state` is doing, the index key still says todo.', calls: [update('SET #s = :s', { ':s': { S: 'doing' } })] },
        { label: 'The column “todo”', note: 'Task 1 is still in it, although it says doing.', calls: [{ operation: 'Query', request: { TableName: table, IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :k', ExpressionAttributeValues: { ':k': { S: 'BOARD#web#todo' } } } }] },
        { label: 'Change both', note: 'Now the index moves the entry: the old one out, the new one in, so the index pays two writes.', calls: [update('SET #s = :s, GSI1PK = :k', { ':s': { S: 'doing' }, ':k': { S: 'BOARD#web#doing' } })] },
        { label: 'The column “doing”', note: 'There it is.', pattern: 'Column', parameters: { board: 'web', state: 'doing' } },
      ],
      trap: { title: 'The stale key', text: 'A write that changes an attribute used in a key must change the key in the same request. `prejoin gen` writes code that does, Explore warns before such an edit, and `audit` finds the stale keys.' },
      index: 'GSI1',
    },
    {
      title: 'The table’s own key',
      text: [
        'The key of an item is its identity: no update can change it. To move a task to another board, delete it here and put it there in one transaction.',
      ],
      tries: [
        { label: 'Try to update the key', note: 'Refused: part of the key.', calls: [{ operation: 'UpdateItem', request: { TableName: table, Key: key('2'), UpdateExpression: 'SET SK = :s', ExpressionAttributeValues: { ':s': { S: 'TASK#9' } } } }] },
        {
          label: 'Move it in a transaction',
          note: 'Two writes in one transaction; each costs double.',
          calls: [{
            operation: 'TransactWriteItems',
            request: {
              TransactItems: [
                { Delete: { TableName: table, Key: key('3') } },
                { Put: { TableName: table, Item: { PK: { S: 'BOARD#app' }, SK: { S: 'TASK#3' }, title: { S: 'Test on phones' }, state: { S: 'todo' }, GSI1PK: { S: 'BOARD#app#todo' }, GSI1SK: { S: 'TASK#3' } }, ConditionExpression: 'attribute_not_exists(PK)' } },
              ],
            },
          }],
        },
      ],
    },
  ],
};
