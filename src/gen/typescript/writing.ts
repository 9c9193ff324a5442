import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from "@aws-sdk/client-dynamodb";
import {
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
  type TransactWriteCommandInput,
} from "@aws-sdk/lib-dynamodb";

import {
  AlreadyExists,
  ConditionNotMet,
  Conflict,
  NotFound,
  type WriteRefused,
} from "./errors.js";
import {
  added,
  compact,
  compare,
  getItem,
  pause,
  sorted,
  type Client,
  type Item,
} from "./reading.js";

type TransactItem = NonNullable<
  TransactWriteCommandInput["TransactItems"]
>[number];

/** One item to write, and what it means when its condition fails. */
export interface Action {
  readonly item: TransactItem;
  readonly refusal: (cause?: unknown) => WriteRefused;
}

/** Puts an item; `guard` is a key attribute that must not exist yet. */
export function put(
  entity: string,
  table: string,
  item: Item,
  guard?: string,
): Action {
  const condition =
    guard === undefined
      ? {}
      : {
          ConditionExpression: "attribute_not_exists(#guard)",
          ExpressionAttributeNames: { "#guard": guard },
        };
  return {
    item: { Put: { TableName: table, Item: compact(item), ...condition } },
    refusal: (cause) => new AlreadyExists(entity, { cause }),
  };
}

/**
 * Sets attributes of an item that exists, or of a row in a map of it; undefined
 * removes. `expected` must still hold.
 */
export function update(
  entity: string,
  table: string,
  key: Item,
  changes: Item,
  expected?: Item,
): Action {
  const names: Record<string, string> = {};
  const values: Item = {};
  const sets: string[] = [];
  const removes: string[] = [];
  const conditions: string[] = [];
  const nameOf = (name: string): string => {
    const known = Object.entries(names).find(([, value]) => value === name);
    if (known !== undefined) return known[0];
    const made = `#n${Object.keys(names).length}`;
    names[made] = name;
    return made;
  };
  const valueOf = (value: unknown): string => {
    const made = `:v${Object.keys(values).length}`;
    values[made] = value;
    return made;
  };
  for (const [name, value] of Object.entries(changes)) {
    const parts = name.split("\0").map(nameOf);
    const path = parts.join(".");
    const row = `attribute_exists(${parts.slice(0, -1).join(".")})`;
    if (parts.length > 2 && !conditions.includes(row)) conditions.push(row);
    if (value === undefined) removes.push(path);
    else sets.push(`${path} = ${valueOf(value)}`);
  }
  for (const name of Object.keys(key)) {
    conditions.push(`attribute_exists(${nameOf(name)})`);
  }
  for (const [name, value] of Object.entries(expected ?? {})) {
    if (value === undefined) {
      conditions.push(`attribute_not_exists(${nameOf(name)})`);
    } else {
      conditions.push(`${nameOf(name)} = ${valueOf(value)}`);
    }
  }
  const expression = [
    sets.length > 0 ? `SET ${sets.join(", ")}` : "",
    removes.length > 0 ? `REMOVE ${removes.join(", ")}` : "",
  ];
  return {
    item: {
      Update: {
        TableName: table,
        Key: key,
        UpdateExpression: expression.join(" ").trim(),
        ConditionExpression: conditions.join(" AND "),
        ExpressionAttributeNames: names,
        ...(Object.keys(values).length > 0 && {
          ExpressionAttributeValues: values,
        }),
      },
    },
    refusal: (cause) =>
      expected === undefined
        ? new NotFound(entity, { cause })
        : new Conflict(entity, { cause }),
  };
}

/** The path of an attribute inside a map, for `update`. */
export function path(...names: string[]): string {
  return names.join("\0");
}

/** The condition that attributes are as they were read. */
function stillHolds(expected: Item): Conditional {
  const names: Record<string, string> = {};
  const values: Item = {};
  const conditions = Object.entries(expected).map(([name, value], i) => {
    names[`#n${i}`] = name;
    if (value === undefined) return `attribute_not_exists(#n${i})`;
    values[`:v${i}`] = value;
    return `#n${i} = :v${i}`;
  });
  return {
    ...(conditions.length > 0 && {
      ConditionExpression: conditions.join(" AND "),
      ExpressionAttributeNames: names,
    }),
    ...(Object.keys(values).length > 0 && {
      ExpressionAttributeValues: values,
    }),
  };
}

