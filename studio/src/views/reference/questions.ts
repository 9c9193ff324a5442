// Questions that readers of the guides ask, each with its answer and the place in the page that shows it (docs/questions.md has the commands).

// A copy of an example with one change, to read what the checker says about it.
export interface Variant {
  says: string; // The words of the button …
  title: string; // … the name of the copy …
  rule: string; // … and what the checker finds in it.
  of: string; // The example.
  change(text: string): string;
}

export interface ReaderQuestion {
  ask: string;
  answer: string;
  see: string; // The words of the link …
  view: string; // … and where it leads.
  query: Record<string, string>;
  variant?: Variant;
}

const model = (name: string, tab: string, more: Record<string, string> = {}) => ({ view: 'model', query: { model: name, tab, ...more } });
const items = (name: string, pattern: string) => ({ view: 'items', query: { model: name, pattern } });
const add = (text: string) => (before: string) => `${before.trimEnd()}\n\n${text}\n`;

export const readerQuestions: ReaderQuestion[] = [
  {
    ask: 'And many-to-many?',
    answer: 'An item for each link lies with one end; an index with the keys swapped lists it from the other. The price of each strategy stands beside it.',
    see: 'The advice for students and courses', ...model('d04_students_and_courses', 'advise'),
  },
  {
    ask: 'How do I look up only tickets?',
    answer: 'One ticket by its key is a GetItem. All tickets of a user are one Query of the index that files tickets under their user: their sort keys begin with `TICKET#`. A prefix cannot find them in the table, because each ticket has a partition key of its own.',
    see: 'A user with the newest tickets, lit', ...items('d08_saas_orgs', 'A23'),
  },
  {
    ask: 'Can the Java mapper read one-to-many from one table?',
    answer: 'Not AWS’s: its mapper reads one class at a time. The generated code reads the collection once and gives both types: `A19Result(Org org, List<User> users)`. TypeScript, Python, Go and C++ get the same.',
    see: 'The generated Java', ...model('d08_saas_orgs', 'code', { to: 'java' }),
  },
  {
    ask: 'What are GSI1PK and GSI1SK on users for?',
    answer: 'They file the user in the same index collection as the tickets, so that one Query reads both. A key attribute is there for the patterns that no other key supports, and every key in the page names them.',
    see: 'Why GSI1SK is there', ...model('d08_saas_orgs', 'chart', { key: 'Support.GSI1SK' }),
  },
  {
    ask: 'When should PK equal SK?',
    answer: 'When an item is alone in its collection, in a table whose key has two parts: something must stand in the sort key, and the same value needs no second rule. It costs nothing more.',
    see: 'Single-item collections', ...model('p14_single_item_collections', 'chart'),
  },
  {
    ask: 'Is a partition key for a single item fine?',
    answer: 'Yes. A partition key is not a partition: DynamoDB hashes the keys and puts many of them into each partition. What is not read together gets a key of its own, at no cost: a ticket takes its own bytes and nothing else.',
    see: 'Collections and their sizes', ...model('d08_saas_orgs', 'cost'),
  },
  {
    ask: 'How do I list all organisations?',
    answer: 'No key names them all, so it is a Scan of the whole table. If that is too dear, an index in which all of them share one partition key lists them: fine for thousands, read seldom. One partition gives 3,000 RCU a second, so for millions of rows, or for many readers, spread that key over shards and read these in parallel.',
    see: 'Write sharding', ...model('p11_write_sharding', 'chart'),
    variant: {
      says: 'Ask for all organisations, and read both prices', title: 'All organisations', rule: 'PJ101', of: 'd08_saas_orgs',
      change: add('pattern All "All organisations" {\n  find Org\n  rate 1/min\n}'),
    },
  },
  {
    ask: 'What if any of country, state, city and zip is optional?',
    answer: 'A sort key answers from the left only. `optional` conditions state every combination, and the checker finds the fewest keys that serve all of them, or names the ones that need a search engine.',
    see: 'Optional conditions', ...model('f03_optional_conditions', 'patterns'),
  },
  {
    ask: 'Shop, status, category and perhaps a sub-category, newest first: can one index do it?',
    answer: 'No. With the sub-category in the key before the date, all items of a category come sub-category by sub-category, not by date. A second index that has the date right behind the category costs one more write unit for each item; sorting after the read costs about 96 times the read units here.',
    see: 'Why GSI2SK is there', ...model('d10_shop_items', 'chart', { key: 'ShopItems.GSI2SK' }),
  },
  {
    ask: 'Why not one simple key that holds the whole path?',
    answer: 'A partition key is hashed, so DynamoDB finds it by equality only: no prefix, no range. A path helps only in a sort key, below a partition key that the question knows.',
    see: 'The path in the sort key, lit', ...items('d09_starbucks', 'A25'),
    variant: {
      says: 'Put the path into the partition key', title: 'One simple key', rule: 'PJ101', of: 'd09_starbucks',
      change: () => `model "One simple key"

entity Store {
  id      text(~6) key
  country text(~3) immutable
  state   text(~12) immutable
  city    text(~12) immutable
  count   40_000
}

pattern ByState "Stores of a state" {
  find Store where country = :country and state = :state
  rate 8/s
}

write Open "A new store" {
  put Store once
  rate 1/day
}

table Stores partition Path {
  item Store {
    Path = "{country}#{state}#{city}#{id}"
  }
}
`,
    },
  },
  {
    ask: 'Category and product: duplicate?',
    answer: 'Copy what never changes, or what is read far more often than it changes times the number of its copies. The page lists each copy and what a change must touch.',
    see: 'Copies on the children', ...model('p03_duplicate_attributes', 'advise'),
  },
  {
    ask: 'What about large or hot organisations?',
    answer: 'One partition key gives at most 3,000 RCU and 1,000 WCU a second; its size matters only from about 10 GB. Cost shows the hottest keys as a share of that limit, and the collection of one organisation, on average and at most. The scale at the top adds organisations, it does not make one larger: for that, raise `at most` in the relationship.',
    see: 'Its hottest keys and largest collections', ...model('d08_saas_orgs', 'cost'),
  },
  {
    ask: 'Why does starts_with fail?',
    answer: 'The function is called `begins_with`, and it works on sort keys and in filters, never on a partition key. The checker names the function that you meant.',
    see: 'The users of an organisation, lit', ...items('d08_saas_orgs', 'A20'),
    variant: {
      says: 'Write starts_with', title: 'starts_with', rule: 'PJ001', of: 'd08_saas_orgs',
      change: (text) => text.replace('find User where Org = :org order by User', 'find User where Org = :org and starts_with(User, :begin)'),
    },
  },
  {
    ask: 'Does this work with fine-grained access control?',
    answer: 'IAM compares `dynamodb:LeadingKeys` with the partition key, so a tenant’s items must have partition keys that begin with the tenant. Write `tenant Org.Org`, and the checker names every pattern and item for which that is not so. Code writes a policy for each pattern.',
    see: 'The generated policies', ...model('d08_saas_orgs', 'code', { to: 'iam' }),
    variant: {
      says: 'Take the two exceptions out', title: 'Tenants without exceptions', rule: 'PJ214', of: 'd08_saas_orgs',
      change: (text) => text.replace(/^ +allow PJ214 .*\n/gm, ''),
    },
  },
  {
    ask: 'Why not send it to SQL?',
    answer: 'For totals and questions that nobody has thought of yet, do. A question about all rows is analytics, and the checker says so; `prejoin export --as sql` writes the rows with their foreign keys. Patterns that the application runs all day stay on keys: their price does not grow with the table.',
    see: 'What each pattern costs', ...model('d08_saas_orgs', 'cost'),
    variant: {
      says: 'Ask for all tickets of a period', title: 'Tickets of a period', rule: 'PJ101', of: 'd08_saas_orgs',
      change: add('pattern Opened "All tickets opened in a period" {\n  find Ticket where CreatedAt between :from and :to\n  rate 1/hour\n}'),
    },
  },
  {
    ask: 'What does the user gain in the key of a ticket?',
    answer: 'In the index it puts the tickets next to their user: one Query reads both. In the table’s own key it would take the GetItem away: who knows only the ticket’s number could no longer build the key.',
    see: 'Why GSI1PK is there', ...model('d08_saas_orgs', 'chart', { key: 'Support.GSI1PK' }),
  },
  {
    ask: 'One key is spelled in two ways: how do I avoid that?',
    answer: 'Write each key template once, as data. Table, code, samples and pictures are made of it, and a template that is spelled in two ways is an error.',
    see: 'The keys of this design', ...model('d08_saas_orgs', 'chart'),
    variant: {
      says: 'Write Org# in one place and ORG# in the others', title: 'Two spellings', rule: 'PJ116', of: 'd08_saas_orgs',
      change: (text) => text.replace('GSI1PK = "ORG#{Org}#USER#{User}"', 'GSI1PK = "Org#{Org}#USER#{User}"'),
    },
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
    answer: 'With a few questions, with your SQL, or with entities and patterns only: the checker proposes keys, and each proposal is a button.',
    see: 'Begin a design', view: 'model', query: { begin: '1' },
  },
];
