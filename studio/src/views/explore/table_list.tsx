// All tables, and the forms that create and delete one.
import { useSignal } from '@preact/signals';
import { call, keyNames, type TableDescription } from '../../api/dynamodb.ts';
import { lostSince } from '../../api/reach.ts';
import { go, linkTo } from '../../app/route.ts';
import { DataTable, number } from '../../parts/data_table.tsx';
import { bytes } from '../../parts/numbers.ts';
import { Refused } from '../../parts/refused.tsx';
import { loaded, refreshTables, tables, trouble } from './state.ts';

const count = (number: number | undefined) => (number ?? 0).toLocaleString('en-GB');

function indexesText(table: TableDescription): string {
  const all = [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])];
  return all.map(({ IndexName, KeySchema }) => `${IndexName} (${keyNames(KeySchema).join(', ')})`).join('; ');
}

export function TableList() {
  if (lostSince.value !== null && tables.value.length === 0) return null; // The frame says it.
  if (trouble.value && lostSince.value === null) return <p class="refused" role="alert">{trouble.value}</p>;
  if (!loaded.value) return <p class="hint">Looking…</p>;
  if (tables.value.length === 0) {
    return <p class="hint">There are no tables yet. Create one below, or open Learn: each lesson brings its own.</p>;
  }
  return (
    <DataTable class="facts-table" label="Tables" columns={['Table', 'Status', number('Items'), number('Size'), 'Key', 'Indexes']}>
      {tables.value.map((table) => (
        <tr key={table.TableName}>
          <th scope="row">
            <a href={linkTo('explore', [table.TableName])}>{table.TableName}</a>
          </th>
          <td>{table.TableStatus.toLowerCase()}</td>
          <td class="number">{count(table.ItemCount)}</td>
          <td class="number">{bytes(table.TableSizeBytes ?? 0)}</td>
          <td>{keyNames(table.KeySchema).join(', ')}</td>
          <td>{indexesText(table)}</td>
        </tr>
      ))}
    </DataTable>
  );
}

type KeyType = 'S' | 'N' | 'B';

interface KeyForm {
  name: string;
  type: KeyType;
}

interface IndexForm {
  name: string;
  partition: KeyForm;
  sort: KeyForm;
}

// CreateTable from a form; a sort key without a name is none.
export function createRequest(name: string, partition: KeyForm, sort: KeyForm, indexes: IndexForm[]): Record<string, unknown> {
  const schemaOf = (hash: KeyForm, range: KeyForm) => [
    { AttributeName: hash.name, KeyType: 'HASH' },
    ...(range.name ? [{ AttributeName: range.name, KeyType: 'RANGE' }] : []),
  ];
  const keys = [partition, sort, ...indexes.flatMap((index) => [index.partition, index.sort])].filter((key) => key.name !== '');
  const definitions = new Map(keys.map((key) => [key.name, key.type]));
  return {
    TableName: name,
    KeySchema: schemaOf(partition, sort),
    AttributeDefinitions: [...definitions].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
    BillingMode: 'PAY_PER_REQUEST',
    ...(indexes.length
      ? {
          GlobalSecondaryIndexes: indexes.map((index) => ({
            IndexName: index.name,
            KeySchema: schemaOf(index.partition, index.sort),
            Projection: { ProjectionType: 'ALL' },
          })),
        }
      : {}),
  };
}

function KeyFields({ label, value, onChange }: { label: string; value: KeyForm; onChange: (value: KeyForm) => void }) {
  return (
    <span class="value-input">
      <label>
        {label} <input class="medium" value={value.name} onInput={(event) => onChange({ ...value, name: event.currentTarget.value })} />
      </label>
      <select aria-label={`Type of ${label}`} value={value.type} onChange={(event) => onChange({ ...value, type: event.currentTarget.value as KeyType })}>
        <option value="S">text</option>
        <option value="N">number</option>
        <option value="B">binary</option>
      </select>
    </span>
  );
}

export function CreateTable() {
  const name = useSignal('');
  const partition = useSignal<KeyForm>({ name: 'PK', type: 'S' });
  const sort = useSignal<KeyForm>({ name: 'SK', type: 'S' });
  const indexes = useSignal<IndexForm[]>([]);
  const problem = useSignal('');
  const create = async (event: Event) => {
    event.preventDefault();
    try {
      await call('CreateTable', createRequest(name.value, partition.value, sort.value, indexes.value));
      await refreshTables();
      go(linkTo('explore', [name.value]));
    } catch (error) {
      problem.value = (error as Error).message;
    }
  };
  const setIndex = (at: number, next: Partial<IndexForm>) => (indexes.value = indexes.value.map((old, position) => (position === at ? { ...old, ...next } : old)));
  return (
    <details class="panel">
      <summary>Create a table</summary>
      <form class="stack" onSubmit={(event) => void create(event)}>
        <label>
          Name <input class="medium" required value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
        </label>
        <KeyFields label="Partition key" value={partition.value} onChange={(value) => (partition.value = value)} />
        <KeyFields label="Sort key (may be empty)" value={sort.value} onChange={(value) => (sort.value = value)} />
        {indexes.value.map((index, at) => (
          <fieldset key={at} class="part">
            <legend>Global index {at + 1}</legend>
            <label>
              Index name <input class="medium" value={index.name} onInput={(event) => setIndex(at, { name: event.currentTarget.value })} />
            </label>
            <KeyFields label={`Partition key of index ${at + 1}`} value={index.partition} onChange={(value) => setIndex(at, { partition: value })} />
            <KeyFields label={`Sort key of index ${at + 1}`} value={index.sort} onChange={(value) => setIndex(at, { sort: value })} />
          </fieldset>
        ))}
        <div class="group-add">
          <button
            type="button"
            onClick={() => {
              const number = indexes.value.length + 1;
              indexes.value = [...indexes.value, { name: `GSI${number}`, partition: { name: `GSI${number}PK`, type: 'S' }, sort: { name: `GSI${number}SK`, type: 'S' } }];
            }}
          >
            + global index
          </button>
          <button type="submit" class="main">
            Create
          </button>
        </div>
        <Refused reason={problem.value} />
      </form>
    </details>
  );
}

export function DeleteTable({ table }: { table: TableDescription }) {
  const typed = useSignal('');
  const problem = useSignal('');
  const remove = async (event: Event) => {
    event.preventDefault();
    try {
      await call('DeleteTable', { TableName: table.TableName });
      go(linkTo('explore'));
      await refreshTables();
    } catch (error) {
      problem.value = (error as Error).message;
    }
  };
  return (
    <details class="panel">
      <summary>Delete this table</summary>
      <form class="stack" onSubmit={(event) => void remove(event)}>
        <p>
          All {count(table.ItemCount)} items go with it, and nothing brings them back. Type <code>{table.TableName}</code> to confirm.
        </p>
        <div class="group-add">
          <input aria-label="Name of the table to delete" value={typed.value} onInput={(event) => (typed.value = event.currentTarget.value)} autocomplete="off" />
          <button type="submit" disabled={typed.value !== table.TableName}>
            Delete {table.TableName}
          </button>
        </div>
        {problem.value && <p class="refused" role="alert">{problem.value}</p>}
      </form>
    </details>
  );
}
