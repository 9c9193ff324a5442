// Questions that readers ask, each with its answer and the place in the page that shows it (docs/questions.md has the commands).
export interface ReaderQuestion {
  ask: string;
  answer: string;
  see: string; // The words of the link …
  view: string; // … and where it leads.
  query: Record<string, string>;
}

const model = (name: string, tab: string, more: Record<string, string> = {}) => ({ view: 'model', query: { model: name, tab, ...more } });
const items = (name: string, pattern: string) => ({ view: 'items', query: { model: name, pattern } });

export const readerQuestions: ReaderQuestion[] = [
  {
    ask: 'And many-to-many?',
    answer: 'An item for each link lies with one end; an index with the keys swapped lists it from the other. What each strategy would cost stands beside it.',
    see: 'The advice for students and courses', ...model('d04_students_and_courses', 'advise'),
  },
  {
    ask: 'How do I look up only tickets?',
    answer: 'One ticket by its key is a GetItem; all of a user is a Query of the index that files tickets under their user.',
    see: 'Both patterns, lit', ...items('d08_saas_orgs', 'A23'),
  },
  {
    ask: 'What are GSI1PK and GSI1SK on users for?',
    answer: 'A key attribute exists for the access patterns that need it. Every key on the page lists them.',
    see: 'Why GSI1SK exists', ...model('d08_saas_orgs', 'chart', { key: 'Support.GSI1SK' }),
  },
  {
    ask: 'When should PK equal SK?',
    answer: 'Use it when an item is alone in its collection, in a table whose key has two parts. It costs nothing extra.',
    see: 'Single-item collections', ...model('p14_single_item_collections', 'chart'),
  },
  {
    ask: 'How do I list all organisations?',
    answer: 'No key names them all, so it is a Scan. Either it is rare and you allow it in the text, with its price, or a sharded index lists them.',
    see: 'Write `pattern All { find Org }` here and read the finding', ...model('d08_saas_orgs', 'patterns'),
  },
  {
    ask: 'Any of country, state, city and zip is optional?',
    answer: 'A sort key supports conditions on its parts from the left only. `optional` conditions state every combination, and the checker finds the smallest set of keys that supports all of them.',
    see: 'Optional conditions', ...model('f03_optional_conditions', 'patterns'),
  },
  {
    ask: 'Category and product: duplicate?',
    answer: 'Copy what is read far more often than it changes. The page lists each copy and what a change must touch.',
    see: 'Copies on the children', ...model('p03_duplicate_attributes', 'advise'),
  },
  {
    ask: 'What about large or hot organisations?',
    answer: 'One key is limited to 3,000 RCU and 1,000 WCU per second. Move the scale slider: keys above the limit turn red.',
    see: 'Its hottest keys', ...model('d08_saas_orgs', 'cost'),
  },
  {
    ask: 'A hot key: does adaptive capacity help?',
    answer: 'It isolates a hot key on its own partition, but one partition’s limit still applies. A suffix spreads the key over several partitions.',
    see: 'Write sharding', ...model('p11_write_sharding', 'cost', { scale: '100' }),
  },
  {
    ask: 'One read for a whole subtree?',
    answer: 'One sort key that holds all levels, from the left: every prefix of it is a Query.',
    see: 'Coffee shops by country, state, city and zip', ...items('d09_starbucks', 'A24'),
  },
  {
    ask: 'Do the stored items match the design?',
    answer: 'With a design open, Explore names the entity of each item and marks keys that are not as the design makes them. `prejoin audit` does it for the whole table.',
    see: 'The tables of this server', view: 'explore', query: {},
  },
  {
    ask: 'Where do I begin?',
    answer: 'With four questions, or with entities and patterns only: the checker proposes keys, and each proposal is a button.',
    see: 'Begin a design', view: 'model', query: {},
  },
];
