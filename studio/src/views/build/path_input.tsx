// An attribute or a place inside one. Offers what the table is known to hold; any other path can be typed.
import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import type { AttributeValue, Item } from '../../api/attribute_value.ts';
import { readPath, showPath, type Path } from '../../requests/draft.ts';
import { samples, schema } from './state.ts';

const offeredMax = 200;

// Paths inside maps and the first elements of lists, two levels down.
export function pathsOf(items: Item[]): string[] {
  const found = new Set<string>();
  const walk = (path: Path, value: AttributeValue, depth: number) => {
    found.add(showPath(path));
    if (depth === 0) return;
    if ('M' in value) for (const [name, part] of Object.entries(value.M)) walk([...path, name], part, depth - 1);
    if ('L' in value) value.L.slice(0, 2).forEach((part, at) => walk([...path, at], part, depth - 1));
  };
  for (const item of items) for (const [name, value] of Object.entries(item)) walk([name], value, 2);
  return [...found];
}

function pathText(text: string): string | null {
  try {
    return text === '' ? '' : showPath(readPath(text));
  } catch {
    return null;
  }
}

interface Props {
  label: string;
  path: Path;
  without?: string[]; // Attributes that are not legal here.
  placeholder?: string;
  onChange: (path: Path) => void;
}

export function PathInput({ label, path, without = [], placeholder = 'attribute', onChange }: Props) {
  const list = useId();
  const text = useSignal(showPath(path));
  const problem = useSignal('');
  const outside = showPath(path);
  // The path changed from outside: by a link, or because a row above was removed.
  useEffect(() => {
    if (pathText(text.peek()) === outside) return;
    text.value = outside;
    problem.value = '';
  }, [outside]);
  const known = (schema.value?.fields ?? []).map(({ name }) => showPath([name]));
  const keys = (schema.value ? [...schema.value.keys, ...schema.value.indexes.flatMap((index) => index.keys)] : []).map(({ name }) => showPath([name]));
  const hidden = new Set(without.map((name) => showPath([name])));
  const offered = [...new Set([...known, ...keys, ...pathsOf(samples.value)])].filter((each) => !hidden.has(each));
  const read = (now: string) => {
    text.value = now;
    problem.value = '';
    if (now === '') return onChange([]);
    try {
      onChange(readPath(now));
    } catch (error) {
      problem.value = (error as Error).message;
    }
  };
  return (
    <span class="path-input">
      <input
        aria-label={label}
        aria-invalid={problem.value !== ''}
        data-missing={text.value === '' ? '' : undefined}
        list={list}
        placeholder={placeholder}
        spellcheck={false}
        value={text.value}
        onInput={(event) => read(event.currentTarget.value)}
      />
      <datalist id={list}>
        {offered.slice(0, offeredMax).map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      {problem.value && <small class="wrong">{problem.value}</small>}
    </span>
  );
}
