// The items on the page, read by the open design: what each is, where it leads, and where it is not as it should be.
import { computed } from '@preact/signals';
import { linkTo, go } from '../../app/route.ts';
import { member, type Item } from '../../api/attribute_value.ts';
import { keyNames } from '../../api/dynamodb.ts';
import { colourStyle, entityColour } from '../../design/colours.ts';
import { makeDecoder } from '../../design/decode.ts';
import { model } from '../../design/design.ts';
import { byTableKeys, driftOf } from '../../design/drift.ts';
import { linksOf, type ItemLink } from '../../design/links.ts';
import type { RowMark } from '../../parts/grid.tsx';
import { plural } from '../../parts/numbers.ts';
import type { Draft } from '../../requests/draft.ts';
import { packDraft } from '../../requests/link.ts';
import { projected } from '../../requests/schema.ts';
import { answer, change, draft, mode, openTable, run, schema, tables } from './state.ts';
import './decoded.css';

// Null while no design describes the table that is open.
export const described = computed(() => {
  const table = openTable.value;
  const known = model.value?.tables.find(({ name }) => name === table?.TableName);
  const decoder = table && makeDecoder(model.value, table.TableName, keyNames(table.KeySchema));
  return table && known && decoder && decoder.types.length > 0 ? { table, model: model.value!, decoder } : null;
});

// A statement that selects some attributes may leave out what says what an item is.
const hasKeys = (item: Item) => (described.value ? keyNames(described.value.table.KeySchema) : []).every((name) => member(item, name) !== undefined);

const drifts = computed(() => {
  const now = described.value;
  const found = new Map<Item, string[]>();
  if (!now) return found;
  const { items, partial } = answer.value ?? { items: [], partial: false };
  for (const item of items.filter(hasKeys)) {
    const wrong = driftOf(now.model, now.table.TableName, now.decoder, item, partial);
    if (wrong.length > 0) found.set(item, wrong);
  }
  return found;
});

// What the design says of an item that somebody edits.
export function notesOn(item: Item): string[] {
  const now = described.peek();
  return now && hasKeys(item) ? driftOf(now.model, now.table.TableName, now.decoder, item) : [];
}

// The mark before a row of the grid.
export function markOf(item: Item): RowMark | null {
  const now = described.value;
  if (!now || !hasKeys(item)) return null;
  const loose = now.decoder.attributesOf(item) ? null : byTableKeys(now.model, now.model.tables.find((table) => table.name === now.table.TableName)!, item);
  const { name, colour } = loose ? { name: loose.entity, colour: entityColour(now.model, loose.entity) } : now.decoder.typeOf(item);
  return { name, colour, problems: drifts.value.get(item) ?? [], keyOf: (column) => now.decoder.templateOf(item, column) };
}

// Attributes that the entities on the page may have and that this answer would show: columns for a first value.
export function offeredColumns(): string[] {
  const now = described.value;
  if (!now || !answer.value) return [];
  const shown = schema.value && projected(schema.value, draft.value.index);
  const entities = new Set(answer.value.items.map((item) => now.decoder.attributesOf(item)?.entity));
  return now.model.tables
    .find(({ name }) => name === now.table.TableName)!
    .items.filter(({ entity }) => entities.has(entity))
    .flatMap(({ entity, without }) =>
      // A second layout of an entity has a name of its own, and holds what it names.
      (now.model.entities.find(({ name }) => name === entity)?.attributes ?? [])
        .filter(({ name, optional }) => optional && !without.includes(name))
        .map(({ name }) => name),
    )
    .filter((name) => !shown || shown.has(name));
}

// Drift of the page, the same sentence once; its values differ from item to item.
export function Drift() {
  if (!described.value) return null;
  const shown = answer.value?.items.length ?? 0;
  if (shown === 0) return null;
  if (!answer.value!.items.some(hasKeys)) return <p class="decoded-said">Without the keys of the table the items of this answer cannot be told apart.</p>;
  if (drifts.value.size === 0) {
    return (
      <p class="decoded-said">
        Decoded by {described.value.model.title ? `“${described.value.model.title}”` : 'the model'}: {shown === 1 ? 'the item on this page fits' : `all ${plural(shown, 'item')} on this page fit`}.
      </p>
    );
  }
  const wrong = [...drifts.value.values()].flat();
  return (
    <details class="decoded-said drifted">
      <summary>
        {plural(drifts.value.size, 'item')} of {shown} on this page {drifts.value.size === 1 ? 'does' : 'do'} not fit “{described.value.model.title}”.
      </summary>
      <ul>
        {[...new Set(wrong)].slice(0, 20).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </details>
  );
}

async function follow(next: Draft): Promise<void> {
  const table = openTable.peek();
  if (next.table === table?.TableName && next.operation === mode.peek()) {
    change({ index: undefined, filter: undefined, ...next } as Partial<Draft>);
    await run();
    return;
  }
  go(linkTo('explore', [next.table], { mode: next.operation, q: await packDraft(next) }));
}

const kinds: ItemLink['kind'][] = ['refers to', 'has', 'stands in'];

// The ways from the item that has the focus.
export function Follow({ item }: { item: Item | null }) {
  const now = described.value;
  if (!now || !item || !hasKeys(item)) return null;
  const typeOfKey = (table: string, key: string) =>
    tables.value.find(({ TableName }) => TableName === table)?.AttributeDefinitions.find(({ AttributeName }) => AttributeName === key)?.AttributeType ?? 'S';
  const links = linksOf(now.model, now.table.TableName, now.decoder, item, typeOfKey);
  const { name, colour } = now.decoder.typeOf(item);
  return (
    <nav class="follow" aria-label="Follow the item">
      <span class="type-tag" style={colourStyle(colour)}>
        {name}
      </span>
      {kinds.map((kind) => {
        const ways = links.filter((one) => one.kind === kind);
        return (
          ways.length > 0 && (
            <span key={kind} class="follow-ways">
              {kind}{' '}
              {ways.map(({ title, draft }) => (
                <button key={title} type="button" onClick={() => void follow(draft)}>
                  {title}
                </button>
              ))}
            </span>
          )
        );
      })}
      {(drifts.value.get(item) ?? []).map((sentence) => (
        <span key={sentence} class="drift-sentence">
          {sentence}
        </span>
      ))}
    </nav>
  );
}
