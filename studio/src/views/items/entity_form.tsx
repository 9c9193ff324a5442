// Fields for the attributes of an entity. What they give is plain JSON by the model's types.
import type { ModelEntity } from '../../api/model.ts';
import { useState } from 'preact/hooks';
import type { PlainItem } from './writes.ts';

interface EntityFormProps {
  entity: ModelEntity;
  names: string[]; // The attributes to ask for.
  initial: Record<string, string>;
  suggestions: Record<string, string[]>;
  action: string; // On the button.
  busy: boolean;
  onSend(attributes: PlainItem): void;
}

const structured = ['list', 'map', 'text-set', 'number-set'];

// Throws SyntaxError for what is no JSON.
function valueOf(text: string, type: string): unknown {
  if (type === 'bool') return text === 'true';
  if (structured.includes(type)) return JSON.parse(text) as unknown;
  return text; // The API takes numbers as text, so that none loses digits.
}

export function EntityForm({ entity, names, initial, suggestions, action, busy, onSend }: EntityFormProps) {
  const [texts, setTexts] = useState(initial);
  const [wrong, setWrong] = useState<string | null>(null);
  const attributes = entity.attributes.filter((one) => names.includes(one.name));
  const send = (event: Event) => {
    event.preventDefault();
    const plain: PlainItem = {};
    for (const { name, type } of attributes) {
      const text = (texts[name] ?? '').trim();
      if (text === '') continue;
      try {
        plain[name] = valueOf(text, type);
      } catch {
        setWrong(`${name} must be JSON, as ["a", "b"]`);
        return;
      }
    }
    setWrong(null);
    onSend(plain);
  };
  return (
    <form class="entity-form" onSubmit={send}>
      {attributes.map(({ name, type, optional, values }) => {
        const id = `field-${entity.name}-${name}`;
        const choices = values?.map(String) ?? suggestions[name] ?? [];
        return (
          <label key={name} for={id}>
            <span>
              {name}{' '}
              <small>
                {type}
                {optional ? ', may be empty' : ''}
              </small>
            </span>
            <input
              id={id}
              name={name}
              list={choices.length > 0 ? `${id}-list` : undefined}
              autocomplete="off"
              required={!optional}
              value={texts[name] ?? ''}
              onInput={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
            />
            {choices.length > 0 && (
              <datalist id={`${id}-list`}>
                {choices.map((choice) => (
                  <option key={choice} value={choice} />
                ))}
              </datalist>
            )}
          </label>
        );
      })}
      {wrong && <p class="wrong">{wrong}</p>}
      <button class="main" disabled={busy}>
        {action}
      </button>
    </form>
  );
}
