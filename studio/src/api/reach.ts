// Whether the server answers. Every request goes through here, so that each view knows when what it shows may be old.
import { signal } from '@preact/signals';
import { send } from '../signing/send.ts';

export const lostSince = signal<number | null>(null); // Milliseconds of the clock; null while all is well.
export const returns = signal(0); // How often it has come back: what could not be asked is asked again.

const tryAgainMs = 1000;

export class Unreachable extends Error {
  constructor() {
    super('The server does not answer.');
  }
}

// As fetch. Throws Unreachable, or AbortError if `init.signal` ends it.
export async function reach(path: string, init: RequestInit = {}): Promise<Response> {
  try {
    const response = await send(path, init);
    back();
    return response;
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    lose();
    throw new Unreachable();
  }
}

function back(): void {
  if (lostSince.peek() === null) return;
  lostSince.value = null;
  returns.value += 1;
}

function lose(): void {
  if (lostSince.peek() !== null) return;
  lostSince.value = Date.now();
  const knock = () => {
    if (lostSince.peek() === null) return;
    fetch('/model/source').then(back, () => setTimeout(knock, tryAgainMs));
  };
  setTimeout(knock, tryAgainMs);
}
