// A form for one entity.
import type { ModelEntity } from '../../api/model.ts';
import { useState } from 'preact/hooks';
import { EntityFields, readFields } from './entity_fields.tsx';
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

export function EntityForm({ entity, names, initial, suggestions, action, busy, onSend }: EntityFormProps) {
  const [texts, setTexts] = useState(initial);
  const [wrong, setWrong] = useState<string | null>(null);
  const attributes = entity.attributes.filter((one) => names.includes(one.name));
  const send = (event: Event) => {
    event.preventDefault();
    try {
      const plain = readFields(attributes, texts);
      setWrong(null);
      onSend(plain);
    } catch (error) {
      setWrong((error as Error).message);
    }
  };
  return (
    <form class="entity-form" onSubmit={send}>
      <EntityFields
        prefix={`field-${entity.name}`}
        {...{ attributes, texts, suggestions }}
        onText={(name, text) => setTexts({ ...texts, [name]: text })}
      />
      {wrong && <p class="wrong">{wrong}</p>}
      <button class="main" disabled={busy}>
        {action}
      </button>
    </form>
  );
}
