// The selected item in full: where it stands on each side, its attributes, and ways to change it.
import { useEffect, useState } from 'preact/hooks';
import { member, plain, show, type Item } from '../../api/attribute_value.ts';
import { setQuery } from '../../app/route.ts';
import { colourStyle } from '../../design/colours.ts';
import { model, plan, source } from '../../design/design.ts';
import { fallOfChanges } from '../../design/fan_out.ts';
import { patternsThatNeed } from '../../design/key_reasons.ts';
import { keyText } from '../../design/order.ts';
import { itemSize, valueSize } from '../../design/sizes.ts';
import { bytes as showBytes } from '../../parts/numbers.ts';
import { ItemEditor } from '../../parts/item_editor.tsx';
import { KeyText } from '../../parts/key_text.tsx';
import { keyOf } from './changes.ts';
import { EntityForm } from './entity_form.tsx';
import type { SideKeys } from './side.ts';
import { choosePattern, data, decoder, editor, fall, lagMs, notesOn, say, sayChanges, selected, selectedItem, unselect, wish } from './state.ts';
import type { TableData } from './table_data.ts';
import { changeEntity, changeItem, removeItem, type Outcome, type PlainItem } from './writes.ts';

export function ItemPanel() {
  const item = selectedItem.value;
  const table = data.value;
  const editing = editor.value;
  const setEditing = (as: typeof editing) => (editor.value = as);
  // Left open, it would open again with the next item.
  useEffect(() => () => void (editor.value = null), []);
  if (!item || !table) {
    return (
      <p class="hint">
        Click an item in the picture, or go through it with the arrow keys: up and down by item, left and right by collection. Enter opens the item, + adds one to its collection.
      </p>
    );
  }
  const type = decoder.value.typeOf(item);
  const known = decoder.value.attributesOf(item);
  return (
    <div class="item-panel">
      <h2>
        <span class="type-name" style={colourStyle(type.colour)}>
          {type.name}
        </span>{' '}
        <small>
          {showBytes(itemSize(item))} of 400 KB
        </small>
      </h2>
      <Standing table={table} item={item} />
      {editing === null ? (
        <>
          <Attributes item={item} />
          <div class="actions">
            {known && <button onClick={() => setEditing('form')}>Edit</button>}
            <button onClick={() => setEditing('json')}>Edit as JSON</button>
            <DeleteButton table={table} item={item} />
          </div>
        </>
      ) : (
        <Editor key={selected.value} table={table} item={item} as={editing} onEnd={() => setEditing(null)} />
      )}
    </div>
  );
}

