// Code with a button that copies it.
import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { copyText } from './copy_text.ts';
import { highlighted } from './highlight.ts';
import './code_block.css';

// Code that is `unfinished` is shown, but not for copying.
export function CodeBlock({ code, label, unfinished = false }: { code: string; label: string; unfinished?: boolean }) {
  const said = useSignal('');
  const pieces = useMemo(() => highlighted(code), [code]);
  const silence = useRef<ReturnType<typeof setTimeout>>();
  const copy = async () => {
    // The timer of an earlier copy would wipe out the word of this one.
    clearTimeout(silence.current);
    try {
      await copyText(code);
      said.value = 'Copied';
    } catch {
      said.value = 'The browser did not allow it: select the text and copy it by hand';
    }
    silence.current = setTimeout(() => (said.value = ''), 2500);
  };
  return (
    <div class="code-block">
      <div class="code-block-bar">
        <span role="status">{said.value}</span>
        <button type="button" disabled={unfinished} title={unfinished ? 'Not complete yet' : undefined} onClick={() => void copy()} aria-label={`Copy ${label}`}>
          Copy
        </button>
      </div>
      <pre tabIndex={0} aria-label={label} role="region">
        <code>{pieces.map(({ kind, text }, at) => (kind === 'plain' ? text : <span key={at} class={`code-${kind}`}>{text}</span>))}</code>
      </pre>
    </div>
  );
}
