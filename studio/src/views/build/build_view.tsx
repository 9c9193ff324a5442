// The expression builder: a request put together from fields and operators, its code and its result beside it.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { source } from '../../design/design.ts';
import { loadDesign } from '../../design/load.ts';
import { GroupEditor } from './condition_editor.tsx';
import {
  hasCondition, hasFilter, hasWholeKey, isRead, operations, returnsFor,
  type Draft, type Group, type Operation, type ReturnValues,
} from '../../requests/draft.ts';
import { ItemFields } from './item_fields.tsx';
import { KeyEditor } from '../../parts/key_editor.tsx';
import { missingAttribute, type Section } from '../../requests/legal.ts';
import { CodeTabs, Result } from './output.tsx';
import { PathInput } from './path_input.tsx';
import { keysFor, projected } from '../../requests/schema.ts';
import { behind, change, draft, emptyKey, linkTrouble, problems, refreshTables, samples, schema, startBuilder, tableNames } from './state.ts';
import { TogetherPanel } from './together.tsx';
import { UpdateEditor } from './update_editor.tsx';
import '../../parts/forms.css';
import './build.css';

const operationHints: Record<Operation, string> = {
  Query: 'reads one item collection, or a run of it', Scan: 'reads everything', GetItem: 'reads one item by its key',
  PutItem: 'writes a whole item', UpdateItem: 'changes parts of one item', DeleteItem: 'deletes one item',
};

