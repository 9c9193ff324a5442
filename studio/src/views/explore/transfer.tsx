// Items out of the result into a file, and from a file into the table.
import { useSignal } from '@preact/signals';
import { member, type Item, type TypeName } from '../../api/attribute_value.ts';
import { call, DynamoDbError, keyNames } from '../../api/dynamodb.ts';
import { Grid } from '../../parts/grid.tsx';
import { count, plural } from '../../parts/numbers.ts';
import { saveFile } from '../../parts/save_file.ts';
import { putNew } from '../../requests/guarded_write.ts';
import { csvColumns, csvTypes, fileKinds, kindOf, readItems, writeItems, type FileKind } from './item_files.ts';
import { allItems, answer, openTable, refreshTables, run, typesInTable } from './state.ts';

export function Export() {
  const whole = useSignal(false);
  const kind = useSignal<FileKind>('lines');
  const said = useSignal('');
  const now = answer.value;
  const table = openTable.value;
  if (!now || !table) return null;
  const write = async () => {
    try {
      const { items, cut } = whole.peek() ? await allItems() : { items: now.items, cut: false };
      const { ending } = fileKinds.find((each) => each.kind === kind.peek())!;
      saveFile(`${table.TableName}.${ending}`, new Blob([writeItems(items, kind.peek(), table.KeySchema.map(({ AttributeName }) => AttributeName))], { type: 'application/octet-stream' }));
      said.value = `${plural(items.length, 'item')} written to ${table.TableName}.${ending}.${cut ? ' There are more: `prejoin export` takes them all.' : ''}`;
    } catch (error) {
      said.value = (error as Error).message;
    }
  };
  return (
    <div class="group-add">
      <label>
        Export as{' '}
        <select value={kind.value} onChange={(event) => (kind.value = event.currentTarget.value as FileKind)}>
          {fileKinds.map((each) => (
            <option key={each.kind} value={each.kind}>
              {each.title}
            </option>
          ))}
        </select>
      </label>
      <label>
        <input type="checkbox" checked={whole.value} onChange={(event) => (whole.value = event.currentTarget.checked)} /> all pages
      </label>
      <button type="button" onClick={() => void write()}>
        {whole.value ? 'Export all pages' : `Export ${plural(now.items.length, 'item')}`}
      </button>
      <span role="status" class="hint">
        {said.value}
      </span>
    </div>
  );
}

const batchMax = 25;

const atOnce = 6; // As many as a browser has connections.

interface Written {
  written: number;
  kept: number;
}

// Does the work with several requests under way, until it is done or stopped.
async function inParallel<Work>(all: Work[], stop: AbortSignal, run: (work: Work) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < all.length && !stop.aborted) await run(all[next++]!);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

// Writes the items and gives how many; with `keep`, those whose key is taken are left out. A stopped import can be begun again.
export async function importItems(items: Item[], keep: boolean, onProgress: (done: number) => void, stop = new AbortController().signal): Promise<Written> {
  const table = openTable.peek()!;
  const done: Written = { written: 0, kept: 0 };
  if (keep) {
    await inParallel(items, stop, async (item) => {
      try {
        await call('PutItem', putNew(table.TableName, keyNames(table.KeySchema), item).request);
        done.written += 1;
      } catch (error) {
        if (!(error instanceof DynamoDbError) || error.code !== 'ConditionalCheckFailedException') throw error;
        done.kept += 1;
      }
      onProgress(done.written + done.kept);
    });
    return done;
  }
  // A batch may name a key only once; the last of several items with one key wins.
  const byKey = new Map(items.map((item) => [JSON.stringify(table.KeySchema.map(({ AttributeName }) => member(item, AttributeName))), item]));
  const distinct = [...byKey.values()];
  const batches = Array.from({ length: Math.ceil(distinct.length / batchMax) }, (_, at) => distinct.slice(at * batchMax, (at + 1) * batchMax));
  await inParallel(batches, stop, async (batch) => {
    let requests: Record<string, unknown> = { [table.TableName]: batch.map((Item) => ({ PutRequest: { Item } })) };
    while (Object.keys(requests).length > 0) {
      requests = (await call<{ UnprocessedItems?: Record<string, unknown> }>('BatchWriteItem', { RequestItems: requests })).UnprocessedItems ?? {};
    }
    done.written += batch.length;
    onProgress(done.written);
  });
  return done;
}

// A CSV file says nothing of types. Those of the table and of the model come first, then what the values allow; a person can choose others.
interface CsvColumns {
  text: string;
  names: string[];
  types: Record<string, TypeName>;
  nulls: string[];
  unclear: Record<string, TypeName[]>; // Of several types in the table: a person must choose.
  proposed: string[]; // Not in the table: the values of the file suggest their types.
  itemsRead: number;
  all: boolean;
}

async function readCsvColumns(text: string): Promise<CsvColumns> {
  const names = csvColumns(text);
  const { types, nulls, mixed, itemsRead, all } = await typesInTable(names);
  const proposed = names.filter((name) => member(types, name) === undefined && member(mixed, name) === undefined);
  const values = csvTypes(text, nulls);
  for (const name of proposed) types[name] = values[name]!;
  const unclear = Object.fromEntries(Object.entries(mixed).filter(([name]) => names.includes(name)));
  return { text, names, types, nulls, unclear, proposed, itemsRead, all };
}

