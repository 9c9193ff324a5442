// Explanations of the words of the model language, shown at the pointer. docs/model/grammar.md has the whole.
import type { Model } from '../../../api/model.ts';

export interface Help {
  title: string;
  text: string;
  example?: string;
}

const help = (title: string, text: string, example?: string): Help => ({ title, text, ...(example ? { example } : {}) });

const words: Record<string, Help> = {
  model: help('model', 'The name of the design.', 'model "School"'),
  entity: help('entity', 'A kind of thing with its attributes. `key` marks what identifies one; `count` says how many there are.', 'entity Student { id text(~8) key  count 20_000 }'),
  text: help('types', 'Of an attribute: `text(~20)` (about 20 letters), `text(~20, max 60)`, `number(6)` (digits), `bool`, `date`, `time`, `binary`, `list`, `map`, sets.', 'price number(6)  since date  tags text set optional'),
  relationship: help('relationship', 'How two entities belong together, and how many of one belong to one of the other.', 'relationship Orders: User one-to-many Order { each User has ~8, unbounded }'),
  hierarchy: help('hierarchy', 'Levels of one entity, from the largest to the smallest.', 'hierarchy Places: Shop by country > state > city'),
  pattern: help('pattern', 'A question that the application asks, how often, and an example that `prove` runs.', 'pattern Roster "Who takes a course" { find Enrollment where courseId = :course  rate 10/s }'),
  write: help('write', 'Something that the application writes, and how often.', 'write Enrol { put Enrollment once  rate 1/s }'),
  table: help('table', 'Where items are stored: the names of the partition key and the sort key, indexes, and how each entity makes its keys.', 'table School partition PK sort SK { … }'),
  item: help('item', 'How one entity is stored in this table: a line for each key, and for copies and lists.', 'item Student { PK = "STU#{id}"  SK = "PROFILE" }'),
  index: help('index', 'The same items under other keys, a moment later. An item without these keys is not in it.', 'index GSI1 partition GSI1PK sort GSI1SK project all'),
  local: help('local index', 'The items of one partition in another order. It can be read strongly, and ends a collection at 10 GB.', 'local index ByTotal sort total project all'),
  strategy: help('strategy', 'How a relationship is stored. The checker holds the keys against it.', 'strategy Enrolments = adjacency-list, inverted-index'),
  sample: help('sample', 'A few rows, for the pictures and for `prove`.', 'sample Student (id, name) { "a91", "Ada" }'),
  find: help('find', 'Rows of one entity that fulfil all conditions; several lines are parts of one answer.', 'find Order where userId = :user order by date desc limit 20'),
  rate: help('rate', 'How often it comes; `peak` if that is more at times.', 'rate 20/s peak 80/s'),
  fresh: help('fresh', 'How new the answer must be: `strong`, `eventual`, or `after` a write.', 'fresh strong'),
  example: help('example', 'Arguments, and how many rows they give. The studio begins with the first.', 'example course = "math204" gives 2'),
  put: help('put', 'Writes a whole item. `once` refuses it if there is one already.', 'put Enrollment once'),
  update: help('update', 'Changes attributes of one item. Keys that are made of them change too.', 'update Enrollment set grade'),
  delete: help('delete', 'Removes one item.', 'delete Enrollment'),
  together: help('together', 'All steps in one transaction: all or none, at twice the table’s units; index entries cost the same.'),
  each: help('each … has', 'How many on average, and at most. `zipf` or `hottest` where some have far more.', 'each Course has ~250, at most 2_000'),
  changes: help('changes', 'How often links come and go, or an attribute changes.', 'changes 4/s'),
  count: help('count', 'How many rows there are.', 'count 20_000'),
  key: help('key', 'Part of what identifies a row.'),
  references: help('references', 'Holds the value of an attribute of another entity.', 'studentId references Student.id'),
  optional: help('optional', 'Some rows lack it; a share says how many have it.', 'grade text(~2) optional 60%'),
  unique: help('unique', 'No two rows have the same value. A line of the item says who keeps it so.', 'item User { … unique email by lock item }'),
  immutable: help('immutable', 'Never changes, so copies of it are always right.'),
  project: help('project', 'What an index keeps beside its keys: `all`, `keys`, or names.', 'project grade, enrolledOn'),
  without: help('without', 'Attributes that are not stored by themselves, because a key holds them.', 'without studentId, courseId'),
  copy: help('copy of', 'An attribute of another entity, stored here too; `kept by` says who keeps it right.', 'name = copy of Student.name kept by stream'),
  shard: help('shard', 'Spreads a hot key over several: the number follows from the attribute.', 'GSI1PK = "LECTURE#{id}#{shard 8 of voterId}"'),
  pad: help('pad', 'Zeros in front, so that numbers sort as text.', '"{no pad 6}"'),
  sparse: help('sparse', 'Few links, compared with all there could be.'),
  dense: help('dense', 'Many of the links there could be.'),
  allow: help('allow', 'Silences a rule here, with the reason.', 'allow PJ301 because "the table is named so"'),
  hottest: help('hottest', 'The share of rows or requests that go to the most used value.', 'hottest 5%'),
  distinct: help('distinct', 'How many different values an attribute has.', 'distinct 200'),
  returns: help('returns', 'How many rows one answer has.', 'returns ~5'),
};

// All words, in the order in which a file has them.
export const allHelp = (): Help[] => Object.values(words);

// Of the word at a place; `before` is its line up to the word. Null if there is nothing to say.
export function helpFor(word: string, before: string, model: Model | null): Help | null {
  const entity = model?.entities.find(({ name }) => name === word);
  if (entity) {
    const readers = model!.patterns.filter(({ find }) => JSON.stringify(find).includes(`"${word}"`)).map(({ name }) => name);
    const count = entity.count ? `, ${entity.count.toLocaleString('en-GB')} of them` : '';
    return help(`entity ${word}${count}`, `${entity.attributes.map(({ name, type, key }) => `${name} ${type}${key ? ' key' : ''}`).join(', ')}.${readers.length > 0 ? ` Asked for by ${readers.join(', ')}.` : ''}`);
  }
  const owner = /([\w-]+)\.$/.exec(before)?.[1];
  const attribute = model?.entities.find(({ name }) => name === owner)?.attributes.find(({ name }) => name === word);
  if (attribute) return help(`${owner}.${word}`, `${attribute.type}, about ${attribute.averageBytes} bytes${attribute.references ? `, references ${attribute.references}` : ''}.`);
  return Object.hasOwn(words, word) ? words[word]! : null;
}
