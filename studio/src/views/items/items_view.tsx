// The items of a table as item collections: the table itself, each index, or two sides at once.
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { route, setQuery } from '../../app/route.ts';
import type { Item } from '../../api/attribute_value.ts';
import type { Model } from '../../api/model.ts';
import { lostSince } from '../../api/reach.ts';
import { changed, missing as missingDesign, model, unread } from '../../design/design.ts';
import { misfit, olderItems } from '../../design/misfit.ts';
import { Falling } from '../../parts/falling.tsx';
import { bytes as showBytes, count, perMillion, plural } from '../../parts/numbers.ts';
import { keyOf } from './changes.ts';
import { AddPanel, type AddHere } from './add_panel.tsx';
import { Empty, hasSample, MakeUpButton, ResetButton } from './empty.tsx';
import { FindBox } from './find_box.tsx';
import { ItemPanel } from './item_panel.tsx';
import './items.css';
import './pane.css';
import { Pane } from './pane.tsx';
import { PatternsPanel } from './patterns_panel.tsx';
import type { Side } from './side.ts';
import { data, decoder, designTables, editor, growthOn, indexName, lagMs, marks, openWrite, reload, run, said, select, selected, selectedItem, shownFall, split, staleSince, startState, tableName, tables, targetOn, wish } from './state.ts';
import type { TableData } from './table_data.ts';
import './trail.css';
import { joinSides, TrailMarks } from './trail.tsx';

type PanelName = 'patterns' | 'item' | 'add';

export default function ItemsView() {
  useEffect(() => {
    reload.value += 1;
    return startState();
  }, []);
  const id = selected.value;
  useEffect(() => {
    // When both panes have scrolled to it.
    if (split.value && id !== null) requestAnimationFrame(() => requestAnimationFrame(() => joinSides(id)));
  }, [id, split.value]);
  const panel = useSignal<PanelName>('patterns');
  const here = useSignal<AddHere | null>(null);
  const table = data.value;
  if (tables.value === null || (!model.value && !unread.value && missingDesign.value === null)) return <p class="waits">{lostSince.value === null ? 'Asking the server…' : 'No answer from the server yet.'}</p>;
  if (tableName.value === null) return <Empty />;
  const sides: (string | null)[] = split.value ? [null, indexName.value ?? table?.indexNames[0] ?? null] : [indexName.value];
  return (
    <div class="items-view">
      <h1 class="unseen">Items of {tableName.value}</h1>
      <Toolbar
        onAdd={() => {
          here.value = null;
          panel.value = 'add';
        }}
      />
      <Said />
      <Stale />
      <Misfit />
      <div class="items-body">
        <section class="side-panel" aria-label="Patterns and items">
          <PanelChoice panel={panel.value} onChoose={(name) => (panel.value = name)} />
          <div class="panel-body" id="items-panel" tabIndex={-1}>
            {panel.value === 'patterns' && <PatternsPanel />}
            {panel.value === 'item' && <ItemPanel />}
            {panel.value === 'add' && <AddPanel here={here.value} />}
          </div>
        </section>
        <div class="panes-column">
          <WriteFall />
          <div class="panes">
            {table &&
              sides.map((index, i) => (
                <PaneFrame
                  // One pane for both sides when not split: so that rows fly from side to side.
                  key={i}
                  table={table}
                  index={index}
                  onOpen={() => {
                    panel.value = 'item';
                    document.getElementById('items-panel')?.focus();
                  }}
                  onSelect={() => {
                    // A pattern or write that is open stays in sight: a dot says that there is an item.
                    if (panel.value === 'add' || (route.peek().query['pattern'] === undefined && shownFall.peek() === null)) panel.value = 'item';
                  }}
                  onAdd={(partition) => {
                    here.value = { index, partition };
                    panel.value = 'add';
                    document.getElementById('items-panel')?.focus();
                  }}
                />
              ))}
            <TrailMarks />
          </div>
        </div>
      </div>
    </div>
  );
}

function WriteFall() {
  const shown = shownFall.value;
  return shown && <Falling fall={shown} onClose={() => openWrite(null)} />;
}

function PanelChoice({ panel, onChoose }: { panel: PanelName; onChoose(name: PanelName): void }) {
  const names: [PanelName, string][] = [
    ['patterns', 'Patterns'],
    ['item', 'Item'],
    ['add', 'Add'],
  ];
  return (
    <div class="panel-choice" role="group" aria-label="Content of the panel">
      {names.map(([name, title]) => (
        <button
          key={name}
          aria-pressed={panel === name}
          title={name === 'item' ? (selected.value === null ? 'No item is selected' : 'The selected item in full') : undefined}
          onClick={() => onChoose(name)}
        >
          {title}
          {name === 'item' && selected.value !== null && <span class="dot" aria-hidden="true" title="An item is selected" />}
        </button>
      ))}
    </div>
  );
}

