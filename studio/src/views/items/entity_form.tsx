// A form for one entity.
import type { ModelEntity } from '../../api/model.ts';
import { useState } from 'preact/hooks';
import { EntityFields, readFields, useSubmit } from './entity_fields.tsx';
import type { PlainItem } from './writes.ts';

interface EntityFormProps {
  entity: ModelEntity;
  names: string[]; // The attributes to ask for.
  initial: Record<string, string>;
  suggestions: Record<string, string[]>;
  stored?: Map<string, Set<string>>;
  action: string; // On the button.
  busy: boolean;
  onSend(attributes: PlainItem): void;
}

export function EntityForm({ entity, names, initial, suggestions, stored, action, busy, onSend }: EntityFormProps) {
  const [texts, setTexts] = useState(initial);
  const attributes = entity.attributes.filter((one) => names.includes(one.name));
  const { wrong, send } = useSubmit(() => readFields(attributes, texts), onSend);
  return (
    <form class="entity-form" onSubmit={send}>
      <EntityFields
        prefix={`field-${entity.name}`}
        {...{ attributes, texts, suggestions, ...(stored ? { stored } : {}) }}
        onText={(name, text) => setTexts({ ...texts, [name]: text })}
      />
      {wrong && <p class="wrong">{wrong}</p>}
      <button class="main" disabled={busy}>
        {action}
      </button>
    </form>
  );
}
