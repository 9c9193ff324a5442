// A new item: by the form of its entity when a model is open, else as DynamoDB JSON.
import { useMemo, useState } from 'preact/hooks';
import type { AttributeValue, Item } from '../../api/attribute_value.ts';
import { model, source } from '../../design/design.ts';
import { matchTemplate } from '../../design/decode.ts';
import { ItemEditor } from '../../parts/item_editor.tsx';
import { EntityForm } from './entity_form.tsx';
import { attempt } from './item_panel.tsx';
import { data, decoder, lagMs } from './state.ts';
import { collectValues, valuesFor } from './suggest.ts';
import type { TableData } from './table_data.ts';
import { addEntity, addItem } from './writes.ts';

// Where the wish to add came from: a collection of one side.
export interface AddHere {
  index: string | null;
  partition: string;
}

export function AddPanel({ here }: { here: AddHere | null }) {
  const table = data.value;
  const known = model.value;
  const layouts = known?.tables.find((one) => one.name === table?.name)?.items ?? [];
  const fitting = layouts.filter((layout) => !here || !table || prefill(table, layout.entity, here) !== null);
  const [chosen, setChosen] = useState<string | null>(null);
  const byModel = decoder.value.types.length > 0 && layouts.length > 0;
  // An edge says more about a collection than the entity it belongs to.
  const entityName = chosen ?? fitting[fitting.length - 1]?.entity ?? layouts[layouts.length - 1]?.entity ?? 'json';
  const entity = known?.entities.find((one) => one.name === entityName);
  if (!table) return null;
  return (
    <div class="add-panel">
      <p class="hint">
        {here
          ? `A new item in ${here.partition} of ${here.index ?? 'the table'}.`
          : 'A new item. It is written to the table; an index lists it if it has the index’s keys.'}
      </p>
      {byModel && (
        <label class="field">
          <span>What is it?</span>
          <select value={entityName} onChange={(event) => setChosen(event.currentTarget.value)}>
            {layouts.map(({ entity: name }) => (
              <option key={name}>{name}</option>
            ))}
            <option value="json">Anything, as JSON</option>
          </select>
        </label>
      )}
      {byModel && entity ? (
        <ByEntity key={`${entity.name} ${here?.index} ${here?.partition}`} table={table} entityName={entity.name} here={here} />
      ) : (
        <ByJson key={here?.partition} table={table} here={here} />
      )}
    </div>
  );
}

function ByEntity({ table, entityName, here }: { table: TableData; entityName: string; here: AddHere | null }) {
  const known = model.value!;
  const entity = known.entities.find((one) => one.name === entityName)!;
  const [busy, setBusy] = useState(false);
  const found = useMemo(
    () => (table.side(null) ? collectValues(table.side(null)!, decoder.value) : new Map<string, Set<string>>()),
    [table, table.version.value],
  );
  return (
    <EntityForm
      entity={entity}
      names={entity.attributes.map(({ name }) => name)}
      initial={(here && prefill(table, entityName, here)) ?? {}}
      suggestions={Object.fromEntries(entity.attributes.map(({ name }) => [name, valuesFor(known, found, `${entityName}.${name}`)]))}
      action={`Add ${entityName}`}
      busy={busy}
      onSend={(attributes) => {
        setBusy(true);
        void attempt('Added.', () => addEntity(table, source.peek(), entityName, attributes, lagMs.peek())).finally(() => setBusy(false));
      }}
    />
  );
}

// What the collection's key says of the entity's attributes; null if its items do not stand there.
function prefill(table: TableData, entityName: string, here: AddHere): Record<string, string> | null {
  const layout = model.peek()?.tables.find((one) => one.name === table.name)?.items.find((one) => one.entity === entityName);
  const name = table.keys(here.index).partition;
  const stored = layout?.attributes.find((one) => one.name === name);
  if (!stored) {
    const own = model.peek()?.entities.find((one) => one.name === entityName)?.attributes.some((one) => one.name === name);
    return own ? { [name]: here.partition } : null;
  }
  if (stored.kind === 'attribute') return { [stored.template ?? name]: here.partition };
  const pieces = matchTemplate(stored.template ?? '', here.partition);
  if (!pieces) return null;
  return Object.fromEntries(pieces.filter((piece) => piece.attribute !== null).map((piece) => [piece.attribute!, piece.text]));
}

function ByJson({ table, here }: { table: TableData; here: AddHere | null }) {
  return (
    <ItemEditor
      label="New item"
      item={skeleton(table, here)}
      saveLabel="Write the item"
      onSave={(item) => attempt('Added.', () => addItem(table, item, lagMs.peek()))}
    />
  );
}

function skeleton(table: TableData, here: AddHere | null): Item {
  const item: Item = {};
  for (const name of [...table.tableKeys, ...(here?.index ? [table.keys(here.index).partition] : [])]) {
    const type = table.description.AttributeDefinitions.find((one) => one.AttributeName === name)?.AttributeType ?? 'S';
    const given = here && table.keys(here.index).partition === name ? here.partition : '';
    item[name] = { [type]: given } as AttributeValue;
  }
  return item;
}
