// The items of an answer as a grid that is edited in place, one item or many, and what can be done to those that are selected.
import { signal, useSignal, type Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { member, type AttributeValue, type Item } from '../../api/attribute_value.ts';
import { keyNames, keyOf } from '../../api/dynamodb.ts';
import { Grid } from '../../parts/grid.tsx';
import type { CellEdit } from '../../parts/grid_cells.ts';
import { changeOf } from '../../requests/guarded_write.ts';
import { keysFor, projected } from '../../requests/schema.ts';
import { Follow, markOf, offeredColumns } from './decoded.tsx';
import { answer, draft, more, openTable, run, saved, schema, typeOfNew, wholeItem } from './state.ts';
import { deleteMany, insertMany, redoable, redoWrite, saveChanges, saveMany, undoable, undoWrite } from './writes.ts';

// The editor that is open under the grid.
export type Opened = { kind: 'edit' | 'new'; item: Item; copy?: boolean } | null;

const undoTrouble = signal('');
const undo = async () => (undoTrouble.value = (await undoWrite()) ?? '');

const redo = async () => (undoTrouble.value = (await redoWrite()) ?? '');

// "the edit", "3 deletions".
function namedOf({ steps }: NonNullable<typeof undoable.value>): string {
  const [first] = steps;
  const kind = !first!.now ? 'deletion' : first!.before ? 'edit' : 'insert';
  return steps.length > 1 ? `${steps.length} ${kind}s` : `the ${kind}`;
}

export function Undo() {
  const last = undoable.value;
  const next = redoable.value;
  return (
    <>
      {last && (
        <button type="button" title="Ctrl+Z in the grid" onClick={() => void undo()}>
          Undo {namedOf(last)}
        </button>
      )}
      {next && (
        <button type="button" title="Ctrl+Shift+Z in the grid" onClick={() => void redo()}>
          Redo {namedOf(next)}
        </button>
      )}
      {undoTrouble.value && <span class="wrong">{undoTrouble.value}</span>}
    </>
  );
}

// The item of the page that has this one's key: an edit makes another object of it.
function sameItem(item: Item | null): Item | null {
  const schema = openTable.value!.KeySchema;
  const key = item && JSON.stringify(keyOf(item, schema));
  return (key && answer.value!.items.find((one) => JSON.stringify(keyOf(one, schema)) === key)) || null;
}

interface ActionsProps {
  selected: Item | null;
  several: Item[];
  trouble: Signal<string>;
  openItem: (copy: boolean) => void;
}

// What can be done to the selected items.
function Actions({ selected, several, trouble, openItem }: ActionsProps) {
  const deleting = useSignal(false);
  const deleteThem = async () => {
    deleting.value = true;
    trouble.value = (await deleteMany(several)) ?? '';
    deleting.value = false;
  };
  return (
    <div class="group-add">
      <button type="button" disabled={!selected} onClick={() => openItem(false)}>
        Open item
      </button>
      <button type="button" disabled={!selected} onClick={() => openItem(true)}>
        Duplicate item
      </button>
      {several.length > 1 && !deleting.value && (
        <button type="button" class="danger" onClick={() => void deleteThem()}>
          Delete {several.length} items
        </button>
      )}
      {trouble.value && <span class="wrong">{trouble.value}</span>}
      <details class="grid-help">
        <summary>Keyboard shortcuts</summary>
        <p class="hint">
          Enter edits a cell; on a key attribute it opens the item. Drag, Shift+arrows or Ctrl+A select cells. Ctrl+C copies the selected cells for a spreadsheet, Ctrl+Shift+C copies
          whole rows. Ctrl+V pastes; a single copied cell fills the whole selection. Ctrl+Enter saves the value into all selected rows. Delete removes values. Ctrl+Z undoes the last
          write. Click a heading to sort the rows that are loaded, not the whole table; drag its edge to change the width.
        </p>
      </details>
    </div>
  );
}

// `children`: what is said about the items, and stays in sight below the grid with what can be done to them.
export function ItemGrid({ open, children }: { open: (opened: Opened) => void; children: ComponentChildren }) {
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
  const chosen = useSignal<Item[]>([]);
  const trouble = useSignal('');
  const there = new Set(now.items);
  const several = chosen.value.filter((item) => there.has(item));
  // What an index projects is missing in the item itself if it is missing here.
  const shown = now.operation === 'Query' || now.operation === 'Scan' ? schema.value && projected(schema.value, draft.value.index) : null;
  const mayLack = (name: string) => now.partial && !shown?.has(name);
  return (
    <>
      <Grid
        label="Items"
        items={now.items}
        keys={keys}
        offered={editable && (!now.partial || shown) ? offeredColumns() : []}
        mark={markOf}
        onEnd={() => void more()}
        {...(editable
          ? {
              onOpen: (item: Item) => void openItem(item, false),
              onEdit: (item: Item, name: string, value: AttributeValue) =>
                saveChanges(item, [changeOf(name, member(item, name), value)]),
              onRefused: () => void (saved.value = ''), // Of the edit before.
              typeOfNew,
              locked: (item: Item, name: string) =>
                own.includes(name)
                  ? `${name} is part of the key and cannot change. Press Enter for the item editor.`
                  : !member(item, name) && mayLack(name)
                    ? 'This result may lack attributes. Open the item to add one.'
                    : null,
              onChanges: async (edits: CellEdit[], added: Item[]) => (await saveMany(edits)) ?? (added.length > 0 ? insertMany(added) : null),
              onStep: (back: boolean) => void (back ? undo() : redo()),
              onSelect: (item: Item, all: Item[]) => {
                selected.value = item;
                chosen.value = all;
                trouble.value = '';
              },
            }
          : {})}
      />
      <div class="grid-foot">
        {editable ? (
          <Actions {...{ several, trouble }} selected={sameItem(selected.value)} openItem={(copy) => void openItem(sameItem(selected.peek())!, copy)} />
        ) : (
          <p class="hint">This result lacks the whole key of its items, so it cannot be edited.</p>
        )}
        {children}
      </div>
      <Follow item={sameItem(selected.value) ?? now.items[0] ?? null} />
    </>
  );
}
