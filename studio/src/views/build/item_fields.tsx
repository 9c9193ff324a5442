// The item of PutItem: attributes one by one, as text, or made from an entity of the model.
import { useSignal } from '@preact/signals';
import { emptyRecord, member, type AttributeValue, type Item } from '../../api/attribute_value.ts';
import { model as api, type PlainValue } from '../../api/model.ts';
import { source } from '../../design/design.ts';
import { printItem } from '../../parts/item_text.ts';
import { ItemEditor } from '../../parts/item_editor.tsx';
import { emptyValue } from '../../requests/draft.ts';
import { allTypes, typeOfPath } from '../../requests/legal.ts';
import type { Layout } from '../../requests/schema.ts';
import { change, draft, schema } from './state.ts';
import { entityOptions } from '../../parts/options.tsx';
import { ValueInput } from '../../parts/value_input.tsx';

function plainOf(layout: Layout, texts: Record<string, string>): Record<string, unknown> {
  const plain: Record<string, PlainValue> = emptyRecord();
  for (const { name, type } of layout.attributes) {
    const text = member(texts, name);
    if (text === undefined || text === '') continue;
    plain[name] = type === 'BOOL' ? text === 'true' : text;
  }
  return plain;
}

function FromEntity() {
  const chosen = useSignal('');
  const texts = useSignal<Record<string, string>>({});
  const problem = useSignal('');
  const layouts = schema.value?.layouts ?? [];
  if (layouts.length === 0) return null;
  const layout = layouts.find(({ entity }) => entity === chosen.value);
  const make = async (found: Layout, now: Record<string, string>) => {
    texts.value = now;
    try {
      const { item } = await api.item(source.peek(), found.entity, plainOf(found, now));
      if (texts.peek() === now) change({ item });
      problem.value = '';
    } catch (error) {
      problem.value = (error as Error).message;
    }
  };
  return (
    <div class="fill" role="group" aria-label="Item from the model">
      <label>
        Make a{' '}
        <select value={chosen.value} onChange={(event) => (chosen.value = event.currentTarget.value)}>
          <option value="">…</option>
          {entityOptions(layouts)}
        </select>
      </label>
      {layout?.attributes.map(({ name }) => (
        <label key={name}>
          {name} <input value={member(texts.value, name) ?? ''} onInput={(event) => void make(layout, { ...texts.peek(), [name]: event.currentTarget.value })} />
        </label>
      ))}
      {problem.value && (
        <small class="hint" role="status">
          {problem.value}
        </small>
      )}
    </div>
  );
}

function AttributeRow({ name, value, at, entries }: { name: string; value: AttributeValue; at: number; entries: [string, AttributeValue][] }) {
  const set = (changed: [string, AttributeValue] | null) => {
    const next = entries.flatMap((entry, position) => (position === at ? (changed ? [changed] : []) : [entry]));
    change({ item: Object.fromEntries(next) as Item });
  };
  const known = typeOfPath([name], schema.value);
  const label = name === '' ? `attribute ${at + 1}` : name;
  return (
    <div class="test" role="group" aria-label={label}>
      <input aria-label={`Name of attribute ${at + 1}`} value={name} placeholder="name" data-missing={name === '' ? '' : undefined} onChange={(event) => set([event.currentTarget.value, value])} />
      <span>=</span>
      <ValueInput label={`Value of ${label}`} value={value} types={known ? [known] : allTypes} needed={schema.value?.keys.some((key) => key.name === name) ?? false} onChange={(now) => set([name, now])} />
      <button type="button" class="remove" aria-label={`Remove ${label}`} onClick={() => set(null)}>
        ×
      </button>
    </div>
  );
}

export function ItemFields() {
  const asText = useSignal(false);
  const item = draft.value.item ?? {};
  const entries = Object.entries(item);
  const add = () => {
    const next = [...(schema.peek()?.keys ?? []), ...(schema.peek()?.fields ?? [])].find(({ name }) => !member(item, name));
    const name = next?.name ?? ['', ...Array.from({ length: 100 }, (_, at) => `attribute${at + 1}`)].find((each) => !member(item, each))!;
    change({ item: { ...item, [name]: emptyValue(next?.type ?? 'S') } });
  };
  return (
    <>
      <FromEntity key={draft.value.table} />
      {asText.value ? (
        <ItemEditor
          key={printItem(item, 'plain')}
          label="Item as text"
          item={item}
          saveLabel="Use this item"
          onCancel={() => (asText.value = false)}
          onSave={async (found) => {
            change({ item: found });
            asText.value = false;
          }}
        />
      ) : (
        <div class="group">
          {entries.map(([name, value], at) => (
            <AttributeRow key={at} name={name} value={value} at={at} entries={entries} />
          ))}
          <div class="group-add">
            <button type="button" onClick={add}>
              + attribute
            </button>
            <button type="button" onClick={() => (asText.value = true)}>
              As text
            </button>
          </div>
        </div>
      )}
    </>
  );
}
