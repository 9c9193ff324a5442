// Fields for the attributes of an entity; a value that the model names is a choice.
import { member, emptyRecord } from '../../api/attribute_value.ts';
import { useState } from 'preact/hooks';
import type { ModelAttribute } from '../../api/model.ts';
import { valuesMax } from './suggest.ts';
import type { PlainItem } from './writes.ts';

interface EntityFieldsProps {
  prefix: string; // Of the fields' ids.
  attributes: ModelAttribute[];
  texts: Record<string, string>;
  suggestions: Record<string, string[]>;
  stored?: Map<string, Set<string>>; // Values in the table, by "Entity.attribute".
  onText(name: string, text: string): void;
}

const structured = ['list', 'map', 'text-set', 'number-set'];

// Throws SyntaxError for what is no JSON.
function valueOf(text: string, type: string): unknown {
  if (type === 'bool') return text === 'true';
  if (structured.includes(type)) return JSON.parse(text) as unknown;
  return text; // The API takes numbers as text, so that none loses digits.
}

// The content of the fields: plain JSON by the model's types. Throws an Error for people.
export function readFields(attributes: ModelAttribute[], texts: Record<string, string>): PlainItem {
  const plain: PlainItem = emptyRecord();
  for (const { name, type } of attributes) {
    const text = (member(texts, name) ?? '').trim();
    if (text === '') continue;
    try {
      plain[name] = valueOf(text, type);
    } catch {
      throw new Error(`${name} must be JSON, as ["a", "b"]`);
    }
  }
  return plain;
}

const examplesOf: Record<string, string> = { date: '2026-01-31', time: '2026-01-31T14:05:00Z' };

// What is doubtful about a value that may be written all the same; null if nothing is.
export function doubtAbout({ type, references }: Pick<ModelAttribute, 'type' | 'references'>, text: string, stored?: Map<string, Set<string>>): string | null {
  const given = text.trim();
  if (given === '') return null;
  const wanted = member(examplesOf, type);
  if (wanted !== undefined && !isDate(type, given)) return `Not a ${type}: write it as ${wanted}.`;
  if (type === 'number' && !Number.isFinite(Number(given))) return 'Not a number.';
  const there = references === undefined ? undefined : stored?.get(references);
  if (references !== undefined && stored && !there?.has(given) && (there?.size ?? 0) < valuesMax) return `No ${references.split('.')[0]} with this ${references.split('.')[1]} is stored here.`;
  return null;
}

function isDate(type: string, text: string): boolean {
  const form = type === 'date' ? /^\d{4}-\d{2}-\d{2}$/ : /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?Z?$/;
  const day = text.slice(0, 10);
  const at = new Date(`${day}T00:00:00Z`);
  // 2026-02-31 would become the third of March.
  return form.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}

// The only values that an attribute may have; null if any may be typed.
export function choicesOf({ type, values }: Pick<ModelAttribute, 'type' | 'values'>): string[] | null {
  if (type === 'bool') return ['true', 'false'];
  return values && values.length > 0 ? values.map(String) : null;
}

interface ChoiceProps {
  id: string;
  name?: string;
  choices: string[];
  value: string;
  required: boolean;
  onText(text: string): void;
}

// A value that is stored but not allowed any more is offered too, so that opening a form loses nothing.
export function Choice({ id, name, choices, value, required, onText }: ChoiceProps) {
  const all = value === '' || choices.includes(value) ? choices : [value, ...choices];
  return (
    <select id={id} name={name} required={required} value={value} onChange={(event) => onText(event.currentTarget.value)}>
      <option value="">{required ? 'Choose…' : '(none)'}</option>
      {all.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  );
}

export function EntityFields({ prefix, attributes, texts, suggestions, stored, onText }: EntityFieldsProps) {
  return (
    <>
      {attributes.map((attribute) => {
        const { name, type, optional } = attribute;
        const id = `${prefix}-${name}`;
        const only = choicesOf(attribute);
        const choices = member(suggestions, name) ?? [];
        const doubt = only ? null : doubtAbout(attribute, member(texts, name) ?? '', stored);
        return (
          <label key={name} for={id}>
            <span>
              {name}{' '}
              <small>
                {type}
                {optional ? ', may be empty' : ''}
              </small>
            </span>
            {only ? (
              <Choice id={id} name={name} choices={only} value={member(texts, name) ?? ''} required={!optional} onText={(text) => onText(name, text)} />
            ) : (
              <input
                id={id}
                name={name}
                list={choices.length > 0 ? `${id}-list` : undefined}
                autocomplete="off"
                placeholder={member(examplesOf, type)}
                aria-describedby={doubt ? `${id}-doubt` : undefined}
                required={!optional}
                value={member(texts, name) ?? ''}
                onInput={(event) => onText(name, event.currentTarget.value)}
              />
            )}
            {doubt && (
              <small id={`${id}-doubt`} class="field-doubt" role="status">
                {doubt}
              </small>
            )}
            {!only && choices.length > 0 && (
              <datalist id={`${id}-list`}>
                {choices.map((choice) => (
                  <option key={choice} value={choice} />
                ))}
              </datalist>
            )}
          </label>
        );
      })}
    </>
  );
}

// Sends what the fields give, or says what is wrong with it.
export function useSubmit<Given>(read: () => Given, onSend: (given: Given) => void): { wrong: string | null; send(event: Event): void } {
  const [wrong, setWrong] = useState<string | null>(null);
  const send = (event: Event) => {
    event.preventDefault();
    try {
      const given = read();
      setWrong(null);
      onSend(given);
    } catch (error) {
      setWrong((error as Error).message);
    }
  };
  return { wrong, send };
}
