// The code that shows a card of this design inside another page.
import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatRoute } from '../../app/route.ts';
import { model, openName, plan, readSource } from '../../design/design.ts';
import { ownPrefix } from '../../design/own_designs.ts';
import { CodeBlock } from '../../parts/code_block.tsx';
import { packText } from '../../requests/link.ts';

export const cardPanelOpen = signal(false);

// Examples and the server's file by their names, unless they were changed; everything else as its whole text.
async function designWord(name: string, text: string, asStored: boolean): Promise<string> {
  const named = asStored && !name.startsWith(ownPrefix) && !name.startsWith('link:');
  return named ? name : `link:${await packText(text)}`;
}

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');

export function CardPanel({ changed }: { changed: boolean }) {
  const patterns = plan.value?.patterns.filter(({ served }) => served) ?? [];
  const chosen = useSignal('');
  const word = useSignal('');
  const [name, text] = [openName.value, readSource.value];
  useEffect(() => void designWord(name, text, !changed).then((next) => (word.value = next)), [name, text, changed]);
  const pattern = patterns.find((one) => one.name === chosen.value) ?? patterns[0];
  const example = Object.entries(pattern?.examples[0] ?? {}).map(([parameter, value]) => [`p.${parameter}`, String(value)]);
  const address = location.origin + formatRoute({ view: 'embed', path: [word.value], query: { pattern: pattern?.name, ...Object.fromEntries(example) } });
  const code = `<iframe src="${escaped(address)}" title="${escaped(model.value?.title ?? 'A table')}" width="100%" height="480" loading="lazy"></iframe>`;
  return (
    <section class="panel" aria-label="Card for another page">
      <h2>Card for another page</h2>
      <p class="hint">
        A card shows the sample of this design in an article: its table, its indexes, and one access pattern that the reader can run. It reads only the sample,
        never the tables of the server. Other sites can show the card only if the server allows them: <code>prejoin serve --allow-embed https://blog.example</code>.
      </p>
      <div class="group-add">
        <label>
          Pattern{' '}
          <select value={pattern?.name ?? ''} onChange={(event) => (chosen.value = event.currentTarget.value)}>
            {patterns.map((one) => (
              <option key={one.name} value={one.name}>
                {one.name} {one.title}
              </option>
            ))}
          </select>
        </label>
        <a href={address} target="_blank" rel="noopener">
          Look at the card
        </a>
      </div>
      {word.value !== '' && <CodeBlock label="Code of the card" code={code} />}
    </section>
  );
}
