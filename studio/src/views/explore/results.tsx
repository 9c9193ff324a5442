// The answer: what was sent, what it cost, the items, and the ways to change them.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { member, show, type AttributeValue, type Item } from '../../api/attribute_value.ts';
import { keyNames, keyOf } from '../../api/dynamodb.ts';
import { CodeBlock } from '../../parts/code_block.tsx';
import { DataTable } from '../../parts/data_table.tsx';
import { Grid } from '../../parts/grid.tsx';
import { ItemEditor } from '../../parts/item_editor.tsx';
import { changeOf } from '../../requests/guarded_write.ts';
import { count, plural } from '../../parts/numbers.ts';
import { RequestCode } from '../../parts/request_code.tsx';
import { keysFor } from '../../requests/schema.ts';
import {
  answer, applyAnyway, busy, changesData, conflict, deleteItem, draft, failure, finishStaleEdit, insertItem, mode, openTable, problems, readOn, run, saveChanges, saved, saveItem, schema, staleEdit, stopReading, takeStored, typeOfNew, wholeItem, type Answer,
} from './state.ts';
import { Drift, Follow, markOf } from './decoded.tsx';
import { OfferInfer } from './infer.tsx';
import { CollectSwitch, Transaction } from './transaction.tsx';
import { Export } from './transfer.tsx';

// The editor that is open under the grid.
type Opened = { kind: 'edit' | 'new'; item: Item; copy?: boolean } | null;

function Facts() {
  const { count: found, scanned, capacity, milliseconds, operation, request } = answer.value!;
  if (operation === 'ExecuteStatement' && changesData(String(request['Statement']))) return <p class="facts" role="status">{saved.value}</p>;
  const units = capacity?.CapacityUnits;
  const facts = [
    found === 1 ? '1 item' : `${found} items`,
    scanned !== undefined && scanned !== found ? `${scanned} read` : '',
    units === undefined ? '' : `${units} ${units === 1 ? 'unit' : 'units'}`,
    `${milliseconds.toFixed(1)} ms`,
    operation,
  ];
  return (
    <p class="facts" role="status">
      {facts.filter(Boolean).join(' · ')}
    </p>
  );
}

function Pager() {
  const { starts, next } = answer.value!;
  if (starts.length === 1 && next === undefined) return null;
  return (
    <div class="group-add" role="group" aria-label="Pages">
      <button type="button" disabled={starts.length === 1} onClick={() => void run(starts.slice(0, -1))}>
        ‹ Previous
      </button>
      <span>Page {starts.length}</span>
      <button type="button" disabled={next === undefined} onClick={() => void run([...starts, next])}>
        Next ›
      </button>
    </div>
  );
}

function StalePanel() {
  const problem = useSignal('');
  const waiting = staleEdit.value;
  if (!waiting) return problem.value ? <p class="refused">{problem.value}</p> : null;
  const finish = async (how: 'right keys' | 'as typed') => (problem.value = (await finishStaleEdit(how)) ?? '');
  return (
    <section class="conflict" role="alert" aria-label="Keys left behind">
      <h3>{waiting.keys.map(({ name }) => name).join(' and ')} would no longer fit</h3>
      <p>The model makes these keys of what you change. With the old ones an index would list the item where it does not belong.</p>
      <DataTable class="facts-table" label="Keys" columns={['Key', 'Stored', 'By the model']}>
        {waiting.keys.map(({ name, now, right }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{now}</td>
            <td>{right}</td>
          </tr>
        ))}
      </DataTable>
      <div class="group-add">
        <button type="button" class="main" onClick={() => void finish('right keys')}>
          Write it with the right keys
        </button>
        <button type="button" onClick={() => void finish('as typed')}>
          Write it as typed
        </button>
        <button type="button" onClick={() => (staleEdit.value = null)}>
          Cancel
        </button>
      </div>
    </section>
  );
}

