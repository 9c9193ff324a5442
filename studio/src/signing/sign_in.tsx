// The bar that names the signed-in key, and the dialog for one.
import { useEffect, useRef } from 'preact/hooks';
import { returns } from '../api/reach.ts';
import { askForKey, declined, forgetKey, question, signedAs, type Question } from './send.ts';
import '../parts/asking.css';
import './sign_in.css';

function Field({ label, name, secret = false, value = '', required = true }: { label: string; name: string; secret?: boolean; value?: string; required?: boolean }) {
  return (
    <label>
      <span>{label}</span>
      <input name={name} type={secret ? 'password' : 'text'} value={value} required={required} autocomplete="off" spellcheck={false} />
    </label>
  );
}

function Ask({ of }: { of: Question }) {
  const frame = useRef<HTMLDialogElement>(null);
  useEffect(() => frame.current?.showModal(), [of]);
  // Browsers sign only for pages that nobody on the way can have changed.
  if (!globalThis.crypto?.subtle) {
    return (
      <dialog ref={frame} class="asking sign-in" aria-labelledby="sign-in-title" onCancel={() => of.answer(null)}>
        <h2 id="sign-in-title">This server requires signed requests</h2>
        <p>The browser signs only over HTTPS or on localhost: start the server with --tls-cert, or open it through a tunnel.</p>
        <button onClick={() => of.answer(null)}>Close</button>
      </dialog>
    );
  }
  return (
    <dialog ref={frame} class="asking sign-in" aria-labelledby="sign-in-title" onCancel={() => of.answer(null)}>
      <h2 id="sign-in-title">Sign in with an access key</h2>
      <p>This server requires signed requests. The key stays in the memory of this page until you close it.</p>
      <p class="said">The server said: {of.why}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const given = new FormData(event.currentTarget);
          const text = (name: string) => String(given.get(name) ?? '').trim();
          of.answer({ id: text('id'), secret: text('secret'), token: text('token'), region: text('region') });
        }}
      >
        <Field label="Access key id" name="id" />
        <Field label="Secret access key" name="secret" secret />
        <Field label="Session token, if the key is temporary" name="token" secret required={false} />
        <Field label="Region" name="region" value="us-east-1" />
        <div class="group-add">
          <button class="main" type="submit">
            Sign in
          </button>
          <button type="button" onClick={() => of.answer(null)}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}

export function SignIn() {
  return (
    <>
      {signedAs.value !== null && (
        <p class="sign-in-bar" role="status">
          Signed with <strong>{signedAs.value}</strong> <button onClick={forgetKey}>Forget it</button>
        </p>
      )}
      {signedAs.value === null && declined.value !== null && (
        <p class="sign-in-bar" role="status">
          Not signed in.{' '}
          <button onClick={() => void askForKey(declined.peek() ?? '').then((given) => given && (returns.value += 1))}>Sign in</button>
        </p>
      )}
      {question.value && <Ask of={question.value} />}
    </>
  );
}