/** Deletes an item; one that is gone already is as good. `expected` must still hold. */
export function remove(
  entity: string,
  table: string,
  key: Item,
  expected: Item = {},
): Action {
  return {
    item: { Delete: { TableName: table, Key: key, ...stillHolds(expected) } },
    refusal: (cause) => new Conflict(entity, { cause }),
  };
}

/** Puts an item over the one that was read before; `expected` must still hold. */
export function replace(
  entity: string,
  table: string,
  item: Item,
  expected: Item,
): Action {
  return {
    item: {
      Put: {
        TableName: table,
        Item: compact(item),
        ...stillHolds(expected),
      },
    },
    refusal: (cause) => new Conflict(entity, { cause }),
  };
}

interface Conditional {
  ConditionExpression?: string | undefined;
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: Item | undefined;
}

/** Demands more of the stored item. */
export function onlyIf(
  action: Action,
  condition: string,
  names: Record<string, string>,
  values: Item,
): Action {
  const demanding = <T extends Conditional>(request: T): T => {
    const before = request.ConditionExpression;
    const all = { ...request.ExpressionAttributeValues, ...values };
    return {
      ...request,
      ConditionExpression:
        before === undefined ? condition : `${before} AND ${condition}`,
      ExpressionAttributeNames: {
        ...request.ExpressionAttributeNames,
        ...names,
      },
      ...(Object.keys(all).length > 0 && { ExpressionAttributeValues: all }),
    };
  };
  const { Put, Update, Delete } = action.item;
  return {
    item: {
      ...(Put !== undefined && { Put: demanding(Put) }),
      ...(Update !== undefined && { Update: demanding(Update) }),
      ...(Delete !== undefined && { Delete: demanding(Delete) }),
    },
    refusal: (cause) =>
      new ConditionNotMet(action.refusal().entity, { cause }),
  };
}

/** Adds to numbers of the item that an update changes. */
export function increase(action: Action, by: Item): Action {
  const { Update } = action.item;
  if (Update === undefined) return action;
  const names: Record<string, string> = {};
  const values: Item = {};
  const before = Update.UpdateExpression ?? "";
  const first = before.split(":add").length - 1;
  const sums = Object.entries(by).map(([name, value], i) => {
    names[`#add${first + i}`] = name;
    values[`:add${first + i}`] = value;
    return `#add${first + i} :add${first + i}`;
  });
  return {
    ...action,
    item: {
      Update: {
        ...Update,
        UpdateExpression:
          `${before}${first > 0 ? "," : " ADD"} ${sums.join(", ")}`.trim(),
        ExpressionAttributeNames: {
          ...Update.ExpressionAttributeNames,
          ...names,
        },
        ExpressionAttributeValues: {
          ...Update.ExpressionAttributeValues,
          ...values,
        },
      },
    },
  };
}

/** Keeps a value unique: the lock of the old one goes, that of the new one must not be there yet. */
export function moveLock(
  entity: string,
  table: string,
  before: string | undefined,
  after: string | undefined,
  ...names: string[]
): Action[] {
  if (before === after) return [];
  const keyOf = (value: string): Item =>
    Object.fromEntries(names.map((name) => [name, value]));
  return [
    ...(before === undefined ? [] : [remove(entity, table, keyOf(before))]),
    ...(after === undefined ? [] : [put(entity, table, keyOf(after), names[0])]),
  ];
}

/** Keeps a row's second item where its key says. A key without one of its attributes is none. */
export function moveSecond(
  entity: string,
  table: string,
  before: Item,
  item: Item,
  ...names: string[]
): Action[] {
  const keyIn = (of: Item): Item =>
    Object.fromEntries(names.map((name) => [name, of[name]]));
  const isThere = (of: Item): boolean =>
    names.every((name) => of[name] !== undefined);
  const stays = isThere(before) && sameRow(before, item, names);
  return [
    ...(isThere(before) && !stays
      ? [remove(entity, table, keyIn(before))]
      : []),
    ...(isThere(item)
      ? [put(entity, table, item, stays ? undefined : names[0])]
      : []),
  ];
}

