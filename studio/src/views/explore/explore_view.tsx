// The explorer: all tables, what is in them, and changes that lose nobody's work.
import { useEffect } from 'preact/hooks';
import { linkTo, route } from '../../app/route.ts';
import { lostSince } from '../../api/reach.ts';
import { keyNames } from '../../api/dynamodb.ts';
import { Ask } from './ask.tsx';
import { Results, TableActions } from './results.tsx';
import { behind, loaded, openTable, refreshTables, startExplorer } from './state.ts';
import { bytes } from '../../parts/numbers.ts';
import { CreateTable, DeleteTable, TableList } from './table_list.tsx';
import { Import } from './transfer.tsx';
import '../../parts/forms.css';
import './explore.css';

function Overview() {
  return (
    <>
      <header>
        <h1>Tables</h1>
        <p class="hint">Everything that this server holds. Open a table to read and change its items.</p>
      </header>
      <TableList />
      <div class="group-add">
        <button type="button" onClick={() => void refreshTables()}>
          Reload
        </button>
      </div>
      <CreateTable />
    </>
  );
}

function OneTable() {
  const table = openTable.value!;
  const indexes = [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])];
  return (
    <>
      <header class="table-title">
        <a href={linkTo('explore')}>‹ All tables</a>
        <h1>{table.TableName}</h1>
        <p class="hint">
          {table.TableStatus.toLowerCase()} · {(table.ItemCount ?? 0).toLocaleString('en-GB')} items · {bytes(table.TableSizeBytes ?? 0)} · key{' '}
          {keyNames(table.KeySchema).join(', ')}
          {indexes.map(({ IndexName, KeySchema }) => ` · ${IndexName} on ${keyNames(KeySchema).join(', ')}`)}
        </p>
        <TableActions />
      </header>
      <Ask />
      <Results />
      <Import key={`import ${table.TableName}`} />
      <DeleteTable key={table.TableName} table={table} />
    </>
  );
}

export default function ExploreView() {
  useEffect(() => startExplorer(), []);
  const [name] = route.value.path;
  return (
    <div class="explore forms" data-address={behind.value ? 'behind' : 'follows'}>
      {openTable.value ? (
        <OneTable />
      ) : name !== undefined && loaded.value && lostSince.value === null ? (
        <p class="refused">
          There is no table {name}. <a href={linkTo('explore')}>See all tables</a>
        </p>
      ) : (
        <Overview />
      )}
    </div>
  );
}
