// Every strategy for a relationship, in the words of `prejoin advise`, and the two trees that lead to one.

export interface Strategy {
  name: string; // As the model language and the advice call it.
  title: string;
  shape: string;
  use: string;
  avoid: string;
  example: string; // An example model.
  lesson?: string;
}

const strategy = (name: string, title: string, example: string, shape: string, use: string, avoid: string, lesson?: string): Strategy => ({
  name, title, shape, use, avoid, example, ...(lesson ? { lesson } : {}),
});

export const strategies: Strategy[] = [
  strategy('item-collection', 'Item collection', 'p01_item_collection', 'Parent and children share the partition key.', 'The usual one-to-many: parent and children in one Query, any number of children.', 'Children are looked up without their parent, or deeper levels swamp the collection.', 'orgs-users-tickets'),
  strategy('complex-attribute', 'List or map on the parent', 'p02_complex_attribute', 'Children in a list or map on the parent.', 'Few children (at most about 20), always read with the parent, never looked up by their own values.', 'The nested values are queried, or their number has no bound.', 'addresses'),
  strategy('duplicate-attributes', 'Copies on the children', 'p03_duplicate_attributes', 'The parent’s attributes copied onto each child.', 'The copied data never or seldom changes, or has few copies, and is read far more than written.', 'The data changes often and has many copies, or must be strongly consistent.', 'books'),
  strategy('secondary-index', 'Secondary index', 'p04_secondary_index', 'An index partition groups parent and children.', 'The primary key is needed for something else: direct lookup, uniqueness, one more level.', 'Only parent-first access, or strongly consistent reads.', 'orgs-users-tickets'),
  strategy('composite-sort-key', 'Composite sort key', 'p05_composite_sort_key', 'Levels joined in one sort key: STATE#CITY#ZIP.', 'More than two levels, queried at every level, and the whole subtree is wanted.', 'One level is wanted without its subtree.', 'places'),
  strategy('adjacency-list', 'Adjacency list', 'p06_adjacency_list', 'One edge item: partition key is one end, sort key the other.', 'The classic many-to-many; data on the relationship itself.', 'Simple connections without data, few and read from one side only: a list of ids is enough.', 'students-courses'),
  strategy('inverted-index', 'Inverted index', 'p07_inverted_index', 'An index holds the edge with its ends swapped.', 'The second direction of an adjacency list.', 'That direction must be strongly consistent.', 'students-courses'),
  strategy('inverted-base-keys', 'Inverted base keys', 'p08_inverted_base_keys', 'An index whose partition key is SK and sort key is PK.', 'Every item should be inverted; there are no extra attributes to maintain.', 'Some entities should not be in the index.'),
  strategy('shallow-duplication', 'Lists on both sides', 'p09_shallow_duplication', 'Each side holds a short list of the other.', 'Read-heavy, stable, bounded, and no index is wanted.', 'The data changes often, or the list can pass 400 KB.', 'shallow-duplication'),
  strategy('references', 'Ids, then items', 'p10_references', 'Ids on one side, then BatchGetItem.', 'Strong consistency, rare reads, background jobs, admin pages.', 'Latency matters.', 'normalised'),
  strategy('write-sharding', 'Write sharding', 'p11_write_sharding', 'A suffix spreads one hot key over several partitions.', 'One key takes more than 1,000 writes or 3,000 reads a second.', 'Ordinary sizes.', 'write-sharding'),
];

// A question with where its answers lead: another question, or the names of strategies.
export interface Question {
  ask: string;
  why: string;
  yes: Question | string[];
  no: Question | string[];
}

export interface Tree {
  title: string;
  root: Question;
}

// The end of two branches: an index only where somebody reads it.
const otherSide: Question = {
  ask: 'Is it read from the other side at all?',
  why: 'R2 and R7: the other side is another partition, so it is a global index.',
  yes: ['adjacency-list', 'inverted-index'],
  no: ['adjacency-list'],
};

// As `prejoin advise` decides (src/model/advise/decide.cc).
export const trees: Tree[] = [
  {
    title: 'One to many',
    root: {
      ask: 'Are there few of them, about 20 at most, always read with their parent and never looked up by themselves?',
      why: 'R3: a yes to “looked up” or to “unbounded” rules a list on the parent out.',
      yes: ['complex-attribute'],
      no: {
        ask: 'Are there more than two levels, and is the whole subtree read at each of them?',
        why: 'R6: one sort key for all levels reads a subtree as one run.',
        yes: ['composite-sort-key'],
        no: {
          ask: 'Is the child found without its parent, or is its own key needed for something else, such as uniqueness?',
          why: 'R8: what is not read together gets a key of its own; an index then groups parent and children.',
          yes: ['secondary-index'],
          no: {
            ask: 'Do the children only need a few facts of the parent that never or seldom change?',
            why: 'R4 and R5: immutable facts are copied; what changes often is read from one place.',
            yes: ['item-collection', 'duplicate-attributes'],
            no: ['item-collection'],
          },
        },
      },
    },
  },
  {
    title: 'Many to many',
    root: {
      ask: 'Is it sparse: has each side few links, compared with all there could be?',
      why: 'R2: an item for each link costs only what is there.',
      yes: otherSide,
      no: {
        ask: 'Is it read from both sides often?',
        why: 'R2 and R7: the other side is another partition, so it is a global index.',
        yes: ['adjacency-list', 'inverted-index'],
        no: {
          ask: 'Has the link data of its own, such as a grade or a role?',
          why: 'R2: data on the relationship needs an item of its own.',
          yes: otherSide,
          no: {
            ask: 'May both sides keep a list of the other: bounded, stable, and never read strongly?',
            why: 'R2: lists on both sides make each read one item, and each change many writes.',
            yes: ['shallow-duplication'],
            no: ['references'],
          },
        },
      },
    },
  },
];

export interface Rule {
  id: string;
  title: string;
  says: string;
}

export const rules: Rule[] = [
  { id: 'R1', title: 'The four questions', says: 'How many? Both directions? How often does it change? How many reads for a write?' },
  { id: 'R2', title: 'Many-to-many', says: 'Sparse: adjacency list, with an index if both directions are read. Else data on the edge, then lists, then ids.' },
  { id: 'R3', title: 'Complex attribute', says: 'Only if nothing looks the nested values up, and their number has a bound.' },
  { id: 'R4', title: 'Duplication', says: 'Multiply the change rate by the number of copies: one high factor is fine, two are not.' },
  { id: 'R5', title: 'Parent’s data with its children', says: 'Immutable: copy it. Else keep both in one collection and read both.' },
  { id: 'R6', title: 'Hierarchy', says: 'One sort key for all levels only with more than two, and if the whole subtree is wanted.' },
  { id: 'R7', title: 'Kind of index', says: 'Another partition: a global index. The same partition in another order: a local one.' },
  { id: 'R8', title: 'A partition for one item', says: 'Items that are not read together get their own partition keys. That costs nothing.' },
  { id: 'R9', title: 'Size of a partition', says: 'Do not worry before 10 GB in one collection.' },
  { id: 'R10', title: 'One partition for all', says: 'Only below 3,000 read units and 1,000 write units a second.' },
];

// The advice's words on a rule: its path has lines such as "R9 (size of a partition) One collection has …".
export function lineOfRule(path: string[], id: string): string[] {
  return path.filter((line) => line.startsWith(`${id} `)).map((line) => line.replace(/^R\d+ \([^)]*\) /, ''));
}
