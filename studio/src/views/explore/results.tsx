// The answer: what was sent, what it cost, the items, and the ways to change them.
import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { member, show, type AttributeValue, type Item } from '../../api/attribute_value.ts';
import { lostSince } from '../../api/reach.ts';
import { CodeBlock } from '../../parts/code_block.tsx';
import { DataTable } from '../../parts/data_table.tsx';
import { ItemEditor } from '../../parts/item_editor.tsx';
import { count, plural } from '../../parts/numbers.ts';
import { RequestCode } from '../../parts/request_code.tsx';
import { answer, busy, changesData, conflict, draft, failure, mode, more, openTable, pageSize, problems, readingMore, readOn, saved, schema, staleEdit, stopReading, type Answer } from './state.ts';
import { ItemGrid, Undo, type Opened } from './item_grid.tsx';
import { applyAnyway, deleteItem, finishStaleEdit, insertItem, saveItem, takeStored } from './writes.ts';
import { Drift, notesOn } from './decoded.tsx';
import { OfferInfer } from './infer.tsx';
import { CollectSwitch, Transaction } from './transaction.tsx';
import { Export } from './transfer.tsx';

const opened = signal<Opened>(null);

function Facts() {
  const { count: found, written = 0, scanned, capacity, milliseconds, operation, request } = answer.value!;
  if (operation === 'ExecuteStatement' && changesData(String(request['Statement']))) return <p class="facts" role="status">{saved.value}</p>;
  const units = capacity?.CapacityUnits;
  const facts = [
    found === 1 ? '1 item' : `${count(found)} items`,
    scanned !== undefined && scanned !== found - written ? `${count(scanned)} read` : '',
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

// The next page comes when the last row is near, or on demand.
function More() {
  const { next, items } = answer.value!;
  if (next === undefined) return items.length > pageSize.value ? <span class="hint">All of it is here.</span> : null;
  return (
    <span class="group-add">
      {readingMore.value ? (
        <>
          <progress aria-label="Reading on" />
          <button type="button" onClick={stopReading}>
            Stop
          </button>
        </>
      ) : (
        <button type="button" onClick={() => void more()}>
          Load more
        </button>
      )}
    </span>
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
      <p>The model derives these keys from the attributes that you changed. With the old keys, an index would list the item in the wrong place.</p>
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

// Into the grid, and into the editor that is open for it.
function loadStored(): void {
  const now = conflict.peek();
  const open = opened.peek();
  takeStored();
  if (now && open?.kind === 'edit') opened.value = now.stored ? { kind: 'edit', item: now.stored } : null;
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
      <p>Not saved: the item changed since you loaded it.</p>
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
        <button type="button" class="main" onClick={loadStored}>
          Load the stored item
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
        notes={notesOn}
        onSave={async (item) => {
          const trouble = isNew ? await insertItem(item) : await saveItem(opened.item, item);
          if (trouble) throw new Error(trouble);
          close();
        }}
      />
      {!isNew && (
        <div class="group-add">
          <button
            type="button"
            class="danger"
            onClick={async () => {
              problem.value = (await deleteItem(opened.item)) ?? '';
              if (problem.value === '') close();
            }}
          >
            Delete item
          </button>
          <span class="hint">You can undo it.</span>
        </div>
      )}
      {problem.value && <p class="refused">{problem.value}</p>}
    </section>
  );
}

function ReadingOn() {
  if (!readOn.value) return null;
  const { pages, scanned, units } = readOn.value;
  return (
    <p class="facts" role="status">
      <button type="button" onClick={stopReading}>
        Stop
      </button>{' '}
      <progress aria-label="Reading on" /> Nothing in the first {plural(pages, 'page')} ({count(scanned)} items read, {plural(units, 'unit')}); reading on…
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

// What can be done to the table, at the end of its title.
export function TableActions() {
  const emptyItem = (): Item =>
    Object.fromEntries(schema.peek()!.keys.map(({ name, type }) => [name, type === 'N' ? { N: '0' } : type === 'B' ? { B: '' } : { S: '' }]));
  return (
    <span class="table-actions">
      <CollectSwitch />
      <button type="button" onClick={() => (opened.value = { kind: 'new', item: emptyItem() })}>
        Add item
      </button>
    </span>
  );
}

// A page that opens with the view is nobody's mistake; a Scan that somebody asked for is said to be one.
function ScanNote({ now: { scanOf, insteadOf, asked } }: { now: Answer }) {
  if (!scanOf || !asked) return null;
  return (
    <p class="warning" role="note">
      <strong>This is a Scan.</strong> It reads {scanOf}. You pay for what is read, not for what is found; give the partition key to read one collection.
      {insteadOf && (
        <>
          {' '}
          An index has that key: write <code>{insteadOf}</code> and it is a Query.
        </>
      )}
    </p>
  );
}

function StatusBar({ now }: { now: Answer }) {
  const changed = now.operation === 'ExecuteStatement' && changesData(String(now.request['Statement']));
  return (
    <div class="status-bar">
      {/* First, so that it stays where it is while the figures beside it grow. */}
      <More />
      <Facts />
      {!changed && (
        <p class="saved" role="status">
          {saved.value}
        </p>
      )}
      <Undo />
    </div>
  );
}

export function Results() {
  const now = answer.value;
  const table = openTable.value;
  useEffect(() => void (opened.value = null), [table?.TableName]);
  if (!table) return null;
  const status = now && <StatusBar now={now} />;
  return (
    <section class="results" aria-label="Result" aria-busy={busy.value}>
      <h2 class="unseen">Result</h2>
      <ReadingOn />
      {failure.value && lostSince.value === null && (
        <p class="refused" role="alert">
          <strong>{failure.value.code}</strong> {failure.value.message}
        </p>
      )}
      {now && (
        <>
          <ScanNote now={now} />
          {now.items.length > 0 ? (
            <ItemGrid open={(next) => (opened.value = next)}>{status}</ItemGrid>
          ) : (
            <>
              <p class="hint">No items{now.next !== undefined ? ' on this page' : ''}.</p>
              <div class="grid-foot">{status}</div>
            </>
          )}
          <Drift />
          <OfferInfer />
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
