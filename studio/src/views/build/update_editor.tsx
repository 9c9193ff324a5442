// The actions of an UpdateItem, one by one.
import type { AttributeValue, TypeName } from '../../api/attribute_value.ts';
import { emptyValue, setForms, type Operand, type Path, type SetAction, type SetForm, type UpdateAction } from '../../requests/draft.ts';
import { allTypes, typeOfPath } from '../../requests/legal.ts';
import { PathInput } from './path_input.tsx';
import { schema } from './state.ts';
import { ValueInput } from '../../parts/value_input.tsx';

const formTitles: Record<SetForm, string> = {
  value: 'to', plus: 'to itself +', minus: 'to itself −', if_not_exists: 'only if missing, to', append: 'with this list at the end', prepend: 'with this list in front',
};

const actionTitles = { SET: 'Set', REMOVE: 'Remove', ADD: 'Add to', DELETE: 'Delete from set' };

// The forms that can work for an attribute of this type.
export function formsFor(type: TypeName | undefined): SetForm[] {
  return setForms.filter((form) => {
    if (!type) return true;
    if (form === 'plus' || form === 'minus') return type === 'N';
    return form === 'append' || form === 'prepend' ? type === 'L' : true;
  });
}

function typesFor(form: SetForm, known: TypeName | undefined): TypeName[] {
  if (form === 'plus' || form === 'minus') return ['N'];
  if (form === 'append' || form === 'prepend') return ['L'];
  return known ? [known, ...allTypes.filter((type) => type !== known)] : allTypes;
}

export function actionsFor(type: TypeName | undefined): UpdateAction['action'][] {
  if (!type) return ['SET', 'REMOVE', 'ADD', 'DELETE'];
  if (type === 'N') return ['SET', 'REMOVE', 'ADD'];
  return type === 'SS' || type === 'NS' || type === 'BS' ? ['SET', 'REMOVE', 'ADD', 'DELETE'] : ['SET', 'REMOVE'];
}

const addTypes = (action: 'ADD' | 'DELETE', known: TypeName | undefined): TypeName[] => {
  const all: TypeName[] = action === 'ADD' ? ['N', 'SS', 'NS', 'BS'] : ['SS', 'NS', 'BS'];
  return known && all.includes(known) ? [known] : all;
};

// The same place with another action.
export function withAction(path: Path, action: UpdateAction['action'], known: TypeName | undefined): UpdateAction {
  if (action === 'REMOVE') return { action, path };
  if (action === 'SET') return { action, path, form: 'value', operand: { value: emptyValue(known ?? 'S') } };
  return { action, path, value: emptyValue(addTypes(action, known)[0]!) };
}

export function withForm(action: SetAction, form: SetForm, known: TypeName | undefined): SetAction {
  const types = typesFor(form, known);
  const { operand } = action;
  const fits = 'path' in operand || ('value' in operand && types.includes(Object.keys(operand.value)[0] as TypeName));
  const next: SetAction = { ...action, form, operand: fits ? operand : { value: emptyValue(types[0]!) } };
  if (form === 'value' || form === 'if_not_exists') delete next.fallback;
  else if (next.fallback) next.fallback = emptyValue(types[0]!);
  return next;
}

