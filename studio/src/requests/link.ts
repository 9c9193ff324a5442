// A draft as a word that fits into an address: JSON, deflated, in base64url.
import { operations, type Draft } from './draft.ts';

const textMax = 200_000; // Characters of JSON that a link may unfold to.

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    size += value.length;
    if (size > textMax) throw new Error('The link is too long.');
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

// Any text as such a word.
export async function packText(text: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate'));
  let characters = '';
  for (const byte of bytes) characters += String.fromCharCode(byte);
  return btoa(characters).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

export const packDraft = (draft: Draft): Promise<string> => packText(JSON.stringify(draft));

// Throws if the word is torn.
export async function unpackText(word: string): Promise<string> {
  const characters = atob(word.replace(/-/g, '+').replace(/_/g, '/'));
  const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0));
  return new TextDecoder('utf-8', { fatal: true }).decode(await through(bytes, new DecompressionStream('deflate')));
}

// Throws Error if the word is torn: links get cut in mails.
export async function unpackDraft(word: string): Promise<Draft> {
  try {
    const draft = JSON.parse(await unpackText(word)) as Draft;
    if (!operations.includes(draft.operation) || typeof draft.table !== 'string' || !Array.isArray(draft.key)) {
      throw new Error('It is no request.');
    }
    return draft;
  } catch {
    throw new Error('The link to this request is incomplete. Copy it again, or start a new request.');
  }
}
