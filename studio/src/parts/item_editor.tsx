// One item as text, in DynamoDB JSON or plain JSON, with the first mistake marked where it stands.
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import type { Item } from '../api/attribute_value.ts';
import { printItem, readItem, type Form } from './item_text.ts';
import { TextError, type Place } from './json_text.ts';
import './item_editor.css';

interface Props {
  label: string;
  item: Item;
  saveLabel: string;
  // Rejects with the reason if the item cannot be saved.
  onSave: (item: Item) => Promise<void>;
  onCancel?: () => void;
}

function Marked({ text, place }: { text: string; place: Place }) {
  const end = Math.max(place.offset + 1, Math.min(text.length, place.offset + place.length));
  return (
    <>
      {text.slice(0, place.offset)}
      <mark>{text.slice(place.offset, end) || ' '}</mark>
      {text.slice(end)}
    </>
  );
}

interface TextProps {
  label: string;
  text: string;
  place: Place | null; // Of the first mistake.
  area: RefObject<HTMLTextAreaElement>;
  onText(text: string): void;
}

// A text area cannot mark a part of its text, so the same text lies under it, with the mark.
function MarkedText({ label, text, place, area, onText }: TextProps) {
  const underlay = useRef<HTMLPreElement>(null);
  return (
    <div class="item-editor-text">
      <pre aria-hidden="true" ref={underlay}>
        {place ? <Marked text={text} place={place} /> : text}
        {'\n'}
      </pre>
      <textarea
        ref={area}
        aria-label={`${label}: text`}
        aria-invalid={place !== null}
        spellcheck={false}
        rows={Math.min(24, Math.max(8, text.split('\n').length + 1))}
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
        onScroll={(event) => {
          if (!underlay.current) return;
          underlay.current.scrollTop = event.currentTarget.scrollTop;
          underlay.current.scrollLeft = event.currentTarget.scrollLeft;
        }}
      />
    </div>
  );
}

// The text, its form, and what is wrong with it.
function useItemText(item: Item, onSave: Props['onSave']) {
  const form = useSignal<Form>('plain');
  const text = useSignal(printItem(item, 'plain'));
  const mistake = useSignal<TextError | null>(null);
  const refusal = useSignal('');
  const busy = useSignal(false);
  const area = useRef<HTMLTextAreaElement>(null);

  const read = (): Item | null => {
    try {
      const found = readItem(text.peek(), form.peek(), item);
      mistake.value = null;
      return found;
    } catch (error) {
      if (!(error instanceof TextError)) throw error;
      mistake.value = error;
      return null;
    }
  };
  const changeForm = (to: Form) => {
    const found = read();
    if (!found) return;
    form.value = to;
    text.value = printItem(found, to);
  };
  const change = (now: string) => {
    text.value = now;
    read();
  };
  const show = () => {
    const place = mistake.peek()?.place;
    if (!place || !area.current) return;
    area.current.focus();
    area.current.setSelectionRange(place.offset, place.offset + place.length);
  };
  const save = async () => {
    const found = read();
    if (!found) return show();
    busy.value = true;
    refusal.value = '';
    try {
      await onSave(found);
    } catch (error) {
      refusal.value = (error as Error).message;
    }
    busy.value = false;
  };
  return { form, text, mistake, refusal, busy, area, changeForm, change, show, save };
}

export function ItemEditor({ label, item, saveLabel, onSave, onCancel }: Props) {
  const { form, text, mistake, refusal, busy, area, changeForm, change, show, save } = useItemText(item, onSave);
  return (
    <section
      class="item-editor"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && onCancel) onCancel();
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
      }}
    >
      <div class="item-editor-bar" role="radiogroup" aria-label="Form of the text">
        {(['plain', 'dynamodb'] as const).map((each) => (
          <label key={each}>
            <input type="radio" name={`form-${label}`} checked={form.value === each} onChange={() => changeForm(each)} />
            {each === 'plain' ? 'Plain JSON' : 'DynamoDB JSON'}
          </label>
        ))}
        <span class="hint">
          {form.value === 'plain' ? 'Sets and binary values keep their type.' : 'Every value names its type.'}
        </span>
      </div>
      <MarkedText label={label} text={text.value} place={mistake.value?.place ?? null} area={area} onText={change} />
      <p role="alert" class="item-editor-problem">
        {mistake.value && (
          <button type="button" onClick={show}>
            Line {mistake.value.place.line}, column {mistake.value.place.column}: {mistake.value.message}
          </button>
        )}
        {refusal.value}
      </p>
      <div class="item-editor-bar">
        <button type="button" class="main" disabled={busy.value || mistake.value !== null} onClick={() => void save()}>
          {saveLabel}
        </button>
        {onCancel && (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
        <span class="hint">Ctrl+Enter saves{onCancel ? ', Escape leaves' : ''}.</span>
      </div>
    </section>
  );
}