function SetFields({ action, label, onChange }: { action: SetAction; label: string; onChange: (action: SetAction) => void }) {
  const known = typeOfPath(action.path, schema.value);
  const forms = formsFor(known);
  const types = typesFor(action.form, known);
  const values = schema.value?.fields.find((field) => field.name === action.path[0] && action.path.length === 1)?.values;
  const hasBase = action.form !== 'value' && action.form !== 'if_not_exists';
  const setOperand = (operand: Operand) => onChange({ ...action, operand });
  const setFallback = (fallback: AttributeValue | undefined) => {
    const next = { ...action };
    if (fallback) next.fallback = fallback;
    else delete next.fallback;
    onChange(next);
  };
  return (
    <>
      <select aria-label={`How ${label} sets`} value={action.form} onChange={(event) => onChange(withForm(action, event.currentTarget.value as SetForm, known))}>
        {(forms.includes(action.form) ? forms : [action.form, ...forms]).map((form) => (
          <option key={form} value={form}>
            {formTitles[form]}
          </option>
        ))}
      </select>
      <select
        aria-label={`Kind of value of ${label}`}
        value={'path' in action.operand ? 'path' : 'value'}
        onChange={(event) => setOperand(event.currentTarget.value === 'path' ? { path: [] } : { value: emptyValue(types[0]!) })}
      >
        <option value="value">value</option>
        <option value="path">attribute</option>
      </select>
      {'value' in action.operand ? (
        <ValueInput label={`Value of ${label}`} value={action.operand.value} types={types} onChange={(value) => setOperand({ value })} {...(values ? { values } : {})} />
      ) : (
        <PathInput label={`Value of ${label}`} path={'path' in action.operand ? action.operand.path : []} onChange={(path) => setOperand({ path })} />
      )}
      {hasBase && (
        <span class="fallback">
          <label>
            <input
              type="checkbox"
              checked={action.fallback !== undefined}
              onChange={(event) => setFallback(event.currentTarget.checked ? emptyValue(types[0]!) : undefined)}
            />{' '}
            while missing, start with
          </label>
          {action.fallback && <ValueInput label={`Start value of ${label}`} value={action.fallback} types={types} onChange={setFallback} />}
        </span>
      )}
      {action.form !== 'value' && (
        <label class="from">
          taken from{' '}
          <PathInput
            label={`Source of ${label}`}
            path={action.from ?? []}
            placeholder="itself"
            onChange={(from) => {
              const next = { ...action };
              if (from.length) next.from = from;
              else delete next.from;
              onChange(next);
            }}
          />
        </label>
      )}
    </>
  );
}

function ActionRow({ action, label, onChange, onRemove }: { action: UpdateAction; label: string; onChange: (action: UpdateAction) => void; onRemove: () => void }) {
  const known = typeOfPath(action.path, schema.value);
  const offered = actionsFor(known);
  const keys = schema.value?.keys.map(({ name }) => name) ?? [];
  const move = (path: Path) => {
    const type = typeOfPath(path, schema.peek());
    const fits = actionsFor(type).includes(action.action);
    if (!fits) return onChange(withAction(path, 'SET', type));
    if (type && type !== known && action.action !== 'REMOVE') return onChange(withAction(path, action.action, type));
    onChange({ ...action, path });
  };
  return (
    <div class="test" role="group" aria-label={label}>
      <select aria-label={`Action of ${label}`} value={action.action} onChange={(event) => onChange(withAction(action.path, event.currentTarget.value as 'SET', known))}>
        {(offered.includes(action.action) ? offered : [action.action, ...offered]).map((each) => (
          <option key={each} value={each}>
            {actionTitles[each]}
          </option>
        ))}
      </select>
      <PathInput label={`Attribute of ${label}`} path={action.path} without={keys} onChange={move} />
      {action.action === 'SET' && <SetFields action={action} label={label} onChange={onChange} />}
      {(action.action === 'ADD' || action.action === 'DELETE') && (
        <ValueInput label={`Value of ${label}`} value={action.value} types={addTypes(action.action, known)} onChange={(value) => onChange({ ...action, value })} />
      )}
      <button type="button" class="remove" aria-label={`Remove ${label}`} onClick={onRemove}>
        ×
      </button>
    </div>
  );
}

export function UpdateEditor({ actions, onChange }: { actions: UpdateAction[]; onChange: (actions: UpdateAction[]) => void }) {
  return (
    <div class="group">
      {actions.map((action, at) => (
        <ActionRow
          key={at}
          action={action}
          label={`change ${at + 1}`}
          onChange={(now) => onChange(actions.map((old, position) => (position === at ? now : old)))}
          onRemove={() => onChange(actions.filter((_, position) => position !== at))}
        />
      ))}
      <div class="group-add">
      <button type="button" onClick={() => onChange([...actions, withAction([], 'SET', undefined)])}>
        + change
      </button>
      </div>
    </div>
  );
}
