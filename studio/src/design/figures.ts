// The cost of the design, the advice on it, and its proof.
import { computed, effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { model as api, type Advice, type Cost, type Proof } from '../api/model.ts';
import { returns } from '../api/reach.ts';
import { route } from '../app/route.ts';
import { openName, readSource } from './design.ts';

export interface Answer<T> {
  value: T | null; // The last answer, kept while the next one is on its way.
  error: string | null;
  busy: boolean;
}

// Asks whenever `key` changes (null: nothing to ask), as long as somebody reads the answer. Only the
// newest question counts.
export function follow<Key, T>(
  key: ReadonlySignal<Key | null>,
  ask: (key: Key, signal: AbortSignal) => Promise<T>,
): ReadonlySignal<Answer<T>> {
  let stop: (() => void) | undefined;
  let asked: Key | null = null;
  const answer: Signal<Answer<T>> = signal<Answer<T>>(
    { value: null, error: null, busy: false },
    // Later: the reader is still in the middle of reading.
    {
      watched: () => void queueMicrotask(() => (stop ??= effect(run))),
      unwatched: () => void queueMicrotask(() => (stop?.(), (stop = undefined))),
    },
  );
  const run = () => {
    const wanted = key.value;
    void returns.value; // A question that met no server is asked again.
    if (wanted === null) return;
    if (wanted === asked) {
      answer.value = { ...answer.peek(), busy: false }; // Back to what is known already.
      return;
    }
    const controller = new AbortController();
    answer.value = { ...answer.peek(), busy: true };
    ask(wanted, controller.signal).then(
      (value) => {
        if (controller.signal.aborted) return;
        asked = wanted;
        answer.value = { value, error: null, busy: false };
      },
      (error: Error) => {
        if (controller.signal.aborted) return;
        asked = null;
        answer.value = { value: null, error: error.message, busy: false };
      },
    );
    return () => controller.abort();
  };
  return answer;
}

const text = computed(() => readSource.value || null);

// `?scale=100`: a hundred times the rows and requests.
export const scale = computed(() => {
  const factor = Number(route.value.query['scale']);
  return factor >= 1 && factor <= 100_000 ? factor : 1;
});

export const cost = follow<string, Cost>(text, (source, abort) => api.cost(source, 1, abort));

const scaled = computed(() => (text.value === null ? null : JSON.stringify([text.value, scale.value])));
export const scaledCost = follow<string, Cost>(scaled, (key, abort) => {
  const [source, factor] = JSON.parse(key) as [string, number];
  return api.cost(source, factor, abort);
});

// At the scale of the page.
export const advice = follow<string, Advice[]>(scaled, (key, abort) => {
  const [source, factor] = JSON.parse(key) as [string, number];
  return api.advise(source, factor, abort);
});

// A proof takes a moment, so it is made on request and stays when the text changes.
const proved = signal<{ design: string; source: string; proof: Proof } | null>(null);
export const proving = signal(false);
export const proofTrouble = signal<string | null>(null);

export const proof = computed(() => (proved.value?.design === openName.value ? proved.value.proof : null));
export const proofIsOld = computed(() => proved.value !== null && proved.value.source !== readSource.value);

export async function prove(rows?: number): Promise<void> {
  const source = readSource.peek();
  const design = openName.peek();
  if (proving.peek() || source === '') return;
  proving.value = true;
  proofTrouble.value = null;
  try {
    proved.value = { design, source, proof: await api.prove(source, rows) };
  } catch (error) {
    proofTrouble.value = (error as Error).message;
  } finally {
    proving.value = false;
  }
}
