// Options that several choices offer. Functions, not components: a select takes its value when its options are there.
import { examples } from '../design/design.ts';

export const exampleOptions = () =>
  examples.value.map(({ name, title }) => (
    <option key={name} value={name}>
      {title} ({name.split('_')[0]})
    </option>
  ));

// Kinds of items, by the name of their entity.
export const entityOptions = (layouts: { entity: string }[]) =>
  layouts.map(({ entity }) => (
    <option key={entity} value={entity}>
      {entity}
    </option>
  ));