function Part({ section, title, hint, children }: { section: Section; title: string; hint?: string; children: ComponentChildren }) {
  const left = useSignal(false); // A field was left; a button begins something new.
  const found = problems.value.filter((problem) => problem.section === section && (left.value || problem.message !== missingAttribute));
  return (
    <fieldset
      class="part"
      onFocusOut={(event) => {
        if ((event.target as Element).matches('input, textarea')) left.value = true;
      }}
      onClick={(event) => {
        if ((event.target as Element).closest('button')) left.value = false;
      }}
    >
      <legend>{title}</legend>
      {hint && <p class="hint">{hint}</p>}
      {children}
      {found.length > 0 && (
        <ul class="problems" aria-label={`Problems of ${title}`}>
          {found.map(({ message, warning }) => (
            <li key={message} class={warning ? 'warning' : 'wrong'}>
              {message}
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}

// The parts of the draft that stay when another operation or table is chosen: all that still has a meaning.
function moved(to: Partial<Draft>): Partial<Draft> {
  const next: Draft = { ...draft.peek(), ...to };
  const table = schema.peek()?.name === next.table ? schema.peek() : undefined; // Not what was known of the table before.
  const sameTable = next.table === draft.peek().table;
  if (!sameTable) return { ...to, index: undefined, key: [], item: undefined, update: undefined, filter: undefined, condition: undefined, projection: undefined } as unknown as Partial<Draft>;
  if (!hasFilter(next.operation)) Object.assign(to, { index: undefined });
  const keys = table && (hasWholeKey(next.operation) ? table.keys : keysFor(table, hasFilter(next.operation) ? next.index : undefined));
  const fits = keys?.every(({ name, kind }) => next.key.some((key) => key.name === name && key.test === '=') || (kind === 'RANGE' && next.operation === 'Query'));
  const onlyKeys = next.key.every(({ name }) => keys?.some((key) => key.name === name));
  if (table && next.operation !== 'Scan' && next.operation !== 'PutItem' && !(fits && onlyKeys)) {
    to.key = emptyKey(table, { ...next, ...to } as Draft);
  }
  if (next.operation === 'PutItem' && !next.item) to.item = samples.peek()[0] ?? {};
  return to;
}

function Where() {
  const { operation, table, index } = draft.value;
  const known = schema.value;
  return (
    <Part section="table" title="What" hint={`${operation} ${operationHints[operation]}.`}>
      <div class="test">
        <label>
          Operation{' '}
          <select value={operation} onChange={(event) => change(moved({ operation: event.currentTarget.value as Operation }))}>
            {operations.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label>
          Table{' '}
          <select value={table} onChange={(event) => change(moved({ table: event.currentTarget.value }))}>
            {!tableNames.value.includes(table) && <option value={table}>{table || 'choose…'}</option>}
            {tableNames.value.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        {hasFilter(operation) && known && known.indexes.length > 0 && (
          <label>
            Index{' '}
            <select value={index ?? ''} onChange={(event) => change(moved({ index: event.currentTarget.value || undefined } as Partial<Draft>))}>
              <option value="">none, the table itself</option>
              {known.indexes.map(({ name, local }) => (
                <option key={name} value={name}>
                  {name} ({local ? 'local' : 'global'})
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <MissingTable />
    </Part>
  );
}

function MissingTable() {
  const busy = useSignal(false);
  const trouble = useSignal('');
  if (!schema.value || schema.value.stored) return null;
  const load = async () => {
    busy.value = true;
    try {
      await loadDesign(source.peek());
      await refreshTables();
    } catch (error) {
      trouble.value = (error as Error).message;
    }
    busy.value = false;
  };
  return (
    <p class="hint">
      The model has this table, the server does not yet.{' '}
      <button type="button" disabled={busy.value} onClick={() => void load()}>
        Load the design with its sample
      </button>{' '}
      {trouble.value}
    </p>
  );
}

const emptyGroup = (): Group => ({ join: 'AND', parts: [] });

function Projection() {
  const paths = draft.value.projection ?? [];
  const held = schema.value ? projected(schema.value, hasFilter(draft.value.operation) ? draft.value.index : undefined) : null;
  const without = held ? (schema.value?.fields ?? []).map(({ name }) => name).filter((name) => !held.has(name)) : [];
  const set = (next: (string | number)[][]) => change({ projection: next.length ? next : undefined } as Partial<Draft>);
  return (
    <Part section="projection" title="Attributes to return" hint={paths.length ? 'Fewer attributes make a smaller answer, but cost the same: whole items are read.' : 'All of them.'}>
      <div class="test">
        {paths.map((path, at) => (
          <span class="chip" key={at}>
            <PathInput label={`Returned attribute ${at + 1}`} path={path} without={without} onChange={(now) => set(paths.map((old, position) => (position === at ? now : old)))} />
            <button type="button" class="remove" aria-label={`Remove returned attribute ${at + 1}`} onClick={() => set(paths.filter((_, position) => position !== at))}>
              ×
            </button>
          </span>
        ))}
        <button type="button" onClick={() => set([...paths, []])}>
          + attribute
        </button>
      </div>
    </Part>
  );
}

function Options() {
  const { operation, consistent, descending, limit, returns, index } = draft.value;
  const global = hasFilter(operation) && schema.value?.indexes.some(({ name, local }) => name === index && !local);
  const allowed = returnsFor(operation);
  return (
    <Part section="options" title="Options">
      <div class="test">
        {isRead(operation) && (
          <label title={global ? 'A global index is eventually consistent; it has no strongly consistent reads.' : undefined}>
            <input type="checkbox" checked={consistent ?? false} disabled={global && !consistent} onChange={(event) => change({ consistent: event.currentTarget.checked || undefined } as Partial<Draft>)} />{' '}
            strongly consistent{global ? ' (not on a global index)' : ''}
          </label>
        )}
        {operation === 'Query' && (
          <label>
            <input type="checkbox" checked={descending ?? false} onChange={(event) => change({ descending: event.currentTarget.checked || undefined } as Partial<Draft>)} /> last first
          </label>
        )}
        {hasFilter(operation) && (
          <label>
            Limit{' '}
            <input
              class="short"
              type="number"
              min={1}
              value={limit ?? ''}
              onInput={(event) => change({ limit: event.currentTarget.value === '' ? undefined : Number(event.currentTarget.value) } as Partial<Draft>)}
            />
          </label>
        )}
        {hasCondition(operation) && (
          <label>
            Give back{' '}
            <select value={returns && allowed.includes(returns) ? returns : 'NONE'} onChange={(event) => change({ returns: event.currentTarget.value as ReturnValues })}>
              {allowed.map((each) => (
                <option key={each} value={each}>
                  {{ NONE: 'nothing', ALL_OLD: 'the old item', UPDATED_OLD: 'old values of what changed', ALL_NEW: 'the new item', UPDATED_NEW: 'new values of what changed' }[each]}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
    </Part>
  );
}

function Key() {
  if (!schema.value) return <p class="hint">This table is unknown: neither the server nor the model has it.</p>;
  return <KeyEditor table={schema.value} draft={draft.value} samples={samples.value} onKey={(key) => change({ key })} />;
}

function Form() {
  const { operation, condition, filter, update, index } = draft.value;
  const keys = schema.value ? keysFor(schema.value, index).map(({ name }) => name) : [];
  return (
    <form class="build-form" aria-label="Request" onSubmit={(event) => event.preventDefault()}>
      <Where />
      {operation === 'Query' && (
        <Part section="key" title="Key condition" hint="The item collection, and the range of it to read. Only key attributes are allowed here, and all conditions must hold: DynamoDB has no OR for keys.">
          <Key />
        </Part>
      )}
      {hasWholeKey(operation) && (
        <Part section="key" title="Key" hint="The whole primary key of one item.">
          <Key />
        </Part>
      )}
      {operation === 'PutItem' && (
        <Part section="item" title="Item">
          <ItemFields />
        </Part>
      )}
      {operation === 'UpdateItem' && (
        <Part section="update" title="Changes">
          <UpdateEditor actions={update ?? []} onChange={(now) => change({ update: now })} />
        </Part>
      )}
      {hasCondition(operation) && (
        <Part section="condition" title="Condition" hint="The write happens only if the item, as it is stored now, passes.">
          <GroupEditor group={condition ?? emptyGroup()} label="Condition" onChange={(now) => change({ condition: now.parts.length ? now : undefined } as Partial<Draft>)} />
        </Part>
      )}
      {hasFilter(operation) && (
        <Part section="filter" title="Filter" hint="Drops items after they were read and paid for.">
          <GroupEditor group={filter ?? emptyGroup()} label="Filter" without={operation === 'Query' ? keys : []} onChange={(now) => change({ filter: now.parts.length ? now : undefined } as Partial<Draft>)} />
        </Part>
      )}
      {isRead(operation) && <Projection />}
      <Options />
    </form>
  );
}

export default function BuildView() {
  useEffect(() => startBuilder(), []);
  return (
    <div class="build forms" data-address={behind.value ? 'behind' : 'follows'}>
      <header>
        <h1>Build a request</h1>
        <p class="hint">Choose an operation, fill in the fields, and take the code. Placeholders for names and values are made for you. The address of this page holds the whole request.</p>
        {linkTrouble.value && <p role="alert">{linkTrouble.value}</p>}
      </header>
      <Form />
      <div class="build-side">
        <Result />
        <CodeTabs />
        <TogetherPanel />
      </div>
    </div>
  );
}
