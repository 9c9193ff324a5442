// The editor of one cell, by the type of its value: a choice for booleans, a calendar for dates, a field of several lines for maps, lists and
// sets, and a line for the rest. Enter saves, Ctrl+Enter saves into all selected rows, Escape leaves.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { typeOf, type AttributeValue, type TypeName } from '../api/attribute_value.ts';
import { editText, readCell } from './cell_text.ts';
import { printPlain } from './item_text.ts';

interface Props {
  value: AttributeValue | undefined;
  type: TypeName | undefined; // Of a new value.
  label: string;
  save: (value: AttributeValue, all: boolean) => Promise<string | null>;
  cancel: () => void;
  onRefused?: (() => void) | undefined;
}

const folded = new Set<TypeName>(['M', 'L', 'SS', 'NS', 'BS']);
const longText = 60;
const isDate = (value: AttributeValue | undefined) => !!value && 'S' in value && /^\d{4}-\d\d-\d\d$/.test(value.S);

export function CellInput({ value, type, label, save, cancel, onRefused }: Props) {
  const problem = useSignal('');
  const ended = useRef(false);
  const field = useRef<HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement>(null);
  const kind = value ? typeOf(value) : type;
  const long = kind !== undefined && (folded.has(kind) || (kind === 'S' && editText(value).length > longText));
  const begun = value && long && folded.has(kind!) ? printPlain(value) : editText(value);
  useEffect(() => {
    field.current?.focus();
    if (kind !== 'BOOL') field.current?.select();
  }, []);
  // A field of several lines is wider than its column: at the right edge of the grid it reaches to the left.
  const frame = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const edge = frame.current?.closest('.grid-scroll')?.getBoundingClientRect().right ?? innerWidth;
    if (frame.current && frame.current.getBoundingClientRect().right > edge) frame.current.dataset['end'] = '';
  }, []);
  const refuse = (why: string) => {
    problem.value = why;
    onRefused?.();
  };
  const commit = async (text: string, all: boolean) => {
    if (ended.current) return;
    if (text === begun && !all) return cancel();
    try {
      const trouble = await save(readCell(text, value, type), all);
      if (trouble) refuse(trouble);
      else ended.current = true;
    } catch (error) {
      refuse((error as Error).message);
    }
  };
  const onKeyDown = (event: JSX.TargetedKeyboardEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) => {
    event.stopPropagation();
    if (event.key === 'Enter' && !(long && event.shiftKey)) {
      event.preventDefault();
      void commit(event.currentTarget.value, event.ctrlKey || event.metaKey);
    }
    if (event.key === 'Escape') cancel();
  };
  const rest = { 'aria-label': label, 'aria-invalid': problem.value !== '', onKeyDown };
  return (
    <span ref={frame} class={long ? 'cell-editor long' : 'cell-editor'}>
      {kind === 'BOOL' ? (
        <select ref={field} {...rest} defaultValue={begun || 'true'} onPaste={(event) => event.stopPropagation()}>
          <option value="true">true</option>
          <option value="false">false</option>
        </select>
      ) : long ? (
        <textarea ref={field} {...rest} rows={Math.min(12, Math.max(3, begun.split('\n').length + 1))} spellcheck={false} defaultValue={begun} onPaste={(event) => event.stopPropagation()} />
      ) : (
        <input
          ref={field}
          {...rest}
          type={isDate(value) ? 'date' : 'text'}
          inputMode={kind === 'N' ? 'decimal' : 'text'}
          defaultValue={begun}
          onPaste={(event) => event.stopPropagation()}
        />
      )}
      {problem.value && (
        <span role="alert" class="cell-problem">
          {problem.value}
        </span>
      )}
    </span>
  );
}
