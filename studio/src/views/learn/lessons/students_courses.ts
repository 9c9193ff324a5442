import type { Lesson } from '../lesson.ts';

const table = 'LessonSchool';
const enrollment = {
  PK: { S: 'STUDENT#S2' }, SK: { S: 'COURSE#C2' }, GSI1PK: { S: 'COURSE#C2' }, GSI1SK: { S: 'STUDENT#S2' }, EnrolledOn: { S: '2024-04-02' },
};
const enrol = {
  operation: 'PutItem',
  request: { TableName: table, Item: enrollment, ConditionExpression: 'attribute_not_exists(PK)' },
};

// Enrollments in other courses, so that a Scan has something to read. 25 fit into a batch.
const othersCount = 300;
const other = (number: number) => {
  const student = `STUDENT#X${String(number).padStart(3, '0')}`;
  const course = `COURSE#C${3 + (number % 7)}`;
  return { PK: { S: student }, SK: { S: course }, GSI1PK: { S: course }, GSI1SK: { S: student }, EnrolledOn: { S: '2024-04-01' } };
};
const enrolOthers = Array.from({ length: othersCount / 25 }, (_, batch) => ({
  operation: 'BatchWriteItem',
  request: { RequestItems: { [table]: Array.from({ length: 25 }, (_each, at) => ({ PutRequest: { Item: other(batch * 25 + at) } })) } },
}));

export const studentsCourses: Lesson = {
  id: 'students-courses',
  title: 'Students and courses',
  question: 'A student takes many courses, a course has many students. Who takes what, read from both sides?',
  strategy: 'Many-to-many: adjacency list and inverted index',
  model: 'l01_students_courses',
  table,
  steps: [
    {
      title: 'No joins: the link is an item',
      text: [
        'A relational database would keep a third table of student ids and course ids, and join at reading time. DynamoDB has no join. So the link itself becomes an item: one for each enrollment, with the grade and the date on it.',
        'The names of the two key attributes, `PK` and `SK`, say nothing about students or courses. Their values tell the items apart: `STUDENT#S1` and `METADATA` is John himself; `STUDENT#S1` and `COURSE#C1` is John’s place in course C1.',
      ],
      tries: [{ label: 'Read John', note: 'One item by its whole key: the cheapest read there is.', pattern: 'Student', parameters: { student: 'S1' } }],
    },
    {
      title: 'One collection, one Query',
      text: [
        'Items that share a partition key form an item collection. They are stored together, sorted by the sort key, so one Query reads them all: John and his enrollments, already joined when they were written. `COURSE#` comes before `METADATA`, so his courses come first and John himself last.',
        'Often you want less. A Query may narrow the sort key to a run: `begins_with(SK, "COURSE#")` leaves John himself out.',
      ],
      tries: [
        { label: 'John with his courses', note: 'Two courses, then John, in one request: the order of the sort key.', pattern: 'Everything', parameters: { student: 'S1' } },
        { label: 'Only his courses', note: 'The run of sort keys that begin with COURSE#.', pattern: 'Courses', parameters: { student: 'S1' } },
        {
          label: 'The careless way',
          note: 'A query for “John’s courses” by the partition key alone returns three items, and one of them is not a course.',
          calls: [{ operation: 'Query', request: { TableName: table, KeyConditionExpression: 'PK = :pk', ExpressionAttributeValues: { ':pk': { S: 'STUDENT#S1' } } } }],
        },
      ],
      trap: { title: 'The profile slips in', text: 'A collection holds more than one kind of item. Without the prefix, code that expects courses gets METADATA as well. And spell it one way everywhere: an item under META is not found by somebody who asks for METADATA.' },
      pattern: { name: 'Courses', parameters: { student: 'S1' } },
      draft: {
        operation: 'Query', table,
        key: [{ name: 'PK', test: '=', values: [{ S: 'STUDENT#S1' }] }, { name: 'SK', test: 'begins_with', values: [{ S: 'COURSE#' }] }],
      },
    },
    {
      title: 'The other direction: turn the keys round',
      text: [
        'Who takes course C1? In the table, C1 appears in sort keys of many collections, and no Query crosses collections. So each enrollment carries its two ends once more, swapped: `GSI1PK` is the course, `GSI1SK` the student.',
        'The index GSI1 is sorted by those. The same enrollment is now also in the course’s item collection. You wrote it once; DynamoDB maintains the index, asynchronously: a global index is always eventually consistent.',
        'Seven items are too few to show what that saves. So let 300 other students enroll in other courses first, then ask both ways and compare the units.',
      ],
      tries: [
        { label: 'Let 300 others enroll elsewhere', note: 'Written, 25 in each request. A write pays for the table and for the index. Reset takes them away again.', calls: enrolOthers },
        { label: 'Who takes C1?', note: 'One Query of the index: two enrollments. It costs the same however large the school is.', pattern: 'Roster', parameters: { course: 'C1' } },
        {
          label: 'The same without the index',
          note: 'A Scan reads every item of the table, pays for all of them, and discards all but two. The larger the school, the dearer.',
          calls: [{ operation: 'Scan', request: { TableName: table, FilterExpression: 'SK = :course', ExpressionAttributeValues: { ':course': { S: 'COURSE#C1' } } } }],
        },
      ],
      index: 'GSI1',
      draft: { operation: 'Query', table, index: 'GSI1', key: [{ name: 'GSI1PK', test: '=', values: [{ S: 'COURSE#C1' }] }] },
    },
    {
      title: 'What the edge does not know',
      text: [
        'Look at the roster again: ids, dates and grades. No names! They are on the students’ own items, which the Query did not read.',
        'Two honest ways out. Fetch the names by key in a second request, which costs a read for each student. Or copy the name onto the enrollment when it is written, which costs a write for each enrollment when somebody changes their name.',
      ],
      tries: [
        { label: 'The roster', note: 'There is no Name in it.', pattern: 'Roster', parameters: { course: 'C1' } },
        {
          label: 'Fetch the names as well',
          note: 'A second request, and half a unit for each student.',
          calls: [{
            operation: 'BatchGetItem',
            request: { RequestItems: { [table]: { Keys: [{ PK: { S: 'STUDENT#S1' }, SK: { S: 'METADATA' } }, { PK: { S: 'STUDENT#S2' }, SK: { S: 'METADATA' } }] } } },
          }],
        },
      ],
      trap: { title: 'Names in the picture, not in the answer', text: 'Many tutorials print the roster with names beside the ids. The items that the query returns do not have them. Write the list of attributes that a screen needs, and check it against what the items hold.' },
      index: 'GSI1',
    },
    {
      title: 'Enroll once',
      text: [
        'The key of an enrollment is its student and its course, so there can be only one. But a put replaces silently: a second enrollment would wipe out the grade of the first.',
        'The condition `attribute_not_exists(PK)` turns the put into “only if it does not exist”. It needs no read before it, and two writers cannot race.',
      ],
      tries: [
        { label: 'Enroll Jane in Physics', note: 'Try it twice. The second time it is refused, and nothing changes.', calls: [enrol] },
        { label: 'Who takes C2 now?', note: 'Jane appears as soon as the index is up to date.', pattern: 'Roster', parameters: { course: 'C2' } },
      ],
      draft: { operation: 'PutItem', table, key: [], item: enrollment, condition: { join: 'AND', parts: [{ left: { path: ['PK'] }, test: 'attribute_not_exists', right: [] }] } },
    },
  ],
};