// Where the item is on every side, each a way to go there.
function Standing({ table, item }: { table: TableData; item: Item }) {
  const sides: (string | null)[] = [null, ...table.indexNames];
  void table.version.value;
  return (
    <ul class="standing">
      {sides.map((index) => {
        const keys = table.keys(index);
        const listed = table.side(index)?.find(selected.value!, item);
        return (
          <li key={index ?? ''}>
            <b>{index ?? 'Table'}</b>{' '}
            {listed ? (
              <button
                class="link"
                onClick={() => {
                  setQuery({ index: index ?? undefined });
                  wish.value += 1;
                }}
              >
                <Keys item={item} keys={keys} />
              </button>
            ) : (
              <span class="hint">{whyNotListed(table, index, item, keys)}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function whyNotListed(table: TableData, index: string | null, item: Item, keys: SideKeys): string {
  if (!table.side(index)) return 'not loaded yet';
  const waiting = table.pending.value.find(({ change }) => change.index === index && change.id === selected.value)?.change;
  if (waiting?.before) return `until the lag is over still listed as ${keyOf(waiting.before, keys)}`;
  if (waiting) return 'not yet listed: waits for the lag';
  const lacks = [...keys.partition, ...keys.sort].find((name) => !member(item, name));
  return lacks ? `not listed, the item has no ${lacks}` : 'not listed';
}

function Keys({ item, keys }: { item: Item; keys: SideKeys }) {
  const names = [...keys.partition, ...keys.sort];
  const entity = decoder.value.typeOf(item).name;
  return (
    <>
      {names.map((name, i) => (
        <span key={name}>
          {i > 0 && ' / '}
          <KeyText entity={entity} template={decoder.value.templateOf(item, name)} value={keyText(item[name]!)} />
        </span>
      ))}
    </>
  );
}

// Of a key: the patterns that die without it, each a way to see it at work.
function Why({ name }: { name: string }) {
  const table = data.value;
  if (!table?.keyNames.includes(name) || !model.value || !plan.value) return null;
  const needed = patternsThatNeed(model.value, plan.value, table.name, name);
  return (
    <details class="why">
      <summary>Why is this here?</summary>
      {needed.length === 0 ? (
        'No access pattern needs it; it makes the items of one partition distinct.'
      ) : (
        <>
          Without it these could not be answered:{' '}
          {plan.value.patterns
            .filter((pattern) => needed.includes(pattern.name))
            .map((pattern) => (
              <button key={pattern.name} class="link pattern-name" title={pattern.title} onClick={() => choosePattern(pattern.name, pattern.examples[0] ?? {})}>
                {pattern.name}
              </button>
            ))}
        </>
      )}
    </details>
  );
}

const typeNames: Record<string, string> = { S: 'text', N: 'number', B: 'binary', BOOL: 'true or false', NULL: 'null', M: 'map', L: 'list', SS: 'set of texts', NS: 'set of numbers', BS: 'set of binaries' };

function Attributes({ item }: { item: Item }) {
  return (
    <dl class="attribute-list">
      {Object.entries(item).map(([name, value]) => (
        <div key={name}>
          <dt>
            {name} <small>
              {typeNames[Object.keys(value)[0]!]}, {showBytes(valueSize(value))}
            </small>
          </dt>
          <dd>
            {'M' in value || 'L' in value ? <pre>{JSON.stringify(plain(value), null, 1)}</pre> : <code>{show(value)}</code>}
            <Why name={name} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function DeleteButton({ table, item }: { table: TableData; item: Item }) {
  const [sure, setSure] = useState(false);
  const remove = async () => {
    setSure(false);
    await attempt('Deleted.', () => removeItem(table, model.peek(), source.peek(), item, lagMs.peek()), unselect);
  };
  return sure ? (
    <>
      <button class="danger" onClick={() => void remove()}>
        Yes, delete it
      </button>
      <button onClick={() => setSure(false)}>Keep it</button>
    </>
  ) : (
    <button onClick={() => setSure(true)}>Delete</button>
  );
}

function Editor({ table, item, as, onEnd }: { table: TableData; item: Item; as: 'form' | 'json'; onEnd(): void }) {
  const known = decoder.value.attributesOf(item);
  const entity = model.value?.entities.find((one) => one.name === known?.entity);
  const saveForm = (attributes: PlainItem) => {
    // A field that was emptied takes the attribute away.
    const set = Object.fromEntries((entity?.attributes ?? []).map(({ name }) => [name, member(attributes, name)]));
    void attempt('Changed.', () => changeEntity(table, model.peek()!, source.peek(), item, set, lagMs.peek()), onEnd);
  };
  return (
    <div class="editor" onKeyDown={(event) => event.key === 'Escape' && onEnd()}>
      {as === 'form' && entity && known ? (
        <>
          <EntityForm
            entity={entity}
            names={entity.attributes.map(({ name }) => name)}
            initial={Object.fromEntries(Object.entries(known.attributes).map(([name, value]) => [name, formText(value)]))}
            suggestions={{}}
            action="Save"
            busy={false}
            onSend={saveForm}
          />
          <button onClick={onEnd}>Cancel</button>
        </>
      ) : (
        <ItemEditor
          label="Item"
          item={item}
          saveLabel="Save"
          onSave={(next) => attempt('Changed.', () => changeItem(table, item, next, lagMs.peek()), onEnd)}
          onCancel={onEnd}
          notes={notesOn}
        />
      )}
      <p class="hint">Saving is refused if somebody else changed the same attributes since they were read here.</p>
    </div>
  );
}

export function formText(value: Item[string]): string {
  return 'M' in value || 'L' in value || 'SS' in value || 'NS' in value ? JSON.stringify(plain(value)) : show(value);
}

// Runs a write and says what came of it.
export async function attempt(what: string, write: () => Promise<Outcome>, then: () => void = () => {}): Promise<void> {
  try {
    const done = await write();
    const units = `${done.writeUnits} write ${done.writeUnits === 1 ? 'unit' : 'units'}.`;
    then();
    sayChanges(`${what} ${units}`, done.changes);
    fall.value = fallOfChanges(done.sent.operation, done.changes, done.units);
  } catch (error) {
    say((error as Error).message, 'bad');
  }
}
