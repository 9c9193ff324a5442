import type { Lesson } from '../lesson.ts';

const table = 'LessonStores';
const prefix = (text: string) => ({
  operation: 'Query',
  request: { TableName: table, KeyConditionExpression: 'Country = :country AND begins_with(Place, :place)', ExpressionAttributeValues: { ':country': { S: 'USA' }, ':place': { S: text } } },
});
const shop = (place: string, street: string) => ({
  operation: 'PutItem',
  request: { TableName: table, Item: { Country: { S: 'USA' }, Place: { S: place }, StreetAddress: { S: street }, SquareFeet: { N: '1000' } } },
});

export const places: Lesson = {
  id: 'places',
  title: 'Coffee shops of the world',
  question: 'By country, by state, by city, by zip code: how does one table answer all four?',
  strategy: 'Hierarchy: composite sort key',
  model: 'l03_places',
  table,
  steps: [
    {
      title: 'Levels in one sort key',
      text: [
        'The partition key is the country. The sort key strings the other levels together, the widest first: `NY#NEWYORKCITY#10001#1`.',
        'Sorted like that, all shops of a state lie side by side; inside them, all of a city; inside those, all of a zip code. So each level is a run, and a Query with a prefix reads exactly that run.',
      ],
      tries: [
        { label: 'The USA', note: 'The whole collection.', pattern: 'Country', parameters: { country: 'USA' } },
        { label: 'The state NY', note: 'Prefix NY#.', pattern: 'State', parameters: { country: 'USA', state: 'NY' } },
        { label: 'New York City', note: 'Prefix NY#NEWYORKCITY#.', pattern: 'City', parameters: { country: 'USA', state: 'NY', city: 'NEWYORKCITY' } },
        { label: 'Zip code 10001', note: 'Prefix down to the zip code.', pattern: 'Zip', parameters: { country: 'USA', state: 'NY', city: 'NEWYORKCITY', zip: '10001' } },
      ],
      pattern: { name: 'City', parameters: { country: 'USA', state: 'NY', city: 'NEWYORKCITY' } },
      draft: { operation: 'Query', table, key: [{ name: 'Country', test: '=', values: [{ S: 'USA' }] }, { name: 'Place', test: 'begins_with', values: [{ S: 'NY#NEWYORKCITY#' }] }] },
    },
    {
      title: 'Close the prefix',
      text: [
        'A prefix knows nothing of levels. It compares characters. `NY#NEWYORK` finds New York City and also New York Mills, a village 300 km away.',
        'End the prefix with the delimiter and it ends where the name ends.',
      ],
      tries: [
        { label: 'begins_with NY#NEWYORK', note: 'Three shops, in two different cities.', calls: [prefix('NY#NEWYORK')] },
        { label: 'begins_with NY#NEWYORKCITY#', note: 'Two shops, both in the city.', calls: [prefix('NY#NEWYORKCITY#')] },
      ],
      trap: { title: 'A prefix without its end', text: 'PROJECT#p1 matches PROJECT#p10; USER#ann matches USER#anna. Tests with one short name never show it. Prejoin’s checker reports a key template in which nothing closes a value.' },
      draft: { operation: 'Query', table, key: [{ name: 'Country', test: '=', values: [{ S: 'USA' }] }, { name: 'Place', test: 'begins_with', values: [{ S: 'NY#NEWYORK' }] }] },
    },
    {
      title: 'Two shops at one key',
      text: [
        'Suppose the sort key ended with the zip code. It reads well, and it works until a second shop opens in the same zip code. Both have the same key, so the second put replaces the first.',
        'Here the shop’s number comes last. It makes the key unique and costs nothing: no query needs to name it.',
      ],
      tries: [
        { label: 'Two shops without a number', note: 'Two puts, one item: the first shop is gone, and no error told so.', calls: [shop('NY#NEWYORKCITY#10003', '1 Union Square'), shop('NY#NEWYORKCITY#10003', '21 Astor Place'), prefix('NY#NEWYORKCITY#10003')] },
        { label: 'Two shops with a number', note: 'Both are there.', calls: [shop('NY#NEWYORKCITY#10011#1', '76 9th Ave'), shop('NY#NEWYORKCITY#10011#2', '177 8th Ave'), prefix('NY#NEWYORKCITY#10011#')] },
      ],
      trap: { title: 'The key is also the identity', text: 'Before you shape a key for reading, ask what makes a row different from every other. All of that must be in the key.' },
    },
    {
      title: 'Only from the left',
      text: [
        'The order of the levels is fixed. With only the zip code, you know the end of the sort key, not its beginning, and no Query can use that. Without an index on the zip code the only way is a Scan.',
        'So list your questions first. If “by zip code alone” is among them, add an index for it.',
      ],
      tries: [
        {
          label: 'Zip code 10019, nothing else known',
          note: 'A Scan: every shop in the world is read to find one.',
          calls: [{ operation: 'Scan', request: { TableName: table, FilterExpression: 'contains(Place, :zip)', ExpressionAttributeValues: { ':zip': { S: '#10019#' } } } }],
        },
      ],
      draft: { operation: 'Scan', table, key: [], filter: { join: 'AND', parts: [{ left: { path: ['Place'] }, test: 'contains', right: [{ value: { S: '#10019#' } }] }] } },
    },
  ],
};
