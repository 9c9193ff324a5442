import {
  BatchGetCommand,
  GetCommand,
  QueryCommand,
  ScanCommand,
  type DynamoDBDocumentClient,
  type GetCommandInput,
  type QueryCommandInput,
  type ScanCommandInput,
} from "@aws-sdk/lib-dynamodb";

/** Any document client: `DynamoDBDocumentClient.from(new DynamoDBClient({}))`. */
export type Client = DynamoDBDocumentClient;
export type Item = Record<string, unknown>;

const otherNames = new WeakMap<Client, Readonly<Record<string, string>>>();

/**
 * The same client for tables with other names than in the model, for example of another stage:
 * `withTables(db, { Shop: "shop-dev" })`.
 */
export function withTables(
  db: Client,
  names: Readonly<Record<string, string>>,
): Client {
  const named = Object.create(db) as Client;
  otherNames.set(named, names);
  return named;
}

/** What a table of the model is called for this client. */
export function tableName(db: Client, table: string): string {
  return otherNames.get(db)?.[table] ?? table;
}

// ---- Values and keys

/** Sorts behind every text that begins with `prefix`. */
export function after(prefix: string): string {
  return `${prefix}\u{10FFFF}`;
}

/** A value that would make another key than its own. */
export class InvalidKeyPart extends RangeError {
  override name = "InvalidKeyPart";
  constructor(
    readonly attribute: string,
    readonly value: string,
    reason: string,
  ) {
    super(`${attribute} cannot be part of a key: it ${reason}`);
  }
}

/**
 * Refuses a part that is empty, or that would be read as something else: one that contains the text
 * behind it, `next`, and what the rules say of both together. "*x": contains x; "^x": begins with x;
 * "=x": is x; "<x": x begins with it; "@0000-00-00": does not begin in this form, which "*" skips.
 */
export function checkPart(
  attribute: string,
  text: string,
  next = "",
  ...rules: string[]
): void {
  const refuse = (reason: string): never => {
    throw new InvalidKeyPart(attribute, text, reason);
  };
  if (text === "") refuse("is empty");
  const whole = text + next;
  let from = 0;
  for (const rule of [...rules, `*${next}`]) {
    const what = rule.slice(1);
    if (what === "") continue;
    if (rule.startsWith("@")) {
      if (!hasForm(text, what)) refuse(`does not begin in the form ${what}`);
      from = what.length;
    } else if (rule.startsWith("^")) {
      if (whole.startsWith(what)) refuse(`begins with "${what}"`);
    } else if (rule.startsWith("=")) {
      if (whole === what) refuse(`makes "${what}"`);
    } else if (rule.startsWith("<")) {
      if (what.startsWith(whole)) refuse(`could go on as "${what}"`);
    } else {
      const at = whole.indexOf(what, from);
      if (at >= 0 && at < text.length) refuse(`contains "${what}"`);
    }
  }
}

function hasForm(text: string, form: string): boolean {
  const start = text.slice(0, form.length);
  return start.replace(/[0-9]/g, "0") === form;
}

/** A value as keys write it. */
export function part(value: string | number | boolean): string {
  return plainText(value);
}

/** Padded with zeros, so that text order is number order. */
export function padded(value: string | number, width: number): string {
  const text = part(value);
  return text === "" ? "" : text.padStart(width, "0");
}

