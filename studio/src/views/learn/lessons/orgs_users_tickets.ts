import type { Lesson } from '../lesson.ts';

const table = 'LessonSupport';
const usersOfMicrosoft = {
  operation: 'Query',
  request: { TableName: table, KeyConditionExpression: 'PK = :pk AND begins_with(SK, :user)', ExpressionAttributeValues: { ':pk': { S: 'ORG#MICROSOFT' }, ':user': { S: 'USER#' } } },
};
const crowded = (id: string) => ({
  operation: 'PutItem',
  request: { TableName: table, Item: { PK: { S: 'ORG#MICROSOFT' }, SK: { S: `USER#BILLGATES#TICKET#${id}` }, CreatedAt: { S: '2019-11-01T10:00:00Z' } } },
});
const ticket = {
  PK: { S: 'TICKET#1572602400-K7PX' }, SK: { S: 'TICKET#1572602400-K7PX' }, GSI1PK: { S: 'ORG#MICROSOFT#USER#BILLGATES' },
  GSI1SK: { S: 'TICKET#1572602400-K7PX' }, CreatedAt: { S: '2019-11-01T10:00:00Z' },
};

export const orgsUsersTickets: Lesson = {
  id: 'orgs-users-tickets',
  title: 'Organisations, users, tickets',
  question: 'An organisation has users, a user opens any number of tickets. How do three levels fit?',
  strategy: 'One-to-many: item collection, then a secondary index',
  model: 'l02_orgs_users_tickets',
  table,
  steps: [
    {
      title: 'Parent and children together',
      text: [
        'An organisation and its users share the partition key `ORG#…`. The sort key tells which is which: `METADATA#` for the organisation, `USER#` for its people. One Query returns the parent with its children.',
        'Because `M` sorts before `U`, the organisation comes first. A prefix leaves it out when only the users are wanted.',
      ],
      tries: [
        { label: 'Microsoft with its users', note: 'The organisation and two users.', pattern: 'Org', parameters: { org: 'MICROSOFT' } },
        { label: 'Only the users', note: 'The prefix USER# skips the organisation. It is not even read.', pattern: 'Users', parameters: { org: 'MICROSOFT' } },
      ],
      draft: { operation: 'Query', table, key: [{ name: 'PK', test: '=', values: [{ S: 'ORG#MICROSOFT' }] }, { name: 'SK', test: 'begins_with', values: [{ S: 'USER#' }] }] },
    },
    {
      title: 'Tickets in the same place would crowd it out',
      text: [
        'It is tempting to put a user’s tickets right after the user: `USER#BILLGATES#TICKET#…`. They would be easy to find. But then every read of the users also reads every ticket, and there are many more tickets than users.',
        'Try it: three tickets go into the organisation’s collection. Then read the users again. Reset restores the table.',
      ],
      tries: [
        { label: 'Put three tickets among the users', note: 'Written. Now ask for the users.', calls: [crowded('1572600001-AAAA'), crowded('1572600002-BBBB'), crowded('1572600003-CCCC')] },
        { label: 'Ask for the users', note: 'Two users, and every ticket with them. With 200 tickets each, nearly all that is paid for is discarded.', calls: [usersOfMicrosoft] },
      ],
      trap: { title: 'A prefix takes all that begins with it', text: 'USER# matches users and everything filed under a user. And USER#BILL would match BILLGATES and BILLIE alike: end a prefix with the delimiter, so that it ends where a value ends.' },
    },
    {
      title: 'A collection of their own, and an index to group them',
      text: [
        'Give each ticket its own partition key, its id. Reading one by id is a GetItem, and the organisation’s collection stays small.',
        'To list a user’s tickets, tickets and the user share `GSI1PK` in an index. The sort key there puts `TICKET#` before `USER#`, so the user comes last. Read backwards: first the user, then the newest tickets. One Query, and it stops when it has enough.',
      ],
      tries: [
        { label: 'A ticket by its id', note: 'One GetItem. No need to know whose ticket it is.', pattern: 'Ticket', parameters: { ticket: '1570952398-MQR0' } },
        { label: 'Bill and his newest tickets', note: 'The user, then MQR0, then JM14.', pattern: 'Newest', parameters: { org: 'MICROSOFT', user: 'BILLGATES' } },
      ],
      index: 'GSI1',
      pattern: { name: 'Newest', parameters: { org: 'MICROSOFT', user: 'BILLGATES' } },
      draft: { operation: 'Query', table, index: 'GSI1', key: [{ name: 'GSI1PK', test: '=', values: [{ S: 'ORG#MICROSOFT#USER#BILLGATES' }] }], descending: true, limit: 11 },
    },
    {
      title: 'Ids that sort, and do not collide',
      text: [
        'A ticket’s id is the second it was opened, then four random characters. The seconds make text order the order of time. The random part keeps two tickets of one second apart.',
        'Keep all times in UTC. If the id counts in UTC and another attribute shows local time, two lists that should agree will not.',
      ],
      tries: [
        {
          label: 'Open a ticket',
          note: 'Run it twice: the condition refuses the second, so nobody’s ticket is overwritten.',
          calls: [{ operation: 'PutItem', request: { TableName: table, Item: ticket, ConditionExpression: 'attribute_not_exists(PK)' } }],
        },
        { label: 'Bill’s tickets now', note: 'The new one comes right after the user.', pattern: 'Newest', parameters: { org: 'MICROSOFT', user: 'BILLGATES' } },
      ],
      trap: { title: 'The key must be unique', text: 'An id made of the date alone would give two tickets of one day the same key, and the second put would silently replace the first.' },
      index: 'GSI1',
    },
  ],
};