/** Changes the second item of a row that has one. */
export function updateSecond(
  entity: string,
  table: string,
  key: Item,
  changes: Item,
): Action[] {
  return Object.values(key).includes(undefined)
    ? []
    : [update(entity, table, key, changes)];
}

/** The transaction holds only while these attributes are as they were read. */
export function unchanged(
  entity: string,
  table: string,
  key: Item,
  expected: Item,
): Action {
  const condition = stillHolds(expected);
  return {
    item: {
      ConditionCheck: {
        TableName: table,
        Key: key,
        ...condition,
        ConditionExpression: condition.ConditionExpression,
      },
    },
    refusal: (cause) => new Conflict(entity, { cause }),
  };
}

/** Changes an item that was read; where its key changes, deletes it and puts it again. */
export function move(
  entity: string,
  table: string,
  before: Item,
  key: Item,
  newKey: Item,
  changes: Item,
): Action[] {
  const names = Object.keys(newKey);
  if (names.every((name) => compare(key[name], newKey[name]) === 0)) {
    return [update(entity, table, key, changes, before)];
  }
  const item = { ...before, ...changes, ...newKey };
  return [
    remove(entity, table, key, before),
    put(entity, table, item, names[0]),
  ];
}

/** Refuses a write whose condition does not hold of what was read. */
export function demand(entity: string, ...tests: boolean[]): void {
  if (tests.includes(false)) throw new ConditionNotMet(entity);
}

interface Total {
  readonly entity: string;
  readonly table: string;
  readonly key: Item;
  readonly name: string;
  readonly by: number;
}

const ACTIONS_MAX = 100;

/** Actions that are written together, and what they add to sums and counts of other items. */
export class Changes {
  readonly #actions: Action[] = [];
  readonly #totals: Total[] = [];

  add(...actions: Action[]): void {
    this.#actions.push(...actions);
  }

  addTo(
    entity: string,
    table: string,
    key: Item,
    name: string,
    by: number | undefined,
  ): void {
    this.#totals.push({ entity, table, key, name, by: by ?? 0 });
  }

  takeFrom(
    entity: string,
    table: string,
    key: Item,
    name: string,
    by: number | undefined,
  ): void {
    this.addTo(entity, table, key, name, -(by ?? 0));
  }

  /** All actions. What a total changes by joins the action on its item, if there is one. */
  finished(): Action[] {
    const actions: Action[] = [];
    for (const action of this.#actions) {
      const { TableName: table, Key: key } = action.item.ConditionCheck ?? {};
      const again =
        table !== undefined &&
        key !== undefined &&
        actions.some((other) => writesItem(other, table, key));
      if (!again) actions.push(action);
    }
    const sums = new Map<string, { one: Total; by: Record<string, number> }>();
    for (const one of this.#totals) {
      const place = JSON.stringify([one.table, Object.entries(one.key).sort()]);
      const known = sums.get(place) ?? { one, by: {} };
      known.by[one.name] = added(known.by[one.name], one.by);
      sums.set(place, known);
    }
    for (const { one, by } of sums.values()) {
      const changed = Object.entries(by).filter(([, value]) => value !== 0);
      if (changed.length === 0) continue;
      const totals = Object.fromEntries(changed);
      const { entity, table, key } = one;
      const at = actions.findIndex((action) => writesItem(action, table, key));
      const found = actions[at];
      if (found !== undefined) actions[at] = including(found, totals);
      else actions.push(increase(update(entity, table, key, {}), totals));
    }
    return actions;
  }

  async write(db: Client): Promise<void> {
    await write(db, ...this.finished());
  }

  /** One transaction, or several if there are more actions than one can have, in their order. */
  async writeInGroups(db: Client): Promise<void> {
    const actions = this.finished();
    for (let first = 0; first < actions.length; first += ACTIONS_MAX) {
      await write(db, ...actions.slice(first, first + ACTIONS_MAX));
    }
  }
}