function Toolbar({ onAdd }: { onAdd(): void }) {
  const table = data.value;
  return (
    <div class="toolbar">
      <label>
        <span>Table</span>
        <select
          value={tableName.value ?? ''}
          onChange={(event) => setQuery({ table: event.currentTarget.value, index: undefined, pattern: undefined, step: undefined, pk: undefined, sk: undefined })}
        >
          {(tables.value ?? []).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {table && table.indexNames.length > 0 && <SideChoice table={table} />}
      {table && <FindBox key={indexName.value ?? ''} table={table} index={indexName.value} />}
      {table && table.indexNames.length > 0 && <LagSlider />}
      <span class="toolbar-actions">
        <button onClick={onAdd}>Add item</button>
        <button onClick={() => (reload.value += 1)} title="Read all items again">
          Reload
        </button>
        {designTables.value.includes(tableName.value ?? '') && <ResetButton />}
      </span>
    </div>
  );
}

function SideChoice({ table }: { table: TableData }) {
  const choose = (index: string | null, both: boolean) => {
    setQuery({ index: index ?? undefined, split: both ? '1' : undefined });
    wish.value += 1;
  };
  const now = indexName.value;
  return (
    <div class="side-choice" role="group" aria-label="Side of the picture">
      <button aria-pressed={!split.value && now === null} onClick={() => choose(null, false)}>
        Table
      </button>
      {table.indexNames.map((index) => (
        <button key={index} aria-pressed={!split.value && now === index} onClick={() => choose(index, false)}>
          {index}
        </button>
      ))}
      <button
        aria-pressed={split.value}
        title="The table and an index side by side"
        onClick={() => choose(now ?? table.indexNames[0]!, !split.value)}
      >
        Split
      </button>
    </div>
  );
}

function LagSlider() {
  const seconds = lagMs.value / 1000;
  const engine = data.value?.engineLag.value ?? null;
  return (
    <label class="lag" title="The delay before an index shows a change. Simulated here; a server that runs with --index-lag adds its own delay, which is included.">
      <span>Index lag {seconds} s</span>
      <small>{engine === null ? 'simulated, in addition to the server’s own delay' : `simulated; the engine’s own index took ${(engine / 1000).toFixed(1)} s`}</small>
      <input
        type="range"
        min="0"
        max="5"
        step="0.5"
        value={seconds}
        aria-label="Index lag in seconds, simulated"
        onInput={(event) => (lagMs.value = Number(event.currentTarget.value) * 1000)}
      />
    </label>
  );
}

// A large table is not read again by itself.
function Stale() {
  const since = staleSince.value;
  if (since === null) return null;
  return (
    <p class="said" role="status" data-tone="bad">
      The table has changed since {new Date(since).toLocaleTimeString('en-GB')}; what is shown is from before.{' '}
      <button onClick={() => (reload.value += 1)}>Read it again</button>
    </p>
  );
}

function Said() {
  return (
    <p class="said" role="status" data-tone={said.value?.tone}>
      {said.value?.text}
    </p>
  );
}

const itemsLookedAt = 500;

// The keys fit, but the items were written when the design had fewer copies: patterns would answer with less than it promises.
function OlderItems({ table, model: design }: { table: TableData; model: Model }) {
  const version = table.version.value;
  const why = useMemo(() => {
    const rows = table.side(null)?.collections.flatMap(({ rows: all }) => all).slice(0, itemsLookedAt) ?? [];
    return olderItems(design, table.name, decoder.peek(), rows.map(({ json }) => JSON.parse(json) as Item));
  }, [table, design, version]);
  if (!why) return null;
  return (
    <div class="misfit" role="alert">
      <p>
        The items were written by another version of the design: {why}. {changed.value && 'The design has changes that are not saved. '}
        Its patterns answer without it until the tables are created anew, or the items are written again with <code>prejoin migrate</code>.
      </p>
      <ResetButton title="Recreate its tables" />
    </div>
  );
}

// The design was changed since its table was created: patterns would fail with the engine's words.
function Misfit() {
  const table = data.value;
  const why = table && model.value ? misfit(model.value, table.description) : null;
  if (!why) return table && model.value ? <OlderItems table={table} model={model.value} /> : null;
  return (
    <div class="misfit" role="alert">
      <p>
        The design does not fit the table that is stored here: {why}. {changed.value && 'The design has changes that are not saved. '}
        Its patterns cannot run as designed until its tables are created anew.
      </p>
      <ResetButton title="Recreate its tables" />
    </div>
  );
}

interface FrameProps {
  table: TableData;
  index: string | null;
  onOpen(): void;
  onSelect(): void;
  onAdd(partition: string): void;
}

// Nobody knows how many items there are before the first of them have come.
function sizeOf(side: Side | null, loading: boolean): string {
  if (loading && !side?.count) return 'reading…';
  return `${plural(side?.count ?? 0, 'item')} in ${plural(side?.collections.length ?? 0, 'collection')} · ${showBytes(side?.bytes ?? 0)}`;
}

function PaneFrame({ table, index, onOpen, onSelect, onAdd }: FrameProps) {
  void table.version.value;
  const shown = useRef(index);
  // Until the other side has arrived, the one before stays.
  if (table.side(index) && table.progress.value?.index !== index) shown.current = index;
  else if (!table.side(shown.current)) shown.current = index;
  const showing = shown.current;
  const side = table.side(showing);
  const progress = table.progress.value;
  const lit = marks.value;
  const keys = table.keys(showing);
  return (
    <section class="pane" aria-label={showing === null ? 'Table' : `Index ${showing}`} data-side={showing ?? 'table'}>
      <header class="pane-head">
        <h2>{showing === null ? table.name : `${showing} of ${table.name}`}</h2>
        <span class="hint">
          {keys.partition.join(', ')}
          {keys.sort.length > 0 && ` / ${keys.sort.join(', ')}`} · {sizeOf(side, progress !== null)}
          {table.cut.value && ` · part of ${(table.description.ItemCount ?? 0).toLocaleString('en')} items; Find and patterns bring the collections they need`}
        </span>
        {lit?.index === showing && <ReadFigures />}
      </header>
      {progress && (progress.index === index || progress.index === showing) && (
        <progress max={Math.max(1, progress.total)} value={progress.done} aria-label="Loading items" />
      )}
      <Waiting table={table} index={showing} />
      {side && side.count > 0 ? (
        <Pane
          data={table}
          index={showing}
          decoder={decoder.value}
          selected={selected.value}
          selectedItem={selectedItem.value}
          growth={growthOn(showing)}
          marks={lit ? (lit.index === showing ? lit.rows : lit.elsewhere) : null}
          wish={wish.value}
          target={targetOn(showing)}
          onSelect={(id, item) => {
            select(id, item);
            onSelect();
          }}
          onOpen={onOpen}
          onEdit={() => {
            onOpen();
            const item = selectedItem.peek();
            editor.value = item && decoder.peek().attributesOf(item) ? 'form' : 'json';
          }}
          onAdd={(collection) => onAdd(collection.partition)}
        />
      ) : (
        <p class="hint none">
          {progress ? 'Loading…' : showing === null ? `No items yet. Add one${hasSample() ? ', or reset to the sample' : ''}.` : `No item has the keys of ${showing}.`}{' '}
          {!progress && showing === null && model.value && !hasSample() && designTables.value.includes(table.name) && <MakeUpButton />}
        </p>
      )}
    </section>
  );
}

// What the lit read took, at the picture itself.
function ReadFigures() {
  const trace = run.value?.trace;
  if (!trace) return null;
  return (
    <span class="pane-figures">
      <b>{run.value!.pattern}</b> · {plural(trace.itemsRead, 'item')} · {showBytes(trace.bytesRead)} · {count(trace.readUnits)} RCU · {perMillion(trace.price, trace.currency)}
      {trace.itemsThrownAway > 0 && ` · ${count(trace.itemsThrownAway)} discarded`}
    </span>
  );
}

// Writes that are not listed here yet.
function Waiting({ table, index }: { table: TableData; index: string | null }) {
  const here = table.pending.value.filter(({ change }) => change.index === index);
  if (index === null || here.length === 0) return null;
  const keys = table.keys(index);
  return (
    <ul class="waiting" aria-label="Waiting for the lag">
      {here.map(({ change, dueMs }) => {
        const item = (change.after ?? change.before)!;
        const what = { appears: 'just written, not yet listed', vanishes: 'deleted, still listed', moves: 'moved, but the index still shows its old place' }[
          change.effect as string
        ] ?? 'changed, but the index still shows the old version';
        return (
          <li key={`${change.id} ${dueMs}`}>
            <b>{keyOf(item, keys)}</b> {what}
            <span class="countdown" style={Number.isFinite(dueMs) ? { animationDuration: `${Math.max(0, dueMs - Date.now())}ms` } : { animation: 'none' }} />
          </li>
        );
      })}
    </ul>
  );
}
