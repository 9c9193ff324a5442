// The changes that wait for one transaction.
import { useSignal } from '@preact/signals';
import { CodeBlock } from '../../parts/code_block.tsx';
import { plural } from '../../parts/numbers.ts';
import { collected, collecting, sendCollected, transactionOf, type Sent } from './collect.ts';
import { run, saved } from './state.ts';

export function CollectSwitch() {
  return (
    <label title="Edits wait and are written together, all of them or none">
      <input
        type="checkbox"
        checked={collecting.value}
        disabled={collected.value.length > 0}
        onChange={(event) => (collecting.value = event.currentTarget.checked)}
      />{' '}
      collect edits for a transaction
    </label>
  );
}

export function Transaction() {
  const failed = useSignal<Sent | null>(null);
  const waiting = collected.value;
  if (waiting.length === 0) return null;
  const send = async () => {
    const sent = await sendCollected();
    failed.value = collected.peek().length > 0 ? sent : null;
    if (failed.peek()) return;
    await run();
    saved.value = sent.said;
  };
  return (
    <section class="panel" aria-label="Transaction">
      <h3>{plural(waiting.length, 'change')} not written yet</h3>
      <ol>
        {waiting.map(({ label, item }) => (
          <li key={item}>
            <code>{label}</code>
          </li>
        ))}
      </ol>
      {failed.value && (
        <div role="alert" class="refused">
          {failed.value.said}
          <ul>
            {failed.value.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </div>
      )}
      <div class="group-add">
        <button type="button" class="main" onClick={() => void send()}>
          Write {waiting.length === 1 ? 'it' : `all ${waiting.length}`} as one transaction
        </button>
        <button
          type="button"
          onClick={() => {
            collected.value = [];
            failed.value = null;
            void run();
          }}
        >
          Throw {waiting.length === 1 ? 'it' : 'them'} away
        </button>
      </div>
      <details>
        <summary>The request</summary>
        <CodeBlock label="TransactWriteItems request" code={JSON.stringify(transactionOf(waiting), null, 2)} />
      </details>
    </section>
  );
}
