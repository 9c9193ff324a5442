// Another design beside the open one: `?with=…` names it as `?model=` does, so a comparison is a link like any other.
import { effect, signal, useSignal } from '@preact/signals';
import { route, setQuery } from '../../app/route.ts';
import { examples, file, openName, readSource, sharedPrefix, textOf } from '../../design/design.ts';
import { ownDesigns, ownPrefix, titleIn } from '../../design/own_designs.ts';
import { proposal, propose } from '../../design/proposal.ts';

export const comparing = signal(false); // The choice is open.
const trouble = signal('');
let shown = ''; // The pair that is compared, or was.

// What a pasted link, or the name alone, calls its design; null if it names none.
export function namedIn(text: string): string | null {
  const given = text.trim();
  const query = given.indexOf('?');
  if (query >= 0) return new URLSearchParams(given.slice(query)).get('model');
  return /^[^\s/]+$/.test(given) ? given : null;
}

// Follows the address while the page is open.
effect(() => {
  const other = route.value.query['with'];
  const pair = other === undefined ? '' : `${openName.value} ${other}`;
  if (other === undefined || readSource.value === '') return;
  if (pair === shown) return;
  shown = pair;
  trouble.value = '';
  textOf(other).then(
    (text) => {
      if (pair !== shown) return;
      const title = titleIn(text);
      const other = title ? `“${title}”` : 'the other design';
      void propose(`Compared with ${other}`, text, other);
    },
    (error: Error) => (trouble.value = error.message),
  );
});

// The comparison is no longer in the address.
export function endComparison(): void {
  shown = '';
  proposal.value = null;
  if (route.peek().query['with'] !== undefined) setQuery({ with: undefined }, { replace: true });
}

function Choices() {
  const names: [name: string, words: string][] = [
    ...(file.value ? [['file', file.value.name] as [string, string]] : []),
    ...ownDesigns.value.map((own): [string, string] => [own, `${own.slice(ownPrefix.length)} (yours)`]),
    ...examples.value.map(({ name, title }): [string, string] => [name, title]),
  ];
  return (
    <>
      {names
        .filter(([name]) => name !== openName.value)
        .map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
    </>
  );
}

export function ComparePanel() {
  const link = useSignal('');
  const begin = (name: string | null) => {
    trouble.value = name === null ? 'this is no link to a design. Paste one that Share has copied, or choose a design.' : '';
    if (name === null) return;
    shown = '';
    setQuery({ with: name });
    comparing.value = false;
  };
  return (
    <form
      class="compare-panel"
      aria-label="Compare with another design"
      onSubmit={(event) => {
        event.preventDefault();
        begin(namedIn(link.peek()));
      }}
    >
      <label>
        Compare with{' '}
        <select value="" onChange={(event) => begin(event.currentTarget.value)}>
          <option value="" disabled>
            Choose a design
          </option>
          <Choices />
        </select>
      </label>{' '}
      <label>
        or the design of a link <input value={link.value} placeholder={`…/studio/model?model=${sharedPrefix}…`} onInput={(event) => (link.value = event.currentTarget.value)} />
      </label>{' '}
      <button type="submit">Compare</button>
    </form>
  );
}

export function CompareTrouble() {
  return trouble.value ? <p class="model-said bad">Not compared: {trouble.value}</p> : null;
}
