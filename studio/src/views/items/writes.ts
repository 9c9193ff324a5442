// Writes through the DynamoDB API: a new item of an entity, the change or removal of one, and the
// writes that the model names. Each says in a sentence what was refused and why.
import { emptyRecord, member, type AttributeValue, type Item } from '../../api/attribute_value.ts';
import { plain } from '../../api/attribute_value.ts';
import { call, DynamoDbError, type ConsumedCapacity, type Request } from '../../api/dynamodb.ts';
import { model as api, type Model, type WriteStep } from '../../api/model.ts';
import { makeDecoder } from '../../design/decode.ts';
import { locksOf } from '../../design/locks.ts';
import { unitsBySide } from '../../design/fan_out.ts';
import { attributesIn, renderTemplate } from '../../design/key_template.ts';
import { deleteOld, putNew, replaceOld, transactionOf, type GuardedWrite } from '../../requests/guarded_write.ts';
import { keyText } from '../../design/order.ts';
import type { SideChange } from './changes.ts';
import type { TableData } from './table_data.ts';

export interface Outcome {
  changes: SideChange[];
  sent: GuardedWrite;
  writeUnits: number;
  units: Record<string, number>; // By side: `table` and the indexes.
  before: Item | null;
}

// A write that the engine or the model refused; `message` says why, for people.
export class Refused extends Error {
  constructor(
    message: string,
    readonly sent: GuardedWrite | null = null,
  ) {
    super(message);
  }
}

export type PlainItem = Record<string, unknown>;

// A write that is ready to be sent, alone or as a step of a transaction.
export interface Prepared {
  table: TableData;
  write: GuardedWrite;
  before: Item | null; // Null: a new item.
  key: Item; // At least the key after the write; before it if the item goes.
  what: string; // The entity, if one is known.
  locks?: Locks;
}

// The lock items that keep an attribute unique: those that go with the write, and those that come.
interface Locks {
  gone: Item[];
  come: Item[];
}

const sameKeys = (a: Item, b: Item) => JSON.stringify(a) === JSON.stringify(b);

// The write and its lock items, all or none.
function withLocks(prepared: Prepared, before: Item[], after: Item[]): Prepared {
  const gone = before.filter((one) => !after.some((other) => sameKeys(one, other)));
  const come = after.filter((one) => !before.some((other) => sameKeys(one, other)));
  if (gone.length + come.length === 0) return prepared;
  const { name, tableKeys } = prepared.table;
  const { write } = transactionOf([
    prepared.write,
    ...gone.map((Key): GuardedWrite => ({ operation: 'DeleteItem', request: { TableName: name, Key } })),
    ...come.map((lock) => putNew(name, tableKeys, lock)),
  ]);
  return { ...prepared, write, locks: { gone, come } };
}

// A new item with all its keys, as the model writes them. Refused if there is one already.
export async function prepareEntity(table: TableData, source: string, entity: string, attributes: PlainItem): Promise<Prepared> {
  const made = await api.item(source, entity, attributes, true);
  if (made.table !== table.name) throw new Refused(`${entity} items are kept in ${made.table}, not in ${table.name}.`);
  const write: GuardedWrite = made.condition
    ? {
        operation: 'PutItem',
        request: {
          TableName: made.table,
          Item: made.item,
          ConditionExpression: made.condition,
          ...(Object.keys(made.names ?? {}).length > 0 ? { ExpressionAttributeNames: made.names } : {}),
        },
      }
    : putNew(table.name, table.tableKeys, made.item);
  return withLocks({ table, write, before: null, key: made.item, what: entity }, [], made.locks ?? []);
}

export async function addEntity(table: TableData, source: string, entity: string, attributes: PlainItem, delayMs: number): Promise<Outcome> {
  return send(await prepareEntity(table, source, entity, attributes), delayMs);
}

export function addItem(table: TableData, item: Item, delayMs: number): Promise<Outcome> {
  return send({ table, write: putNew(table.name, table.tableKeys, item), before: null, key: item, what: '' }, delayMs);
}

function prepareChange(table: TableData, before: Item, after: Item, what = ''): Prepared {
  const write = replaceOld(table.name, table.tableKeys, before, after);
  if (!write) throw new Refused('The item is unchanged.');
  return { table, write, before, key: after, what };
}

const prepareRemoval = (table: TableData, before: Item, what = ''): Prepared => ({
  table,
  write: deleteOld(table.name, table.tableKeys, before),
  before,
  key: before,
  what,
});

export async function changeItem(table: TableData, before: Item, after: Item, delayMs: number): Promise<Outcome> {
  return send(prepareChange(table, before, after), delayMs);
}

// The item, and the lock items that the model says it has.
export async function removeItem(table: TableData, model: Model | null, source: string, before: Item, delayMs: number): Promise<Outcome> {
  const locks = model ? await locksIn(table, model, source, before) : [];
  return send(withLocks(prepareRemoval(table, before), locks, []), delayMs);
}

