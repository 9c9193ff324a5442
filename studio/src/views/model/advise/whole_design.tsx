// The prices of a relationship's strategies as bills of the whole design. Of a large model they are made when somebody asks.
import { useSignal } from '@preact/signals';
import { model as api, type Advice } from '../../../api/model.ts';
import { readSource } from '../../../design/design.ts';
import { scale } from '../../../design/figures.ts';

// The advice to show, and what there is to say where it is of the relationship alone.
export function useWholeDesign(of: Advice) {
  const answer = useSignal<{ source: string; factor: number; advice: Advice } | null>(null);
  const asking = useSignal(false);
  const trouble = useSignal<string | null>(null);
  const ask = async () => {
    const [source, factor] = [readSource.peek(), scale.peek()];
    asking.value = true;
    trouble.value = null;
    try {
      const [advice] = await api.advise(source, factor, undefined, of.relationship);
      if (advice) answer.value = { source, factor, advice };
    } catch (error) {
      trouble.value = (error as Error).message;
    }
    asking.value = false;
  };
  const known = answer.value;
  const shown = known?.source === readSource.value && known.factor === scale.value && known.advice.relationship === of.relationship ? known.advice : of;
  const note = shown.wholeDesign ? null : (
    <p class="hint">
      {shown.deferred
        ? 'This design is large, so these are prices of the relationship alone. '
        : 'No table stores it yet, so these are prices of the relationship alone. “Design it for me” creates the tables.'}
      {shown.deferred && (
        <button disabled={asking.value} onClick={() => void ask()}>
          {asking.value ? 'Pricing…' : 'Price it in the whole design'}
        </button>
      )}
      {trouble.value}
    </p>
  );
  return { shown, note };
}
