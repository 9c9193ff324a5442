// A new item: by the form of its entity when a model is open, else as DynamoDB JSON.
import { useMemo, useState } from 'preact/hooks';
import { emptyRecord, type AttributeValue, type Item } from '../../api/attribute_value.ts';
import { model, source } from '../../design/design.ts';
import { matchTemplate } from '../../design/key_template.ts';
import { ItemEditor } from '../../parts/item_editor.tsx';
import { EntityForm } from './entity_form.tsx';
import { attempt } from './item_panel.tsx';
import { data, decoder, lagMs, notesOn } from './state.ts';
import { collectValues, valuesFor } from './suggest.ts';
import { unpackKey } from './side.ts';
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
          ? `A new item in ${unpackKey(here.partition, table.keys(here.index).partition).join(', ')} of ${here.index ?? 'the table'}.`
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
      stored={found}
      action={`Add ${entityName}`}
      busy={busy}
      onSend={(attributes) => {
        setBusy(true);
        void attempt('Added.', () => addEntity(table, source.peek(), entityName, attributes, lagMs.peek())).finally(() => setBusy(false));
      }}
    />
  );
}

// Attributes of the entity that the collection's key gives; null if its items do not stand there.
function prefill(table: TableData, entityName: string, here: AddHere): Record<string, string> | null {
  const layout = model.peek()?.tables.find((one) => one.name === table.name)?.items.find((one) => one.entity === entityName);
  const entity = model.peek()?.entities.find((one) => one.name === entityName);
  const names = table.keys(here.index).partition;
  const read: Record<string, string> = emptyRecord();
  for (const [i, text] of unpackKey(here.partition, names).entries()) {
    const name = names[i]!;
    const stored = layout?.attributes.find((one) => one.name === name);
    if (stored?.kind === 'template') {
      const pieces = matchTemplate(stored.template ?? '', text);
      if (!pieces) return null;
      for (const { attribute, text: value } of pieces) if (attribute !== null) read[attribute] = value;
    } else {
      const attribute = stored?.template ?? name;
      if (!entity?.attributes.some((one) => one.name === attribute)) return null;
      read[attribute] = text;
    }
  }
  return read;
}

function ByJson({ table, here }: { table: TableData; here: AddHere | null }) {
  return (
    <ItemEditor
      label="New item"
      item={skeleton(table, here)}
      saveLabel="Write the item"
      notes={notesOn}
      onSave={(item) => attempt('Added.', () => addItem(table, item, lagMs.peek()))}
    />
  );
}

function skeleton(table: TableData, here: AddHere | null): Item {
  const item: Item = emptyRecord();
  const names = here ? table.keys(here.index).partition : [];
  const texts = here ? unpackKey(here.partition, names) : [];
  for (const name of new Set([...table.tableKeys, ...names])) {
    const type = table.description.AttributeDefinitions.find((one) => one.AttributeName === name)?.AttributeType ?? 'S';
    item[name] = { [type]: texts[names.indexOf(name)] ?? '' } as AttributeValue;
  }
  return item;
}