const locksIn = (table: TableData, model: Model, source: string, item: Item) => locksOf(model, source, { name: table.name, keys: table.tableKeys }, item);

// Sends a guarded write; the answer is the units that it took, by side.
export async function sendWrite(write: GuardedWrite): Promise<Record<string, number>> {
  const answer = await call<{ ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] }>(write.operation, {
    ...write.request,
    ReturnConsumedCapacity: 'INDEXES',
  });
  return unitsBySide([answer.ConsumedCapacity ?? []].flat());
}

export const allUnits = (units: Record<string, number>) => Object.values(units).reduce((sum, one) => sum + one, 0);

export async function send(prepared: Prepared, delayMs: number): Promise<Outcome> {
  const { write, before } = prepared;
  let units: Record<string, number>;
  try {
    units = await sendWrite(write);
  } catch (error) {
    throw refusal(error as Error, prepared);
  }
  const changes = await showWrite(prepared, delayMs);
  return { changes, sent: write, writeUnits: allUnits(units), units, before };
}

// Brings what was written into the picture.
export async function showWrite({ table, before, key, locks }: Prepared, delayMs: number): Promise<SideChange[]> {
  for (const lock of locks?.gone ?? []) await table.afterWrite(lock, lock, delayMs);
  for (const lock of locks?.come ?? []) await table.afterWrite(null, lock, delayMs);
  const moved = before !== null && table.tableKeys.some((name) => keyText(before[name]!) !== keyText(key[name]!));
  return moved
    ? [...(await table.afterWrite(before, before, delayMs)), ...(await table.afterWrite(null, key, delayMs))]
    : table.afterWrite(before, key, delayMs);
}

// "Org ORG#ACME / ORG#ACME"
export function nameOf({ table, key, what }: Pick<Prepared, 'table' | 'key' | 'what'>): string {
  const name = table.tableKeys.map((one) => (member(key, one) ? keyText(key[one]!) : '?')).join(' / ');
  return what === '' ? name : `${what} ${name}`;
}

function refusal(error: Error, prepared: Prepared): Error {
  if (!(error instanceof DynamoDbError)) return error;
  const { write } = prepared;
  const name = nameOf(prepared);
  const condition = String(write.request['ConditionExpression'] ?? 'its conditions');
  if (error.code === 'ConditionalCheckFailedException' && write.operation === 'PutItem') {
    return new Refused(
      `Refused: ${name} exists already. The write has the condition ${readable(write.request, condition)}, so the same key is never written twice.`,
      write,
    );
  }
  const taken = takenLock(error, prepared);
  if (taken) return new Refused(`Refused: ${taken} Nothing was written.`, write);
  if (error.code === 'ConditionalCheckFailedException' || error.code === 'TransactionCanceledException') {
    return new Refused(
      `Refused: ${name} changed since it was loaded here, or its new key is taken. Reload the item and repeat the change.`,
      write,
    );
  }
  return new Refused(`${error.code}: ${error.message}`, write);
}

// The lock items are the last parts of the transaction.
function takenLock(error: DynamoDbError, { write, table, locks, what }: Prepared): string | null {
  const reasons = (error.body['CancellationReasons'] ?? []) as { Code?: string }[];
  const parts = (write.request['TransactItems'] ?? []) as unknown[];
  const come = locks?.come ?? [];
  const at = reasons.findIndex(({ Code }, part) => Code === 'ConditionalCheckFailed' && part >= parts.length - come.length);
  const lock = at < 0 ? undefined : come[at - (parts.length - come.length)];
  if (!lock) return null;
  const [, , attribute = '', ...value] = keyText(lock[table.tableKeys[0]!]!).split('#');
  return `${/^[aeiou]/i.test(what || 'item') ? 'an' : 'a'} ${what || 'item'} with the ${attribute} ${value.join('#')} exists already. The design declares it unique, and a lock item enforces that.`;
}

