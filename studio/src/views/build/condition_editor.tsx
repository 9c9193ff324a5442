// A condition as groups of tests. Offers only the tests and value types that can come out true.
import { Fragment } from 'preact';
import type { TypeName } from '../../api/attribute_value.ts';
import {
  arity, emptyValue, isGroup, testTitles, type Condition, type Group, type Leaf, type Operand, type Test,
} from '../../requests/draft.ts';
import { rightTypes, testsFor, typeOfOperand, allTypes, typeTitles } from '../../requests/legal.ts';
import { PathInput } from './path_input.tsx';
import { schema } from './state.ts';
import { converted, ValueInput } from '../../parts/value_input.tsx';

// The same leaf with a new test or attribute: operands are kept as far as they still fit.
export function fitted(leaf: Leaf): Leaf {
  const type = typeOfOperand(leaf.left, schema.peek());
  const test = testsFor(type).includes(leaf.test) ? leaf.test : '=';
  const types = rightTypes(test, type);
  const wanted = test === 'in' ? Math.max(1, leaf.right.length) : arity(test);
  const right = Array.from({ length: wanted }, (_, at): Operand => {
    const old = leaf.right[at];
    if (test === 'attribute_type') return old && 'value' in old && 'S' in old.value && allTypes.includes(old.value.S as TypeName) ? old : { value: { S: 'S' } };
    if (old && 'value' in old) {
      const fits = types.includes(Object.keys(old.value)[0] as TypeName);
      return fits ? old : { value: converted(old.value, types[0]!) };
    }
    return old ?? { value: emptyValue(types[0]!) };
  });
  return { ...leaf, test, right };
}

function LeftOperand({ leaf, without, label, onChange }: { leaf: Leaf; without: string[]; label: string; onChange: (leaf: Leaf) => void }) {
  const isSize = 'size' in leaf.left;
  const path = 'size' in leaf.left ? leaf.left.size : 'path' in leaf.left ? leaf.left.path : [];
  return (
    <>
      <select
        aria-label={`Attribute that ${label} tests`}
        value={isSize ? 'size' : 'path'}
        onChange={(event) => onChange(fitted({ ...leaf, left: event.currentTarget.value === 'size' ? { size: path } : { path } }))}
      >
        <option value="path">attribute</option>
        <option value="size">size of</option>
      </select>
      <PathInput label={`Attribute of ${label}`} path={path} without={without} onChange={(now) => onChange(fitted({ ...leaf, left: isSize ? { size: now } : { path: now } }))} />
    </>
  );
}

function RightOperand({ operand, types, label, values, onChange }: { operand: Operand; types: TypeName[]; label: string; values?: string[]; onChange: (operand: Operand) => void }) {
  const kind = 'path' in operand ? 'path' : 'size' in operand ? 'size' : 'value';
  return (
    <span class="operand">
      <select
        aria-label={`Kind of ${label}`}
        value={kind}
        onChange={(event) => {
          const to = event.currentTarget.value;
          onChange(to === 'path' ? { path: [] } : to === 'size' ? { size: [] } : { value: emptyValue(types[0]!) });
        }}
      >
        <option value="value">value</option>
        <option value="path">attribute</option>
        {types.includes('N') && <option value="size">size of</option>}
      </select>
      {'value' in operand ? (
        <ValueInput label={label} value={operand.value} types={types} onChange={(value) => onChange({ value })} {...(values ? { values } : {})} />
      ) : (
        <PathInput
          label={label}
          path={'path' in operand ? operand.path : operand.size}
          onChange={(path) => onChange('path' in operand ? { path } : { size: path })}
        />
      )}
    </span>
  );
}