/** Lower case as the table writes it: the letters A to Z only. */
export function lower(value: string): string {
  return part(value).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Upper case as the table writes it: the letters a to z only. */
export function upper(value: string): string {
  return part(value).replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

/** So many characters from the beginning. */
export function beginning(value: string, count: number): string {
  return [...part(value)].slice(0, count).join("");
}

/** The same of a text that may be absent. */
function beginningOf(value: unknown, count: number): unknown {
  return typeof value === "string" ? beginning(value, count) : value;
}

/** Counted down from nines, so that the largest sorts first; nothing for a number that has no such key. */
export function countedDown(value: number, digits: number): string {
  const text = part(value);
  if (!/^[0-9]+$/.test(text) || text.length > digits) return "";
  return text
    .padStart(digits, "0")
    .replace(/[0-9]/g, (digit) => String(9 - Number(digit)));
}

/** The shard that a value belongs to: FNV-1a of its UTF-8 bytes. */
export function shardOf(
  value: string | number | boolean,
  count: number,
): number {
  let hash = 14695981039346656037n;
  for (const byte of new TextEncoder().encode(plainText(value))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 1099511628211n);
  }
  return Number(hash % BigInt(count));
}

function plainText(value: string | number | boolean): string {
  if (typeof value !== "number") return String(value);
  const text = String(value);
  if (!text.includes("e")) return text;
  return value.toLocaleString("en-US", {
    useGrouping: false,
    maximumFractionDigits: 20,
  });
}

/** Order of a DynamoDB sort key: texts by their bytes, numbers by value, absent values first. */
export function compare(a: unknown, b: unknown): number {
  if (a === undefined || b === undefined) {
    return Number(a !== undefined) - Number(b !== undefined);
  }
  if (typeof a === "string" && typeof b === "string") {
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  const [x, y] = [Number(a), Number(b)];
  return x < y ? -1 : Number(x > y);
}

export function least<T>(...values: [T, ...T[]]): T {
  return values.reduce((a, b) => (compare(a, b) <= 0 ? a : b));
}

export function greatest<T>(...values: [T, ...T[]]): T {
  return values.reduce((a, b) => (compare(a, b) >= 0 ? a : b));
}

/** The attributes of a key, given the texts between them; undefined if it is another key. */
export function readKey(
  key: unknown,
  literals: readonly string[],
): string[] | undefined {
  const [first, ...rest] = literals;
  if (typeof key !== "string" || !key.startsWith(first ?? "")) return undefined;
  const parts: string[] = [];
  let at = first?.length ?? 0;
  for (const [i, literal] of rest.entries()) {
    const last = i === rest.length - 1;
    const end = literal === "" ? key.length : key.indexOf(literal, at);
    if (end <= at) return undefined;
    parts.push(key.slice(at, end));
    at = end + literal.length;
    if (last && at !== key.length) return undefined;
  }
  return at === key.length ? parts : undefined;
}

export interface Layout {
  readonly entity: string;
  readonly type: string;
  readonly keys: Readonly<Record<string, readonly string[] | null>>;
}

/** Whose item it is: by its type attribute, else by the first layout that its keys fit. */
export function entityOf(
  item: Item,
  layouts: readonly Layout[],
  typeAttribute?: string,
): string | undefined {
  if (typeAttribute !== undefined) {
    const typed = layouts.find((one) => one.type === item[typeAttribute]);
    if (typed !== undefined) return typed.entity;
  }
  const fits = (layout: Layout): boolean =>
    Object.entries(layout.keys).every(
      ([name, literals]) =>
        item[name] !== undefined &&
        (literals === null || readKey(item[name], literals) !== undefined),
    );
  return layouts.find(fits)?.entity;
}

// ---- Reading attributes

function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new TypeError(`the item has no ${name}`);
  return value;
}

export function optional<T>(item: Item, name: string): T | undefined {
  return item[name] as T | undefined;
}

export function attribute<T>(item: Item, name: string): T {
  return required(item[name], name) as T;
}

/** An attribute that is kept in a key only. */
export function keyPart(
  item: Item,
  name: string,
  literals: readonly string[],
  index: number,
): string {
  return required(readKey(item[name], literals)?.[index], name);
}

/** The item without absent attributes. */
export function compact(item: Item): Item {
  return Object.fromEntries(
    Object.entries(item).filter(([, value]) => value !== undefined),
  );
}

// ---- Requests

export async function getItem(
  db: Client,
  input: GetCommandInput,
): Promise<Item | undefined> {
  return (await db.send(new GetCommand(input))).Item;
}

export async function getItems(
  db: Client,
  input: GetCommandInput,
): Promise<Item[]> {
  const item = await getItem(db, input);
  return item === undefined ? [] : [item];
}

/** All pages of a Query, or as many as `enough` asks for. */
export async function queryAll(
  db: Client,
  input: QueryCommandInput,
  enough: (items: Item[]) => boolean = () => false,
): Promise<Item[]> {
  const items: Item[] = [];
  let start: QueryCommandInput["ExclusiveStartKey"];
  do {
    const page = await db.send(
      new QueryCommand({ ...input, ExclusiveStartKey: start }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start !== undefined && !enough(items));
  return items;
}

/** The items that a Query finds, counted by DynamoDB. */
export async function countAll(
  db: Client,
  input: QueryCommandInput,
): Promise<number> {
  let counted = 0;
  let start: QueryCommandInput["ExclusiveStartKey"];
  do {
    const page = await db.send(
      new QueryCommand({ ...input, ExclusiveStartKey: start }),
    );
    counted += page.Count ?? 0;
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return counted;
}

/** All pages of a Scan. */
export async function scanAll(
  db: Client,
  input: ScanCommandInput,
): Promise<Item[]> {
  const items: Item[] = [];
  let start: ScanCommandInput["ExclusiveStartKey"];
  do {
    const page = await db.send(
      new ScanCommand({ ...input, ExclusiveStartKey: start }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return items;
}

export interface PageOptions {
  /** Items that DynamoDB looks at for this page. */
  limit?: number | undefined;
  /** From the page before; undefined for the first one. */
  cursor?: Item | undefined;
}

export interface Page<T> {
  rows: T[];
  /** Undefined when there is nothing more. */
  cursor: Item | undefined;
}

export async function queryPage(
  db: Client,
  input: QueryCommandInput,
  options: PageOptions,
): Promise<{ items: Item[]; cursor: Item | undefined }> {
  const page = await db.send(
    new QueryCommand({
      ...input,
      Limit: options.limit,
      ExclusiveStartKey: options.cursor,
    }),
  );
  return { items: page.Items ?? [], cursor: page.LastEvaluatedKey };
}

/** The same request for each value or shard, all at once. */
export async function inParallel<T>(
  values: Iterable<T>,
  read: (value: T) => Promise<Item[]>,
): Promise<Item[]> {
  return (await Promise.all([...new Set(values)].map(read))).flat();
}

export function shards(count: number): number[] {
  return [...Array(count).keys()];
}

/** Items in the order of their keys; undefined where there is none. */
export async function batchGet(
  db: Client,
  table: string,
  keys: Item[],
  consistent = false,
): Promise<(Item | undefined)[]> {
  const idOf = (item: Item, names: string[]): string =>
    JSON.stringify(names.map((name) => item[name]));
  const names = Object.keys(keys[0] ?? {});
  const wanted = new Map(keys.map((key) => [idOf(key, names), key]));
  const found = new Map<string, Item>();
  let left = [...wanted.values()];
  let tries = 0;
  while (left.length > 0) {
    const batch = left.splice(0, 100);
    const answer = await db.send(
      new BatchGetCommand({
        RequestItems: { [table]: { Keys: batch, ConsistentRead: consistent } },
      }),
    );
    for (const item of answer.Responses?.[table] ?? []) {
      found.set(idOf(item, names), item);
    }
    const again = answer.UnprocessedKeys?.[table]?.Keys ?? [];
    left = [...again, ...left];
    tries = again.length > 0 ? tries + 1 : 0;
    if (tries > 0) await pause(tries);
  }
  return keys.map((key) => found.get(idOf(key, names)));
}

/** Each item with what the row's other item holds; undefined where that is gone and needed. */
export function withRest(
  items: Item[],
  others: (Item | undefined)[],
  needed: boolean,
): (Item | undefined)[] {
  return items.map((item, i) =>
    needed && others[i] === undefined ? undefined : { ...others[i], ...item },
  );
}

/** Back-off with full jitter: up to 40 ms, then twice as long each time, up to 1 s. */
export async function pause(tries: number): Promise<void> {
  const longest = Math.min(1000, 20 * 2 ** tries);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
}

export function present<T>(values: (T | undefined)[]): T[] {
  return values.filter((value): value is T & {} => value !== undefined);
}

/** Each thing once, in the order in which it came first. */
export function distinct<T extends object>(values: T[]): T[] {
  const seen = new Map<string, T>();
  for (const value of values) {
    const id = JSON.stringify(value);
    if (!seen.has(id)) seen.set(id, value);
  }
  return [...seen.values()];
}

/** The exact sum, so that 0.1 and 0.2 are 0.3. What is no number adds nothing. */
export function sumOf(values: readonly unknown[]): number {
  let sum = 0n;
  let places = 0;
  for (const value of values) {
    if (typeof value !== "number" && typeof value !== "bigint") continue;
    const [mantissa = "", exponent = "0"] = String(value).split("e");
    const [whole = "", fraction = ""] = mantissa.split(".");
    const own = fraction.length - Number(exponent);
    const least = Math.max(own, places);
    sum *= 10n ** BigInt(least - places);
    sum += BigInt(whole + fraction) * 10n ** BigInt(least - own);
    places = least;
  }
  return Number(`${sum}e-${places}`);
}

/** An absent number counts as 0. */
export function added(before: unknown, by: number): number {
  return sumOf([before, by]);
}

/** The rows inside a list or map of an item, each with what it takes from the item around it. */
export function rowsInside(
  items: Item[],
  name: string,
  shape: { by?: string; member?: string },
  parent: (item: Item) => Item,
): Item[] {
  const asRow = (value: unknown): Item =>
    shape.member === undefined ? (value as Item) : { [shape.member]: value };
  return items.flatMap((item) => {
    const rows = item[name] ?? [];
    if (Array.isArray(rows)) {
      return rows.map((row: unknown) => ({ ...parent(item), ...asRow(row) }));
    }
    return Object.entries(rows).map(([key, row]) => ({
      ...parent(item),
      ...(row as Item),
      [shape.by ?? ""]: key,
    }));
  });
}

export type Test =
  | "exists"
  | "not exists"
  | "="
  | "<>"
  | "<"
  | "<="
  | ">"
  | ">="
  | "between"
  | "begins_with"
  | "in"
  | "contains";

/** A condition that the keys do not serve; an absent value meets those that ask for another one only. */
export function matches(
  value: unknown,
  test: Test,
  ...operands: unknown[]
): boolean {
  if (value === undefined) return test === "not exists" || test === "<>";
  const [first, second] = operands;
  switch (test) {
    case "exists":
      return true;
    case "not exists":
      return false;
    case "<>":
      return compare(value, first) !== 0;
    case "=":
      return compare(value, first) === 0;
    case "<":
      return compare(value, first) < 0;
    case "<=":
      return compare(value, first) <= 0;
    case ">":
      return compare(value, first) > 0;
    case ">=":
      return compare(value, first) >= 0;
    case "between":
      return compare(value, first) >= 0 && compare(value, second) <= 0;
    case "begins_with":
      return String(value).startsWith(String(first));
    case "in":
      return operands.some((operand) => compare(value, operand) === 0);
    case "contains":
      if (typeof value === "string") return value.includes(String(first));
      return [...(value as Iterable<unknown>)].includes(first);
  }
}

/** The same for the first characters of both sides. */
export function matchesBeginning(
  value: unknown,
  count: number,
  test: Test,
  ...operands: unknown[]
): boolean {
  const others = operands.map((operand) => beginningOf(operand, count));
  return matches(beginningOf(value, count), test, ...others);
}

/** Sorted by what `keyOf` gives; `directions` has 1 or -1 for each. */
export function sorted(
  items: Item[],
  keyOf: (item: Item) => unknown[],
  directions: readonly number[],
): Item[] {
  return [...items].sort((a, b) => {
    const [x, y] = [keyOf(a), keyOf(b)];
    return directions.reduce(
      (order, direction, i) => order || direction * compare(x[i], y[i]),
      0,
    );
  });
}
