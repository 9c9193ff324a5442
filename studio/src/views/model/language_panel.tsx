// The words of the model language, each with an example.
import { signal } from '@preact/signals';
import { Prose } from '../../parts/prose.tsx';
import { allHelp } from './editor/help.ts';

export const languageOpen = signal(false);

export function LanguagePanel() {
  return (
    <section class="language" aria-label="The model language" tabIndex={0}>
      <h2>The model language</h2>
      <p class="hint">Point at a word in the text, or press Ctrl+Space where something is to be written.</p>
      <dl>
        {allHelp().map(({ title, text, example }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              <Prose text={text} />
              {example && <code>{example}</code>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
