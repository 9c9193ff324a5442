// One item as text, in DynamoDB JSON or plain JSON, in colours, with the first mistake marked where it stands.
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { Item } from '../api/attribute_value.ts';
import { highlighted, type Piece } from './highlight.ts';
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
  // What the open design says of the item, while it is typed. It keeps nobody from saving.
  notes?: (item: Item) => string[];
}

// Cuts the pieces where the mark begins and ends.
function cut(pieces: Piece[], place: Place): { before: Piece[]; marked: Piece[]; after: Piece[] } {
  const end = place.offset + Math.max(1, place.length);
  const found: { before: Piece[]; marked: Piece[]; after: Piece[] } = { before: [], marked: [], after: [] };
  let at = 0;
  for (const { kind, text } of pieces) {
    const from = Math.min(Math.max(place.offset - at, 0), text.length);
    const to = Math.min(Math.max(end - at, 0), text.length);
    const parts = { before: text.slice(0, from), marked: text.slice(from, to), after: text.slice(to) };
    for (const side of ['before', 'marked', 'after'] as const) if (parts[side] !== '') found[side].push({ kind, text: parts[side] });
    at += text.length;
  }
  return found;
}

function Pieces({ pieces }: { pieces: Piece[] }) {
  return <>{pieces.map(({ kind, text }, at) => (kind === 'plain' ? text : <span key={at} class={`code-${kind}`}>{text}</span>))}</>;
}

// A text before a colon is a name, not a value.
function jsonPieces(text: string): Piece[] {
  const pieces = highlighted(text);
  return pieces.map((piece, at) => (piece.kind === 'text' && /^\s*:/.test(pieces[at + 1]?.text ?? '') ? { ...piece, kind: 'word' } : piece));
}

function Coloured({ text, place }: { text: string; place: Place | null }) {
  const pieces = useMemo(() => jsonPieces(text), [text]);
  if (!place) return <Pieces pieces={pieces} />;
  const { before, marked, after } = cut(pieces, place);
  return (
    <>
      <Pieces pieces={before} />
      <mark>{marked.length > 0 ? <Pieces pieces={marked} /> : ' '}</mark>
      <Pieces pieces={after} />
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

// A text area has one colour and no marks, so the same text lies under it, with both.
function MarkedText({ label, text, place, area, onText }: TextProps) {
  const underlay = useRef<HTMLPreElement>(null);
  return (
    <div class="item-editor-text">
      <pre aria-hidden="true" ref={underlay}>
        <Coloured text={text} place={place} />
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
function useItemText({ item, onSave, notes }: Props) {
  const form = useSignal<Form>('plain');
  const text = useSignal(printItem(item, 'plain'));
  const mistake = useSignal<TextError | null>(null);
  const refusal = useSignal('');
  const said = useSignal(notes?.(item) ?? []);
  const busy = useSignal(false);
  const area = useRef<HTMLTextAreaElement>(null);

  const read = (): Item | null => {
    try {
      const found = readItem(text.peek(), form.peek(), item);
      mistake.value = null;
      said.value = notes?.(found) ?? [];
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
  return { form, text, mistake, refusal, said, busy, area, changeForm, change, show, save };
}

export function ItemEditor(props: Props) {
  const { label, saveLabel, onCancel } = props;
  const { form, text, mistake, refusal, said, busy, area, changeForm, change, show, save } = useItemText(props);
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
      {said.value.length > 0 && (
        <ul class="item-editor-notes" aria-label="What the design says">
          {said.value.slice(0, 8).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
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
