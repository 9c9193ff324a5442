// The words of the field that the page uses, each in a sentence or two.
export interface Term {
  word: string; // With what it stands for, by which it is found, too.
  says: string;
}

export const glossary: Term[] = [
  { word: 'RCU: read capacity unit', says: 'One strongly consistent read of up to 4 KB. An eventually consistent read takes half of one, a transactional read two. On demand the same amount is a read request unit.' },
  { word: 'WCU: write capacity unit', says: 'One write of up to 1 KB; a transactional write takes two. Each index that the item is in takes its own. On demand the same amount is a write request unit.' },
  { word: 'Partition key (PK, hash key)', says: 'The attribute whose hash says where an item is stored. A Query names one value of it, and only by equality.' },
  { word: 'Sort key (SK, range key)', says: 'The attribute that orders the items of one partition key. A Query compares it: equal, from, to, between, `begins_with`.' },
  { word: 'Item collection', says: 'All items with one partition key, in a table or in an index. One Query reads them as a run.' },
  { word: 'GSI: global secondary index', says: 'A copy of items under other keys, with any partition key. It follows a moment after the table, so it is read eventually consistent.' },
  { word: 'LSI: local secondary index', says: 'The same partition key as the table, in another order. It can be read strongly consistent, and limits each item collection to 10 GB.' },
  { word: 'Projection', says: 'The attributes that an index copies: all, the keys, or a list. What is not copied must be read from the table.' },
  { word: 'Access pattern', says: 'A question that the application asks, with what it knows, what it reads and how often. A key supports it, or a Scan reads everything for it.' },
  { word: 'Query', says: 'Reads items of one partition key, in the order of the sort key. You pay for what it reads, also for what a filter discards.' },
  { word: 'Scan', says: 'Reads a whole table or index. Its cost grows with the table.' },
  { word: 'Filter', says: 'Discards items after they are read and paid for. It makes the answer smaller, not the bill.' },
  { word: 'Hot key, throttled', says: 'One partition gives 3,000 RCU and 1,000 WCU a second. A key that needs more is throttled, whatever the table has.' },
  { word: 'Write sharding', says: 'A suffix that spreads a hot key over several partitions. Readers ask all of them.' },
  { word: 'Denormalisation, copy', says: 'An attribute stored again where it is read. Each change of it must write every copy.' },
  { word: 'Lock item', says: 'An item whose key is a value that must be unique. It is written in one transaction with the item that has the value.' },
  { word: 'TTL: time to live', says: 'A time after which DynamoDB deletes an item, for free and within a few days.' },
];
