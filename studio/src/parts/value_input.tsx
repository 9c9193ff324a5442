// A typed value: its type, and a field that fits it.
import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { typeOf, type AttributeValue, type TypeName } from '../api/attribute_value.ts';
import { printPlain, readPlainValue } from './item_text.ts';
import { emptyValue } from '../requests/draft.ts';
import { typeTitles, valueProblem } from '../requests/legal.ts';

interface Props {
  label: string;
  value: AttributeValue;
  types: TypeName[]; // Those that are legal here.
  values?: string[]; // Known texts, to choose from.
  needed?: boolean; // An empty text is none, as in a key.
  onChange: (value: AttributeValue) => void;
}

// The same text in another type, where it makes sense: "3" becomes 3.
export function converted(value: AttributeValue, to: TypeName): AttributeValue {
  if (typeOf(value) === to) return value;
  const text = 'S' in value ? value.S : 'N' in value ? value.N : '';
  if (to === 'S') return { S: text };
  if (to === 'N' && /^[+-]?\d+(\.\d+)?$/.test(text)) return { N: text };
  return emptyValue(to);
}

function LongText({ label, value, onChange }: Omit<Props, 'types' | 'values'>) {
  const type = typeOf(value);
  const isSet = type === 'SS' || type === 'NS' || type === 'BS';
  const written = () => (isSet ? (Object.values(value)[0] as string[]).join('\n') : printPlain(value));
  const text = useSignal(written());
  const problem = useSignal('');
  const outside = JSON.stringify(value);
  const given = useRef(outside);
  // The value changed from outside, not by typing here.
  useEffect(() => {
    if (given.current === outside) return;
    given.current = outside;
    text.value = written();
    problem.value = '';
  }, [outside]);
  const give = (found: AttributeValue) => {
    given.current = JSON.stringify(found);
    onChange(found);
  };
  const read = (now: string) => {
    text.value = now;
    problem.value = '';
    if (isSet) return give({ [type]: now.split('\n').filter((line) => line !== '') } as unknown as AttributeValue);
    try {
      const found = readPlainValue(now, value);
      if (typeOf(found) === type) return give(found);
      problem.value = type === 'L' ? 'A list needs brackets: ["a", 1]' : 'A map needs braces: {"name": "value"}';
    } catch (error) {
      problem.value = (error as Error).message;
    }
  };
  return (
    <span class="value-long">
      <textarea
        aria-label={label}
        rows={isSet ? 2 : 3}
        spellcheck={false}
        placeholder={isSet ? 'one member on each line' : 'JSON'}
        value={text.value}
        onInput={(event) => read(event.currentTarget.value)}
      />
      {problem.value && <small class="wrong">{problem.value}</small>}
    </span>
  );
}

function Content({ label, value, values, needed, onChange }: Omit<Props, 'types'>) {
  const list = useId();
  if ('BOOL' in value) {
    return (
      <select aria-label={label} value={String(value.BOOL)} onChange={(event) => onChange({ BOOL: event.currentTarget.value === 'true' })}>
        <option value="true">true</option>
        <option value="false">false</option>
      </select>
    );
  }
  if ('NULL' in value) return null;
  if (!('S' in value || 'N' in value || 'B' in value)) {
    return <LongText key={typeOf(value)} label={label} value={value} onChange={onChange} />;
  }
  const type = typeOf(value) as 'S' | 'N' | 'B';
  const problem = valueProblem(value);
  return (
    <>
      <input
        aria-label={label}
        aria-invalid={problem !== null}
        data-missing={needed && Object.values(value)[0] === '' ? '' : undefined}
        title={problem ?? undefined}
        inputMode={type === 'N' ? 'decimal' : 'text'}
        placeholder={type === 'B' ? 'base64' : type === 'N' ? '0' : 'text'}
        list={values?.length ? list : undefined}
        value={String(Object.values(value)[0])}
        onInput={(event) => onChange({ [type]: event.currentTarget.value } as unknown as AttributeValue)}
      />
      {values?.length ? (
        <datalist id={list}>
          {values.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      ) : null}
    </>
  );
}

export function ValueInput({ label, value, types, values, needed, onChange }: Props) {
  const type = typeOf(value);
  const offered = types.includes(type) ? types : [type, ...types];
  return (
    <span class="value-input">
      {offered.length > 1 ? (
        <select
          aria-label={`Type of ${label}`}
          value={type}
          onChange={(event) => onChange(converted(value, event.currentTarget.value as TypeName))}
        >
          {offered.map((each) => (
            <option key={each} value={each}>
              {typeTitles[each]}
            </option>
          ))}
        </select>
      ) : null}
      <Content label={label} value={value} onChange={onChange} {...(needed ? { needed } : {})} {...(values ? { values } : {})} />
    </span>
  );
}
