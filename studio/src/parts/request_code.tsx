// A request as code, in every language: the tabs, the code with its copy button, and what to know about it. `as` in the address
// names the language.
import { route, setQuery } from '../app/route.ts';
import type { Draft } from '../requests/draft.ts';
import type { Emitted, Target } from '../requests/emit/emitted.ts';
import { languages, type Language } from '../requests/emit/languages.ts';
import { compile } from '../requests/request.ts';
import type { TableSchema } from '../requests/schema.ts';
import type { Together } from '../requests/together.ts';
import { CodeBlock } from './code_block.tsx';

interface Props {
  draft: Draft;
  table: TableSchema | null | undefined;
  unfinished?: boolean; // Something is missing yet: it is shown, but not for copying.
}

export function RequestCode({ draft, table, unfinished = false }: Props) {
  const target: Target = { endpoint: location.origin, region: 'us-east-1', ...(table ? { table } : {}) };
  return <InLanguages name="as" unfinished={unfinished} emit={(language) => language.emit(draft, compile(draft), target)} />;
}

export function TogetherCode({ together, table }: { together: Together; table: TableSchema | null | undefined }) {
  const target: Target = { endpoint: location.origin, region: 'us-east-1', ...(table ? { table } : {}) };
  return <InLanguages name="together" emit={(language) => language.together(together, target)} />;
}

// `name` tells the tabs of one page apart; the language is the same in all.
function InLanguages({ name: own, emit, unfinished = false }: { name: string; emit(language: Language): Emitted; unfinished?: boolean }) {
  const chosen = languages.find(({ name }) => name === route.value.query['as']) ?? languages[0]!;
  const emitted = emit(chosen);
  const panel = own === 'as' ? 'code-panel' : `code-panel-${own}`;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const next = languages[(languages.indexOf(chosen) + step + languages.length) % languages.length]!;
    setQuery({ as: next.name }, { replace: true });
    document.getElementById(`${own}-${next.name}`)?.focus();
    event.preventDefault();
  };
  return (
    <>
      <div role="tablist" aria-label={own === 'as' ? 'Language' : 'Language of all together'} class="tabs" onKeyDown={onKeyDown}>
        {languages.map(({ name, title }) => (
          <button
            key={name}
            id={`${own}-${name}`}
            type="button"
            role="tab"
            aria-selected={name === chosen.name}
            aria-controls={panel}
            tabIndex={name === chosen.name ? 0 : -1}
            onClick={() => setQuery({ as: name }, { replace: true })}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={panel} class="code-panel" aria-labelledby={`${own}-${chosen.name}`}>
        {unfinished && <p class="hint">The request is not complete yet. See the marked fields on the form.</p>}
        {'refused' in emitted ? (
          <p class="refused" role="status">
            <strong>{chosen.title} cannot say this.</strong> {emitted.refused}
          </p>
        ) : (
          <>
            <CodeBlock code={emitted.code} label={own === 'as' ? `${chosen.title} code` : `${chosen.title} code of all together`} unfinished={unfinished} />
            {emitted.notes.map((note) => (
              <p key={note} class="hint">
                {note}
              </p>
            ))}
          </>
        )}
      </div>
    </>
  );
}
