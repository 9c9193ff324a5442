// Requests to a server that wants to know who asks. The key that a person enters stays in this module's memory: it is neither stored nor
// sent, and gone when the page is closed or loaded again.
import { signal } from '@preact/signals';
import { signature, type AccessKey } from './signature.ts';

// The question for a key, while it is open: what the server said, and what becomes of the answer; null: no key.
export interface Question {
  why: string;
  answer(key: AccessKey | null): void;
}

export const question = signal<Question | null>(null);
export const signedAs = signal<string | null>(null); // The id of the key in use.
export const declined = signal<string | null>(null); // The server's words when no key was given.

let key: AccessKey | null = null;
let asking: Promise<AccessKey | null> | null = null;

const unsigned = new Set([
  'MissingAuthenticationTokenException', 'IncompleteSignatureException', 'InvalidSignatureException', 'UnrecognizedClientException', 'ExpiredTokenException',
]);

// Why the server does not know who asks; null if that is not what it says.
async function refusal(response: Response): Promise<string | null> {
  if (response.status !== 400 && response.status !== 403) return null;
  const body = (await response.clone().json().catch(() => ({}))) as Record<string, unknown>;
  const code = String(body['__type'] ?? '').replace(/^.*#/, '');
  return unsigned.has(code) ? String(body['message'] ?? body['Message'] ?? code) : null;
}

async function signed(path: string, init: RequestInit, by: AccessKey): Promise<RequestInit> {
  const headers = new Headers(init.headers);
  const body = typeof init.body === 'string' ? init.body : '';
  const made = await signature(by, init.method ?? 'GET', new URL(path, location.href), headers.get('X-Amz-Target'), body, new Date());
  for (const [name, value] of Object.entries(made)) headers.set(name, value);
  return { ...init, headers };
}

// One question at a time, whoever needs the answer.
export function askForKey(why: string): Promise<AccessKey | null> {
  asking ??= new Promise<AccessKey | null>((resolve) => (question.value = { why, answer: resolve })).then((given) => {
    question.value = null;
    asking = null;
    key = given;
    signedAs.value = given?.id ?? null;
    declined.value = given ? null : why;
    return given;
  });
  return asking;
}

export function forgetKey(): void {
  key = null;
  signedAs.value = null;
  declined.value = 'The key is forgotten.';
}

// As fetch; asks for a key where the server wants one, and tries again with it.
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  for (;;) {
    const used = key;
    const response = await fetch(path, used ? await signed(path, init, used) : init);
    // What another server thinks of the signature of `prejoin studio` is nothing that a key of this one could mend.
    const why = path === '/remote' && init.method === 'POST' ? null : await refusal(response);
    if (why === null || (declined.peek() !== null && key === null)) return response;
    if (key === used && !(await askForKey(why))) return response;
  }
}
