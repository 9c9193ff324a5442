import type { Lesson } from '../lesson.ts';

const table = 'LessonCustomers';
const alex = { PK: { S: 'CUSTOMER#alexdebrie' }, SK: { S: 'CUSTOMER#alexdebrie' } };
const parents = { M: { StreetAddress: { S: '9 Elm Street' }, PostalCode: { S: '68144' }, Country: { S: 'UnitedStates' } } };

export const addresses: Lesson = {
  id: 'addresses',
  title: 'Customers and their addresses',
  question: 'A customer has a handful of addresses, shown at the checkout. Do they need items of their own?',
  strategy: 'One-to-few: a map on the parent',
  model: 'l05_customer_addresses',
  table,
  steps: [
    {
      title: 'A map is enough',
      text: [
        'An attribute can hold a map, and a map can hold maps. The addresses live on the customer as `MailingAddresses`, by their label. One GetItem returns the customer with all of them, strongly consistent if you like.',
        'Two questions decide whether this is right. Does anything look a customer up by an address? Can there be any number of them? Here both answers are no.',
      ],
      tries: [{ label: 'The checkout page', note: 'Two addresses, one read.', pattern: 'Checkout', parameters: { user: 'alexdebrie' } }],
      draft: { operation: 'GetItem', table, key: [{ name: 'PK', test: '=', values: [{ S: 'CUSTOMER#alexdebrie' }] }, { name: 'SK', test: '=', values: [{ S: 'CUSTOMER#alexdebrie' }] }], projection: [['MailingAddresses', 'Home']] },
    },
    {
      title: 'Change one address in place',
      text: [
        'An update can reach into the map: `SET MailingAddresses.Home.PostalCode = …` leaves all else alone. Two writers who change different addresses do not disturb each other.',
        'A write costs by the size of the whole item, though, not of the part. Big maps make small changes dear.',
      ],
      tries: [{
        label: 'Move Alex across the street',
        note: 'Only the postal code of the home address changes.',
        calls: [
          { operation: 'UpdateItem', request: {
            TableName: table, Key: alex, UpdateExpression: 'SET MailingAddresses.Home.PostalCode = :code', ConditionExpression: 'attribute_exists(MailingAddresses.Home)',
            ExpressionAttributeValues: { ':code': { S: '90212' } }, ReturnValues: 'ALL_NEW',
          } },
        ],
      }],
      draft: {
        operation: 'UpdateItem', table, key: [{ name: 'PK', test: '=', values: [{ S: 'CUSTOMER#alexdebrie' }] }, { name: 'SK', test: '=', values: [{ S: 'CUSTOMER#alexdebrie' }] }],
        update: [{ action: 'SET', path: ['MailingAddresses', 'Home', 'PostalCode'], form: 'value', operand: { value: { S: '90212' } } }],
        condition: { join: 'AND', parts: [{ left: { path: ['MailingAddresses', 'Home'] }, test: 'attribute_exists', right: [] }] }, returns: 'ALL_NEW',
      },
    },
    {
      title: 'What a map cannot do',
      text: [
        'Keys must be text, numbers or binary values. So no key and no index can reach into the map, and “who lives at 90210?” has no Query.',
        'The day somebody needs that question, addresses become items of their own, with an index on the postal code.',
      ],
      tries: [{
        label: 'Who lives at 69361?',
        note: 'A Scan over all customers. Two are read for one; think of a million.',
        calls: [{ operation: 'Scan', request: { TableName: table, FilterExpression: 'MailingAddresses.Home.PostalCode = :code', ExpressionAttributeValues: { ':code': { S: '69361' } } } }],
      }],
    },
    {
      title: 'Keep it few',
      text: [
        'An item has at most 400 KB, and every read pays for all of it. So put a bound on the map and let the database watch it: the condition `size(MailingAddresses) < 20` refuses the twenty-first.',
        'To see it here, the bound is 3. Alex has two addresses, so one more fits.',
      ],
      tries: [
        {
          label: 'Add an address, at most 3',
          note: 'Fits the first time. Add another under a new label and it is refused.',
          calls: [{ operation: 'UpdateItem', request: {
            TableName: table, Key: alex, UpdateExpression: 'SET MailingAddresses.Parents = :address', ConditionExpression: 'size(MailingAddresses) < :bound',
            ExpressionAttributeValues: { ':address': parents, ':bound': { N: '3' } }, ReturnValues: 'ALL_NEW',
          } }],
        },
        {
          label: 'Add one more',
          note: 'Three exist already: refused. An order’s lines have no such bound, so they become items.',
          calls: [{ operation: 'UpdateItem', request: {
            TableName: table, Key: alex, UpdateExpression: 'SET MailingAddresses.Cabin = :address', ConditionExpression: 'size(MailingAddresses) < :bound',
            ExpressionAttributeValues: { ':address': parents, ':bound': { N: '3' } }, ReturnValues: 'ALL_NEW',
          } }],
        },
      ],
      trap: { title: 'A list that only grows', text: 'Comments on a post, lines of an order, members of a group: unbounded lists hit the limit of 400 KB, and long before that every read pays for them.' },
    },
  ],
};
