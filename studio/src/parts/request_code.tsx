// A request as code, in every language: the tabs, the code with its copy button, and what to know about it. `as` in the address
// names the language; without it, the one that was chosen last in this browser.
import { signal } from '@preact/signals';
import { route, setQuery } from '../app/route.ts';
import type { Draft } from '../requests/draft.ts';
import type { Emitted, Target } from '../requests/emit/emitted.ts';
import { languages, type Language } from '../requests/emit/languages.ts';
import { compile } from '../requests/request.ts';
import type { TableSchema } from '../requests/schema.ts';
import type { Request } from '../api/dynamodb.ts';
import type { Operation } from '../requests/draft.ts';
import { isTogether, type Together } from '../requests/together.ts';
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

// A request as it was sent. PartiQL is left out: it says a request in words of its own.
export function SentCode({ operation, request }: { operation: string; request: Request }) {
  const target: Target = { endpoint: location.origin, region: 'us-east-1' };
  const limit = typeof request['Limit'] === 'number' ? { limit: request['Limit'] } : {};
  const draft = { operation: operation as Operation, table: String(request['TableName'] ?? ''), key: [], ...limit };
  const emit = (language: Language): Emitted =>
    isTogether(operation) ? language.together({ operation, request, drafts: [] }, target) : language.emit(draft, { operation: draft.operation, request }, target);
  return <InLanguages name="sent" among={languages.filter(({ name }) => name !== 'partiql')} emit={emit} />;
}

const rememberedKey = 'prejoin-language';
const remembered = signal(typeof localStorage === 'undefined' ? null : localStorage.getItem(rememberedKey));

function choose(name: string): void {
  localStorage.setItem(rememberedKey, name);
  remembered.value = name;
  setQuery({ as: name }, { replace: true });
}

const titles: Record<string, string> = { as: 'Language', together: 'Language of all together', sent: 'Language of the request' };

interface Tabs {
  name: string; // Tells the tabs of one page apart; the language is the same in all.
  emit(language: Language): Emitted;
  unfinished?: boolean;
  among?: Language[];
}

function InLanguages({ name: own, emit, unfinished = false, among = languages }: Tabs) {
  const chosen = among.find(({ name }) => name === (route.value.query['as'] ?? remembered.value)) ?? among[0]!;
  const emitted = emit(chosen);
  const panel = own === 'as' ? 'code-panel' : `code-panel-${own}`;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const next = among[(among.indexOf(chosen) + step + among.length) % among.length]!;
    choose(next.name);
    document.getElementById(`${own}-${next.name}`)?.focus();
    event.preventDefault();
  };
  return (
    <>
      <div role="tablist" aria-label={titles[own]} class="tabs" onKeyDown={onKeyDown}>
        {among.map(({ name, title }) => (
          <button
            key={name}
            id={`${own}-${name}`}
            type="button"
            role="tab"
            aria-selected={name === chosen.name}
            aria-controls={panel}
            tabIndex={name === chosen.name ? 0 : -1}
            onClick={() => choose(name)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={panel} class="code-panel" aria-labelledby={`${own}-${chosen.name}`}>
        {unfinished && <p class="hint">The request is not complete yet. Fill in the marked fields of the form.</p>}
        {'refused' in emitted ? (
          <p class="refused" role="status">
            <strong>{chosen.title} cannot say this.</strong> {emitted.refused}
          </p>
        ) : (
          <>
            <CodeBlock code={emitted.code} label={`${chosen.title} code${own === 'together' ? ' of all together' : ''}`} unfinished={unfinished} />
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