function writesItem(action: Action, table: string, key: Item): boolean {
  const { Put, Update, Delete, ConditionCheck } = action.item;
  const own = Update ?? Delete ?? ConditionCheck;
  const item: Item = Put?.Item ?? own?.Key ?? {};
  return (
    (Put ?? own)?.TableName === table &&
    Object.keys(key).every((name) => compare(item[name], key[name]) === 0)
  );
}

/** The action with totals: in the item that it puts, or added to the item that it changes. */
function including(action: Action, by: Record<string, number>): Action {
  const { Put, Update, ConditionCheck } = action.item;
  if (Put !== undefined) {
    const item: Item = { ...Put.Item };
    for (const [name, value] of Object.entries(by)) {
      item[name] = added(item[name], value);
    }
    return { ...action, item: { Put: { ...Put, Item: item } } };
  }
  const changed = Update ?? ConditionCheck;
  if (changed === undefined) return action;
  const item = { Update: { UpdateExpression: "", ...changed } };
  return increase({ ...action, item }, by);
}

/** One action as it is, several in one transaction: all of them happen, or none. */
export async function write(db: Client, ...actions: Action[]): Promise<void> {
  const [only] = actions;
  try {
    if (only === undefined) return;
    if (actions.length === 1) await writeOne(db, only.item);
    else {
      const items = actions.map((action) => action.item);
      await db.send(new TransactWriteCommand({ TransactItems: items }));
    }
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) {
      throw only?.refusal(error) ?? error;
    }
    if (error instanceof TransactionConflictException) {
      throw new Conflict("an item", { cause: error });
    }
    if (error instanceof TransactionCanceledException) {
      throw refusalOf(error, actions);
    }
    throw error;
  }
}

async function writeOne(db: Client, item: TransactItem): Promise<void> {
  if (item.Put !== undefined) await db.send(new PutCommand(item.Put));
  if (item.Update !== undefined) await db.send(new UpdateCommand(item.Update));
  if (item.Delete !== undefined) await db.send(new DeleteCommand(item.Delete));
}

function refusalOf(
  error: TransactionCanceledException,
  actions: Action[],
): Error {
  const codes = error.CancellationReasons?.map((reason) => reason.Code) ?? [];
  const refused = actions.find((_, i) => codes[i] === "ConditionalCheckFailed");
  if (refused !== undefined) return refused.refusal(error);
  if (codes.includes("TransactionConflict")) {
    return new Conflict("an item", { cause: error });
  }
  return error;
}

const TRIES_MAX = 5;

/** Reads, computes and writes again when another writer was faster. */
export async function retrying(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; ++tries) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Conflict) || tries === TRIES_MAX) throw error;
    }
    await pause(tries);
  }
}

/** Changes a list inside an item; nothing that another writer adds meanwhile is lost. */
export async function rewriteList(
  db: Client,
  entity: string,
  table: string,
  key: Item,
  name: string,
  change: (rows: Item[]) => Item[],
): Promise<void> {
  await retrying(async () => {
    const item = await getItem(db, {
      TableName: table,
      Key: key,
      ConsistentRead: true,
    });
    if (item === undefined) throw new NotFound(entity);
    const rows = item[name] as Item[] | undefined;
    await write(
      db,
      update(
        entity,
        table,
        key,
        { [name]: change(rows ?? []) },
        { [name]: rows },
      ),
    );
  });
}

export function sameRow(a: Item, b: Item, names: string[]): boolean {
  return names.every((name) => compare(a[name], b[name]) === 0);
}

/** The row with the same key gets new values. */
export function withChanges(
  rows: Item[],
  key: Item,
  names: string[],
  changes: Item,
): Item[] {
  return rows.map((row) =>
    sameRow(row, key, names) ? compact({ ...row, ...changes }) : row,
  );
}

/** In place of the row with the same key, or where its key belongs. */
export function withRow(rows: Item[], row: Item, names: string[]): Item[] {
  const others = rows.filter((other) => !sameRow(other, row, names));
  const keyOf = (item: Item): unknown[] => names.map((name) => item[name]);
  return sorted(
    [...others, compact(row)],
    keyOf,
    names.map(() => 1),
  );
}

/** For items that may be gone before their copy is written. */
export async function ignoringMissing(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
  }
}