// Names instead of placeholders.
function readable(request: Request, expression: string): string {
  const names = (request['ExpressionAttributeNames'] ?? {}) as Record<string, string>;
  return expression.replace(/#\w+/g, (placeholder) => names[placeholder] ?? placeholder);
}

// --- Writes of the model.

// The attributes to ask for: all of a new item, the key and what is set of an old one.
export function askedFor(model: Model, step: WriteStep): string[] {
  const entity = model.entities.find((one) => one.name === step.entity);
  const attributes = entity?.attributes ?? [];
  if (step.kind === 'put') return attributes.map((one) => one.name);
  const keys = keyAttributes(model, step.entity);
  return step.kind === 'update' ? [...new Set([...keys, ...step.set])] : keys;
}

// Entities whose items keep copies of what the step sets: those copies are not changed with it.
export function copiesOf(model: Model, step: WriteStep): string[] {
  const paths = step.set.map((name) => `${step.entity}.${name}`);
  const layouts = model.tables.flatMap((table) => table.items);
  return layouts.filter((layout) => layout.attributes.some((one) => paths.includes(one.of ?? ''))).map((layout) => layout.entity);
}

// The entity's attributes that its item's own key is made of.
function keyAttributes(model: Model, entity: string): string[] {
  const table = model.tables.find((one) => one.items.some((layout) => layout.entity === entity));
  const layout = table?.items.find((one) => one.entity === entity);
  const names: string[] = [];
  for (const key of table ? [table.partition, table.sort] : []) {
    const template = layout?.attributes.find((one) => one.name === key)?.template;
    if (template === undefined) names.push(key);
    else if (!template.includes('{')) names.push(...(isNatural(layout, key) ? [template] : []));
    else names.push(...attributesIn(template));
  }
  return [...new Set(names.filter((name) => name !== ''))];
}

const isNatural = (layout: Model['tables'][number]['items'][number] | undefined, key: string) =>
  layout?.attributes.find((one) => one.name === key)?.kind === 'attribute';

// The key of an entity's item, from the attributes as text. Null if one is missing.
export function entityKey(model: Model, table: TableData, entity: string, texts: Record<string, string>): Item | null {
  const described = model.tables.find((one) => one.name === table.name);
  const layout = described?.items.find((one) => one.entity === entity);
  if (!layout) return null;
  const key: Item = emptyRecord();
  for (const name of table.tableKeys) {
    const stored = layout.attributes.find((one) => one.name === name);
    const text =
      stored?.kind === 'template' ? renderTemplate(stored.template ?? '', texts) : (member(texts, stored?.template ?? name) ?? null);
    if (text === null || text === '') return null;
    const type = table.description.AttributeDefinitions.find((one) => one.AttributeName === name)?.AttributeType ?? 'S';
    key[name] = { [type]: text } as AttributeValue;
  }
  return key;
}

// One step of a write of the model, with the attributes that its form gave.
export async function prepareStep(table: TableData, model: Model, source: string, step: WriteStep, given: PlainItem): Promise<Prepared> {
  if (step.kind === 'put') return prepareEntity(table, source, step.entity, given);
  const texts = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
  const key = entityKey(model, table, step.entity, texts);
  if (!key) throw new Refused('Which item? Fill in all parts of its key.');
  const before = await table.read(key);
  if (!before) throw new Refused(`Refused: there is no ${nameOf({ table, key, what: step.entity })}.`);
  const locks = await locksIn(table, model, source, before);
  if (step.kind === 'delete') return withLocks(prepareRemoval(table, before, step.entity), locks, []);
  const set = Object.fromEntries([...step.set.map((one) => [one, given[one]]), ...(step.remove ?? []).map((one) => [one, undefined])]) as PlainItem;
  const after = await changedEntity(table, model, source, before, set);
  return withLocks(prepareChange(table, before, after.item, step.entity), locks, after.locks);
}

// Sets attributes of an entity's item and renders its keys again: an index key may be made of them.
export async function changeEntity(table: TableData, model: Model, source: string, before: Item, set: PlainItem, delayMs: number): Promise<Outcome> {
  const [locks, after] = [await locksIn(table, model, source, before), await changedEntity(table, model, source, before, set)];
  return send(withLocks(prepareChange(table, before, after.item), locks, after.locks), delayMs);
}

async function changedEntity(table: TableData, model: Model, source: string, before: Item, set: PlainItem): Promise<{ item: Item; locks: Item[] }> {
  const decoder = makeDecoder(model, table.name, table.tableKeys);
  const known = decoder.attributesOf(before);
  if (!known) throw new Refused('The model does not describe this item.');
  const now = Object.fromEntries(Object.entries(known.attributes).map(([name, value]) => [name, plain(value)]));
  const attributes = Object.fromEntries(
    Object.entries({ ...now, ...set }).filter(([, value]) => value !== undefined && value !== '' && value !== null),
  );
  const made = await api.item(source, known.entity, attributes, false);
  return { item: { ...unknownTo(model, table.name, known.entity, before), ...made.item }, locks: made.locks ?? [] };
}

// Attributes that the model does not speak of stay as they are; copies and embedded rows too.
function unknownTo(model: Model, tableName: string, entity: string, item: Item): Item {
  const table = model.tables.find((one) => one.name === tableName);
  const layout = table?.items.find((one) => one.entity === entity);
  const spoken = new Set([
    table?.typeAttribute ?? '',
    ...(model.entities.find((one) => one.name === entity)?.attributes.map((one) => one.name) ?? []),
    ...(layout?.attributes.filter((one) => one.kind === 'template' || one.kind === 'attribute').map((one) => one.name) ?? []),
  ]);
  return Object.fromEntries(Object.entries(item).filter(([name]) => !spoken.has(name)));
}