// What a person should look at; a column whose type was chosen is settled.
function columnsNote({ proposed, unclear, itemsRead, all }: CsvColumns): string {
  const where = all ? 'No item has a value of' : `None of the first ${count(itemsRead)} items has a value of`;
  const notes = [
    proposed.length > 0 ? `${where} ${proposed.join(', ')}: the values in the file suggest the ${proposed.length > 1 ? 'types' : 'type'}. Check ${proposed.length > 1 ? 'them' : 'it'} below.` : '',
    ...Object.entries(unclear).map(([name, types]) => `${name} has several types in this table (${types.join(', ')}): choose one.`),
  ];
  return notes.filter(Boolean).join(' ');
}

const typeChoices: [TypeName, string][] = [['S', 'string'], ['N', 'number'], ['BOOL', 'true or false'], ['B', 'binary (base64)'], ['SS', 'string set'], ['NS', 'number set'], ['L', 'list'], ['M', 'map']];

// One choice for each column; keys have the type of the table.
function ColumnTypes({ columns, choose }: { columns: CsvColumns; choose: (name: string, type: TypeName) => void }) {
  const fixed = openTable.value!.AttributeDefinitions.map(({ AttributeName }) => AttributeName);
  return (
    <fieldset class="column-types">
      <legend>Types of the columns</legend>
      {columns.names.map((name) => (
        <label key={name}>
          <span>{name}</span>
          <select
            aria-label={`Type of ${name}`}
            disabled={fixed.includes(name)}
            value={member(columns.unclear, name) ? '' : (member(columns.types, name) ?? 'S')}
            onChange={(event) => choose(name, event.currentTarget.value as TypeName)}
          >
            {member(columns.unclear, name) && <option value="">choose…</option>}
            {typeChoices.map(([type, words]) => (
              <option key={type} value={type}>
                {words}
              </option>
            ))}
          </select>
        </label>
      ))}
    </fieldset>
  );
}

const previewed = 5; // Of the file, before anything is written.

// A file that is read, what it holds, and how far it is written.
function useImport() {
  const stopping = useSignal<AbortController | null>(null);
  const found = useSignal<Item[] | null>(null);
  const columns = useSignal<CsvColumns | null>(null);
  const keep = useSignal(true);
  const said = useSignal('');
  const problem = useSignal('');
  const readColumns = () => {
    const { text, types, nulls, unclear } = columns.peek()!;
    found.value = Object.keys(unclear).length > 0 ? null : readItems(text, 'csv', types, nulls);
  };
  const read = async (file: File | undefined) => {
    found.value = null;
    columns.value = null;
    problem.value = '';
    said.value = '';
    if (!file) return;
    try {
      const text = await file.text();
      const kind = kindOf(file.name, text);
      if (kind !== 'csv') found.value = readItems(text, kind, {});
      else {
        said.value = 'Reading the types of the attributes…';
        columns.value = await readCsvColumns(text);
        said.value = '';
        readColumns();
      }
    } catch (error) {
      said.value = '';
      problem.value = (error as Error).message;
    }
  };
  const choose = (name: string, type: TypeName) => {
    const now = columns.peek()!;
    columns.value = { ...now, types: { ...now.types, [name]: type }, unclear: Object.fromEntries(Object.entries(now.unclear).filter(([one]) => one !== name)), proposed: now.proposed.filter((one) => one !== name) };
    problem.value = '';
    try {
      readColumns();
    } catch (error) {
      found.value = null;
      problem.value = (error as Error).message;
    }
  };
  const write = async () => {
    const items = found.peek()!;
    try {
      const stop = new AbortController();
      stopping.value = stop;
      const { written, kept } = await importItems(items, keep.peek(), (done) => (said.value = `${count(done)} of ${count(items.length)}…`), stop.signal);
      said.value = `${plural(written, 'item')} written${kept ? `, ${count(kept)} existed already` : ''}.${stop.signal.aborted ? ' Stopped; write again to continue with the rest.' : ''}`;
      if (!stop.signal.aborted) found.value = columns.value = null;
      stopping.value = null;
      await refreshTables();
      await run();
    } catch (error) {
      stopping.value = null;
      problem.value = (error as Error).message;
    }
  };
  return { stopping, found, columns, keep, said, problem, read, choose, write };
}

export function Import() {
  const { stopping, found, columns, keep, said, problem, read, choose, write } = useImport();
  return (
    <details class="panel">
      <summary>Import items</summary>
      <div class="stack">
        <label>
          File (DynamoDB JSON lines, plain JSON or CSV) <input type="file" accept=".json,.jsonl,.ndjson,.csv,.txt" onChange={(event) => void read(event.currentTarget.files?.[0])} />
        </label>
        <p class="hint">CSV has no types. Attributes keep the type they have in the table or in the model; the values in the file suggest the types of new ones.</p>
        {columns.value && columnsNote(columns.value) && <p class="warning">{columnsNote(columns.value)}</p>}
        {columns.value && <ColumnTypes columns={columns.value} choose={choose} />}
        {found.value && (
          <div class="group-add">
            <label>
              <input type="checkbox" checked={keep.value} onChange={(event) => (keep.value = event.currentTarget.checked)} /> keep items that are there already
            </label>
            <button type="button" class="main" disabled={stopping.value !== null} onClick={() => void write()}>
              Write {plural(found.value.length, 'item')}
            </button>
            {stopping.value && (
              <button type="button" onClick={() => stopping.peek()?.abort()}>
                Stop
              </button>
            )}
          </div>
        )}
        {found.value && found.value.length > 0 && <Grid label="Preview of the items" items={found.value.slice(0, previewed)} keys={keyNames(openTable.value!.KeySchema)} />}
        <p role="status">{said.value}</p>
        {problem.value && <p class="refused" role="alert">{problem.value}</p>}
      </div>
    </details>
  );
}
