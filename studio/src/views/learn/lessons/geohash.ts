import type { Lesson } from '../lesson.ts';

const table = 'LessonCafes';
const cell = (name: string) => ({ operation: 'Query', request: { TableName: table, KeyConditionExpression: 'Cell = :cell', ExpressionAttributeValues: { ':cell': { S: name } } } });

export const geohash: Lesson = {
  id: 'what-is-near',
  title: 'What is near: geohash keys',
  question: 'Cafés within a walk from here. DynamoDB has no index of two dimensions; what takes its place?',
  strategy: 'Geospatial: a geohash, cut for the partition key',
  model: 'l15_geohash',
  table,
  steps: [
    {
      title: 'A place as a text',
      text: [
        'A geohash writes a position as letters and digits. Each character divides the cell before it into 32 smaller ones, so places with a common beginning lie in the same cell: `u` is northern Europe, `u33db` some 5 km of Berlin, `u33dbcr` one street corner.',
        'The first five characters are the partition key, the whole geohash and the id are the sort key. One Query reads one cell.',
      ],
      tries: [
        { label: 'The cell u33db', note: 'Three cafés in the centre of Berlin, in one request.', pattern: 'Near', parameters: { cell: 'u33db' } },
        { label: 'The corner u33dbcr', note: 'A longer beginning is a smaller cell: only what lies in it is read.', pattern: 'Corner', parameters: { cell: 'u33db', corner: 'u33dbcr' } },
      ],
      draft: { operation: 'Query', table, key: [{ name: 'Cell', test: '=', values: [{ S: 'u33db' }] }, { name: 'Place', test: 'begins_with', values: [{ S: 'u33dbcr' }] }] },
    },
    {
      title: 'The border of a cell',
      text: [
        'The Museum Café and Alex Coffee are less than a kilometre apart, but a border of cells runs between them: `u33db` and `u33dc`. Who asks only for the own cell misses what is near on the other side.',
        'So ask for the cell and its neighbours, up to nine Queries side by side, and let the application compute the distances and sort. Libraries give the neighbours of a cell.',
      ],
      tries: [
        { label: 'Only the cell of the museum', note: 'Alex Coffee is missing.', calls: [cell('u33db')] },
        { label: 'The neighbour to the east', note: 'There it is.', calls: [cell('u33dc')] },
      ],
      trap: { title: 'Near in the text is not near on the map', text: 'Two geohashes with a common beginning are near each other. The reverse does not hold: two places on both sides of a border may differ in the first character.' },
    },
    {
      title: 'How long the beginning is',
      text: [
        'The cell is a trade. Long cells are small: little is read in vain, but a wide search asks for many of them. Short cells are large: one request, and much of what it reads is too far away. And a cell is a partition key: 3,000 read units a second is all that one gives.',
        'Choose the cell about as wide as a usual search. For a search of the whole city, read the cells of a shorter geohash from an index, or hand the search to a search engine fed by the table’s stream.',
      ],
      tries: [
        { label: 'The cell that holds the zoo', note: 'The next cell to the west: one café, 5 km away.', calls: [cell('u336x')] },
        { label: 'All of Europe, by a Scan', note: 'No partition key fits a beginning of one character: everything is read.', calls: [{ operation: 'Scan', request: { TableName: table, FilterExpression: 'begins_with(Cell, :u)', ExpressionAttributeValues: { ':u': { S: 'u' } } } }] },
      ],
    },
  ],
};
