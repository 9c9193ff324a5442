// Options that several choices offer. Functions, not components: a select takes its value when its options are there.
import { examples } from '../design/design.ts';

// By the letter that the name of an example begins with.
const groups: [string, RegExp][] = [['Whole designs', /^[df]/], ['One strategy or idea each', /^p/], ['Lessons', /^l/], ['More', /^[^dflp]/]];

export const exampleOptions = () =>
  groups.map(([label, names]) => {
    const list = examples.value.filter(({ name }) => names.test(name));
    return list.length === 0 ? null : (
      <optgroup key={label} label={label}>
        {list.map(({ name, title }) => (
          <option key={name} value={name}>
            {title.replace(/^Lesson: (.)/, (_, first: string) => first.toUpperCase())}
          </option>
        ))}
      </optgroup>
    );
  });

// Kinds of items, by the name of their entity.
export const entityOptions = (layouts: { entity: string }[]) =>
  layouts.map(({ entity }) => (
    <option key={entity} value={entity}>
      {entity}
    </option>
  ));