function ConflictPanel() {
  const now = conflict.value;
  const problem = useSignal('');
  if (!now) return null;
  const names = now.deleting
    ? [...new Set([...Object.keys(now.shown), ...Object.keys(now.stored ?? {})])].filter((name) => JSON.stringify(member(now.shown, name)) !== JSON.stringify(member(now.stored, name)))
    : now.changes.map(({ name }) => name);
  const text = (value: AttributeValue | undefined) => (value ? show(value) : '(missing)');
  return (
    <section class="conflict" role="alert" aria-label="Conflict">
      <h3>{now.stored ? 'Somebody changed this item after you loaded it' : 'Somebody deleted this item after you loaded it'}</h3>
      <p>Nothing was written. The write asked for the values that you saw, and they are no longer there.</p>
      {now.stored && (
        <div class="scrolls-x">
          <table class="facts-table">
            <thead>
              <tr>
                <th scope="col">Attribute</th>
                <th scope="col">You saw</th>
                <th scope="col">Stored now</th>
                {!now.deleting && <th scope="col">You want</th>}
              </tr>
            </thead>
            <tbody>
              {names.map((name) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{text(member(now.shown, name))}</td>
                  <td>{text(member(now.stored, name))}</td>
                  {!now.deleting && <td>{text(now.changes.find((change) => change.name === name)?.after)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div class="group-add">
        <button type="button" class="main" onClick={takeStored}>
          Load what is stored
        </button>
        {now.stored && (
          <button type="button" onClick={async () => (problem.value = (await applyAnyway()) ?? '')}>
            {now.deleting ? 'Delete it anyway' : 'Write mine over it'}
          </button>
        )}
      </div>
      {problem.value}
    </section>
  );
}

function Editor({ opened, close }: { opened: NonNullable<Opened>; close: () => void }) {
  const asking = useSignal(false);
  const problem = useSignal('');
  const isNew = opened.kind === 'new';
  const place = useRef<HTMLElement>(null);
  // It opens below the grid, perhaps out of sight.
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [opened]);
  const title = isNew ? (opened.copy ? 'Copy of the item' : 'New item') : 'Edit item';
  return (
    <section class="panel" aria-label={title} ref={place}>
      <h3>{title}</h3>
      {isNew && <p class="hint">It is written only if no item has this key.</p>}
      <ItemEditor
        key={JSON.stringify(opened.item)}
        label={title}
        item={opened.item}
        saveLabel={isNew ? 'Add item' : 'Save item'}
        onCancel={close}
        onSave={async (item) => {
          const trouble = isNew ? await insertItem(item) : await saveItem(opened.item, item);
          if (trouble) throw new Error(trouble);
          close();
        }}
      />
      {!isNew && (
        <div class="group-add">
          {asking.value ? (
            <>
              <span>Delete this item?</span>
              <button
                type="button"
                onClick={async () => {
                  problem.value = (await deleteItem(opened.item)) ?? '';
                  if (problem.value === '') close();
                }}
              >
                Yes, delete it
              </button>
              <button type="button" onClick={() => (asking.value = false)}>
                No
              </button>
            </>
          ) : (
            <button type="button" onClick={() => (asking.value = true)}>
              Delete item
            </button>
          )}
        </div>
      )}
      {problem.value && <p class="refused">{problem.value}</p>}
    </section>
  );
}

function ItemGrid({ open }: { open: (opened: Opened) => void }) {
  const now = answer.value!;
  const table = openTable.value!;
  const own = keyNames(table.KeySchema);
  const shownKeys = schema.value ? keysFor(schema.value, draft.value.index).map(({ name }) => name) : [];
  const keys = [...new Set([...shownKeys, ...own])];
  const editable = now.items.every((item) => keyOf(item, table.KeySchema) !== null);
  const openItem = async (item: Item, copy: boolean) => {
    const whole = await wholeItem(item);
    if (!whole) return void run(now.starts);
    open(copy ? { kind: 'new', item: whole, copy } : { kind: 'edit', item: whole });
  };
  const selected = useSignal<Item | null>(null);
  return (
    <>
      <Grid
        label="Items"
        items={now.items}
        keys={keys}
        mark={markOf}
        {...(editable
          ? {
              onOpen: (item: Item) => void openItem(item, false),
              onEdit: (item: Item, name: string, value: AttributeValue) =>
                saveChanges(item, [changeOf(name, member(item, name), value)]),
              typeOfNew,
              locked: (item: Item, name: string) =>
                own.includes(name)
                  ? `${name} is part of the key and cannot change. Press Enter for the item editor.`
                  : !member(item, name) && now.partial
                    ? 'This result may lack attributes. Open the item to add one.'
                    : null,
              onSelect: (item: Item) => (selected.value = item),
            }
          : {})}
      />
      <Follow item={selected.value && now.items.includes(selected.value) ? selected.value : (now.items[0] ?? null)} />
      {editable ? (
        <div class="group-add">
          <button type="button" disabled={!selected.value} onClick={() => void openItem(selected.peek()!, false)}>
            Open item
          </button>
          <button type="button" disabled={!selected.value} onClick={() => void openItem(selected.peek()!, true)}>
            Duplicate item
          </button>
          <span class="hint">Arrow keys move; Enter on a cell edits it, on a key opens the whole item; a heading sorts this page.</span>
        </div>
      ) : (
        <p class="hint">This result lacks the whole key of its items, so it cannot be edited.</p>
      )}
    </>
  );
}

function ReadingOn() {
  if (!readOn.value) return null;
  const { pages, scanned, units } = readOn.value;
  return (
    <p class="facts" role="status">
      Nothing in the first {plural(pages, 'page')} ({count(scanned)} items read, {plural(units, 'unit')}); reading on… <progress aria-label="Reading on" />{' '}
      <button type="button" onClick={stopReading}>
        Stop
      </button>
    </p>
  );
}

// Ways on from an answer: a file of it, its code, and the request itself.
function Further({ now }: { now: Answer }) {
  return (
    <>
      <Export />
      {(mode.value === 'Scan' || mode.value === 'Query' || mode.value === 'GetItem') && (
        <details class="explore-code">
          <summary>Copy as code</summary>
          <RequestCode draft={draft.value} table={schema.value} unfinished={problems.value.length > 0} />
        </details>
      )}
      <details>
        <summary>The request that was sent</summary>
        <CodeBlock code={JSON.stringify(now.request, null, 2)} label={`${now.operation} request`} />
      </details>
    </>
  );
}

export function Results() {
  const opened = useSignal<Opened>(null);
  const now = answer.value;
  const table = openTable.value;
  if (!table) return null;
  const emptyItem = (): Item =>
    Object.fromEntries(schema.peek()!.keys.map(({ name, type }) => [name, type === 'N' ? { N: '0' } : type === 'B' ? { B: '' } : { S: '' }]));
  return (
    <section class="panel" aria-label="Result" aria-busy={busy.value}>
      <div class="panel-head">
        <h2>Result</h2>
        <div class="group-add">
          <CollectSwitch />
          <button type="button" onClick={() => (opened.value = { kind: 'new', item: emptyItem() })}>
            Add item
          </button>
        </div>
      </div>
      <ReadingOn />
      {failure.value && (
        <p class="refused" role="alert">
          <strong>{failure.value.code}</strong> {failure.value.message}
        </p>
      )}
      {now && (
        <>
          <Facts />
          {now.scanOf && (
            <p class="warning" role="note">
              <strong>This is a Scan.</strong> It reads {now.scanOf}. That is paid for by what is read, not by what is found; give the partition key to read one collection.
              {now.insteadOf && (
                <>
                  {' '}
                  An index has that key: write <code>{now.insteadOf}</code> and it is a Query.
                </>
              )}
            </p>
          )}
          <Drift />
          <OfferInfer />
          {now.items.length > 0 ? <ItemGrid open={(next) => (opened.value = next)} /> : <p class="hint">No items{now.next !== undefined ? ' on this page' : ''}.</p>}
          {!(now.operation === 'ExecuteStatement' && changesData(String(now.request['Statement']))) && (
            <p class="saved" role="status">
              {saved.value}
            </p>
          )}
          <Pager />
        </>
      )}
      <Transaction />
      <StalePanel />
      <ConflictPanel />
      {opened.value && <Editor opened={opened.value} close={() => (opened.value = null)} />}
      {now && <Further now={now} />}
    </section>
  );
}
