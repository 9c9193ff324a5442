// The key: each key attribute with the operators that are legal for it, or filled from an entity of the model.
import { Fragment } from 'preact';
import { useSignal } from '@preact/signals';
import { member, type AttributeValue, type Item } from '../api/attribute_value.ts';
import { hasWholeKey, testTitles, type Draft, type KeyTest, type KeyTestName } from '../requests/draft.ts';
import { keyTestsFor } from '../requests/legal.ts';
import { keysFor, type KeyField, type Layout, type TableSchema } from '../requests/schema.ts';
import { attributesIn, renderPrefix } from '../design/key_template.ts';
import { entityOptions } from './options.tsx';
import { ValueInput } from './value_input.tsx';

const emptyOf = (key: KeyField): AttributeValue => (key.type === 'N' ? { N: '0' } : key.type === 'B' ? { B: '' } : { S: '' });

// The key tests that an entity's templates give for these values of its attributes.
export function filledKey(keys: KeyField[], layout: Layout, values: Record<string, string>, whole: boolean): KeyTest[] {
  const filled: KeyTest[] = [];
  for (const key of keys) {
    const template = member(layout.templates, key.name);
    if (template === undefined) continue;
    const { text, complete } = renderPrefix(template, values);
    const value: AttributeValue = key.type === 'N' ? { N: text } : { S: text };
    if (complete || key.kind === 'HASH' || whole) filled.push({ name: key.name, test: '=', values: [value] });
    else if (text !== '') filled.push({ name: key.name, test: 'begins_with', values: [value] });
  }
  return filled;
}

interface Props {
  table: TableSchema;
  draft: Draft;
  samples: Item[]; // Some items of the table, whose key values are offered.
  onKey: (key: KeyTest[]) => void;
}

function FillFrom({ keys, table, draft, onKey }: Props & { keys: KeyField[] }) {
  const layouts = table.layouts.filter((layout) => keys.some(({ name }) => member(layout.templates, name) !== undefined));
  const chosen = useSignal('');
  const values = useSignal<Record<string, string>>({});
  if (layouts.length === 0) return null;
  const layout = layouts.find(({ entity }) => entity === chosen.value);
  const names = layout ? [...new Set(keys.flatMap(({ name }) => attributesIn(member(layout.templates, name) ?? '')))] : [];
  const whole = hasWholeKey(draft.operation);
  const fill = (entity: string, now: Record<string, string>) => {
    chosen.value = entity;
    values.value = now;
    const found = layouts.find((each) => each.entity === entity);
    if (found) onKey(filledKey(keys, found, now, whole));
  };
  return (
    <div class="fill" role="group" aria-label="Key from the model">
      <label>
        Make the key of{' '}
        <select value={chosen.value} onChange={(event) => fill(event.currentTarget.value, {})}>
          <option value="">an entity…</option>
          {entityOptions(layouts)}
        </select>
      </label>
      {layout &&
        names.map((name) => (
          <label key={name}>
            {name}{' '}
            <input value={member(values.value, name) ?? ''} onInput={(event) => fill(layout.entity, { ...values.peek(), [name]: event.currentTarget.value })} />
          </label>
        ))}
      {layout && (
        <small class="hint">
          {keys.map(({ name }) => member(layout.templates, name) && `${name} = ${member(layout.templates, name)}`).filter(Boolean).join(' · ')}
        </small>
      )}
    </div>
  );
}

function KeyRow({ field, given, usable, table, draft, samples, onKey }: Props & { field: KeyField; given: KeyTest | undefined; usable: boolean }) {
  const whole = hasWholeKey(draft.operation);
  const offered: KeyTestName[] = whole ? ['='] : keyTestsFor(field);
  const optional = field.kind === 'RANGE' && !whole;
  const put = (next: KeyTest | null) => {
    const others = draft.key.filter(({ name }) => name !== field.name);
    const order = (whole ? table.keys : keysFor(table, draft.index)).map(({ name }) => name);
    const key = next ? [...others, next] : others;
    onKey(key.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name)));
  };
  const set = (test: string) => {
    if (test === '') return put(null);
    const first = given?.values[0] ?? emptyOf(field);
    put({ name: field.name, test: test as KeyTestName, values: test === 'between' ? [first, given?.values[1] ?? emptyOf(field)] : [first] });
  };
  const known = [...new Set(samples.flatMap((item) => (member(item, field.name) && 'S' in item[field.name]! ? [(item[field.name] as { S: string }).S] : [])))];
  return (
    <div class="test" role="group" aria-label={field.name}>
      <span class="key-name">
        <code>{field.name}</code> <small>{field.kind === 'HASH' ? 'partition key' : 'sort key'}</small>
      </span>
      {optional || offered.length > 1 ? (
        <select aria-label={`Test of ${field.name}`} value={given?.test ?? ''} disabled={!usable && !given} onChange={(event) => set(event.currentTarget.value)}>
          {optional && <option value="">any</option>}
          {offered.map((test) => (
            <option key={test} value={test}>
              {testTitles[test]}
            </option>
          ))}
        </select>
      ) : (
        <span>=</span>
      )}
      {(given || !optional) &&
        (given?.values ?? [emptyOf(field)]).map((value, at) => (
          <Fragment key={at}>
            {at > 0 && <span>and</span>}
            <ValueInput
              label={at > 0 ? `Upper bound of ${field.name}` : `Value of ${field.name}`}
              value={value}
              types={[field.type]}
              values={known.slice(0, 50)}
              needed
              onChange={(now) => {
                const before = given ?? { name: field.name, test: '=' as const, values: [emptyOf(field)] };
                put({ ...before, values: before.values.map((old, position) => (position === at ? now : old)) });
              }}
            />
          </Fragment>
        ))}
    </div>
  );
}

export function KeyEditor(props: Props) {
  const { table, draft } = props;
  const keys = hasWholeKey(draft.operation) ? table.keys : keysFor(table, draft.index);
  let usable = true; // A sort attribute can be used while those before it are fixed.
  return (
    <>
      <FillFrom key={`${table.name} ${draft.index ?? ''}`} keys={keys} {...props} />
      {keys.map((field) => {
        const given = draft.key.find(({ name }) => name === field.name);
        const row = <KeyRow key={field.name} field={field} given={given} usable={usable} {...props} />;
        if (field.kind === 'RANGE' && given?.test !== '=') usable = false;
        return row;
      })}
    </>
  );
}
