// The question to the table: a Scan, a Query, one item by its key, or a PartiQL statement.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { go, linkTo, route, setQuery } from '../../app/route.ts';
import { KeyEditor } from '../../parts/key_editor.tsx';
import { emptyValue, hasFilter, type KeyTest } from '../../requests/draft.ts';
import { packDraft } from '../../requests/link.ts';
import { getOf, isSeveral, severalMost, wantedKeys, type SeveralForm } from './several.ts';
import { change, chooseMode, draft, freshDraft, mode, modes, pageSize, problems, run, samples, schema, statement, type Mode } from './state.ts';

const hints: Record<Mode, string> = {
  Scan: 'Reads everything, page by page.', Query: 'Reads one item collection, or a run of it.',
  GetItem: 'Reads one item by its whole key.', BatchGetItem: 'Reads several items by their keys in one trip.',
  TransactGetItems: 'Reads several items by their keys, all as they were at one moment; costs twice as much.',
  PartiQL: 'A statement in DynamoDB’s SQL: SELECT, INSERT, UPDATE, DELETE.',
};

function StatementForm() {
  const text = useSignal(statement.value);
  const start = () => {
    setQuery({ statement: text.value }, { replace: true });
    void run();
  };
  return (
    <div class="stack">
      <textarea
        aria-label="PartiQL statement"
        rows={4}
        spellcheck={false}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) start();
        }}
      />
      <div class="group-add">
        <button type="button" class="main" onClick={start}>
          Run statement
        </button>
        <span class="hint">Ctrl+Enter runs it.</span>
      </div>
    </div>
  );
}

// `beside` stands next to the button that runs it.
function ReadForm({ runs, ready = true, beside, children }: { runs: string; ready?: boolean; beside: ComponentChildren; children: ComponentChildren }) {
  return (
    <form
      class="stack"
      aria-label="What to read"
      onSubmit={(event) => {
        event.preventDefault();
        if (problems.peek().length === 0) void run();
      }}
    >
      {children}
      {[...new Set(problems.value.map(({ message }) => message))].map((message) => (
        <p key={message} class="wrong">
          {message}
        </p>
      ))}
      <div class="group-add">
        <button type="submit" class="main" disabled={problems.value.length > 0 || !ready}>
          Run {runs}
        </button>
        {beside}
      </div>
    </form>
  );
}

// With the request as it stands, sent or not.
function ToBuild() {
  const open = async (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(linkTo('build', [], { q: await packDraft(draft.peek()) }));
  };
  return (
    <a href={linkTo('build', [], { q: route.value.query['q'] })} onClick={(event) => void open(event)}>
      Filter, projection, code: open in Build
    </a>
  );
}

function DraftForm() {
  const table = schema.value!;
  const now = draft.value;
  return (
    <ReadForm
      runs={now.operation}
      beside={<ToBuild />}
    >
      {hasFilter(now.operation) && table.indexes.length > 0 && (
        <label>
          From{' '}
          <select value={now.index ?? ''} onChange={(event) => change(freshDraftFor(event.currentTarget.value))}>
            <option value="">the table</option>
            {table.indexes.map(({ name }) => (
              <option key={name} value={name}>
                index {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {now.operation !== 'Scan' && <KeyEditor table={table} draft={now} samples={samples.value} onKey={(key) => change({ key })} />}
      {now.operation === 'Query' && (
        <label>
          <input type="checkbox" checked={now.descending ?? false} onChange={(event) => change({ descending: event.currentTarget.checked || undefined } as never)} /> last first
        </label>
      )}
    </ReadForm>
  );
}

function SeveralKeys({ form }: { form: SeveralForm }) {
  const table = schema.value!;
  const keys = wantedKeys.value;
  const blank = (): KeyTest[] => table.keys.map(({ name, type }) => ({ name, test: '=', values: [emptyValue(type)] }));
  return (
    <ReadForm
      runs={form}
      ready={keys.length > 0}
      beside={
        <button type="button" disabled={keys.length >= severalMost[form]} onClick={() => (wantedKeys.value = [...keys, blank()])}>
          Add a key
        </button>
      }
    >
      <div class="several-keys">
        {keys.map((key, at) => (
          <div key={at} role="group" aria-label={`Item ${at + 1}`}>
            <KeyEditor table={table} draft={getOf(table.name, key)} samples={samples.value} onKey={(next) => (wantedKeys.value = keys.map((old, other) => (other === at ? next : old)))} />
            <button type="button" class="remove" aria-label={`Leave item ${at + 1} out`} onClick={() => (wantedKeys.value = keys.filter((_, other) => other !== at))}>
              ×
            </button>
          </div>
        ))}
      </div>
    </ReadForm>
  );
}

function freshDraftFor(index: string) {
  const next = freshDraft(schema.peek()!, draft.peek().operation, index || undefined);
  return { ...next, index: next.index } as typeof next;
}

export function Ask() {
  if (!schema.value) return null;
  return (
    <section class="ask" aria-label="Ask">
      <div class="tabs modes" role="radiogroup" aria-label="Kind of request">
        {modes.map((each) => (
          <label key={each} class={mode.value === each ? 'on' : ''} title={hints[each]}>
            <input type="radio" name="mode" checked={mode.value === each} onChange={() => chooseMode(each)} /> {each}
          </label>
        ))}
      </div>
      {mode.value === 'PartiQL' ? <StatementForm key={schema.value.name} /> : isSeveral(mode.value) ? <SeveralKeys form={mode.value} /> : <DraftForm />}
      {mode.value !== 'GetItem' && !isSeveral(mode.value) && (
        <label class="page-size">
          Page of{' '}
          <select value={pageSize.value} onChange={(event) => { pageSize.value = Number(event.currentTarget.value); void run(); }}>
            {[10, 50, 200, 1000].map((size) => (
              <option key={size} value={size}>
                {size}
              </option>
            ))}
          </select>
        </label>
      )}
    </section>
  );
}