function LeafRow({ leaf, label, without, onChange, onRemove }: { leaf: Leaf; label: string; without: string[]; onChange: (leaf: Leaf) => void; onRemove: () => void }) {
  const type = typeOfOperand(leaf.left, schema.value);
  const offered = testsFor(type);
  const types = rightTypes(leaf.test, type);
  const name = 'path' in leaf.left ? leaf.left.path[0] : undefined;
  const values = schema.value?.fields.find((field) => field.name === name)?.values;
  const set = (at: number, operand: Operand) => onChange({ ...leaf, right: leaf.right.map((old, position) => (position === at ? operand : old)) });
  return (
    <div class="test" role="group" aria-label={label}>
      <label class="not">
        <input type="checkbox" checked={leaf.not ?? false} onChange={(event) => onChange({ ...leaf, not: event.currentTarget.checked })} /> not
      </label>
      <LeftOperand leaf={leaf} label={label} without={without} onChange={onChange} />
      <select aria-label={`Test of ${label}`} value={leaf.test} onChange={(event) => onChange(fitted({ ...leaf, test: event.currentTarget.value as Test }))}>
        {(offered.includes(leaf.test) ? offered : [leaf.test, ...offered]).map((test) => (
          <option key={test} value={test}>
            {testTitles[test]}
          </option>
        ))}
      </select>
      {leaf.test === 'attribute_type' ? (
        <select
          aria-label={`Value of ${label}`}
          value={leaf.right[0] && 'value' in leaf.right[0] && 'S' in leaf.right[0].value ? leaf.right[0].value.S : 'S'}
          onChange={(event) => set(0, { value: { S: event.currentTarget.value } })}
        >
          {allTypes.map((each) => (
            <option key={each} value={each}>
              {typeTitles[each]} ({each})
            </option>
          ))}
        </select>
      ) : (
        leaf.right.map((operand, at) => (
          <Fragment key={at}>
            {at > 0 && <span>{leaf.test === 'between' ? 'and' : 'or'}</span>}
            <RightOperand operand={operand} types={types} label={leaf.right.length > 1 ? `Value ${at + 1} of ${label}` : `Value of ${label}`} onChange={(now) => set(at, now)} {...(values ? { values } : {})} />
          </Fragment>
        ))
      )}
      {leaf.test === 'in' && (
        <button type="button" onClick={() => onChange({ ...leaf, right: [...leaf.right, { value: emptyValue(types[0]!) }] })} disabled={leaf.right.length >= 100}>
          + value
        </button>
      )}
      <button type="button" class="remove" aria-label={`Remove ${label}`} onClick={onRemove}>
        ×
      </button>
    </div>
  );
}

export const newLeaf = (): Leaf => ({ left: { path: [] }, test: '=', right: [{ value: { S: '' } }] });

interface Props {
  group: Group;
  label: string;
  without?: string[];
  onChange: (group: Group) => void;
  onRemove?: () => void;
}

export function GroupEditor({ group, label, without = [], onChange, onRemove }: Props) {
  const replace = (at: number, part: Condition) => onChange({ ...group, parts: group.parts.map((old, position) => (position === at ? part : old)) });
  const drop = (at: number) => onChange({ ...group, parts: group.parts.filter((_, position) => position !== at) });
  return (
    <div class="group" role="group" aria-label={label}>
      {(group.parts.length > 1 || onRemove || group.not) && (
        <div class="group-head">
          <label class="not">
            <input type="checkbox" checked={group.not ?? false} onChange={(event) => onChange({ ...group, not: event.currentTarget.checked })} /> not
          </label>
          <select aria-label={`How ${label} combines its tests`} value={group.join} onChange={(event) => onChange({ ...group, join: event.currentTarget.value as 'AND' | 'OR' })}>
            <option value="AND">all of these (AND)</option>
            <option value="OR">any of these (OR)</option>
          </select>
          {onRemove && (
            <button type="button" class="remove" aria-label={`Remove ${label}`} onClick={onRemove}>
              ×
            </button>
          )}
        </div>
      )}
      {group.parts.map((part, at) =>
        isGroup(part) ? (
          <GroupEditor key={at} group={part} label={`${label}, group ${at + 1}`} without={without} onChange={(now) => replace(at, now)} onRemove={() => drop(at)} />
        ) : (
          <LeafRow key={at} leaf={part} label={`${label}, test ${at + 1}`} without={without} onChange={(now) => replace(at, now)} onRemove={() => drop(at)} />
        ),
      )}
      <div class="group-add">
        <button type="button" onClick={() => onChange({ ...group, parts: [...group.parts, newLeaf()] })}>
          + test
        </button>
        {group.parts.length > 0 && (
          <button type="button" onClick={() => onChange({ ...group, parts: [...group.parts, { join: group.join === 'AND' ? 'OR' : 'AND', parts: [newLeaf()] }] })}>
            + group
          </button>
        )}
      </div>
    </div>
  );
}
