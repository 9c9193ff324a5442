// Takes another strategy for a relationship.
import { useSignal } from '@preact/signals';
import { model as api } from '../../../api/model.ts';
import { readSource } from '../../../design/design.ts';
import { scale } from '../../../design/figures.ts';
import { propose } from '../../../design/proposal.ts';
import { Prose } from '../../../parts/prose.tsx';

// The design with this relationship stored in this way and all else as it is, as a button; it is made when somebody wants it.
export function Switch({ relationship, strategy }: { relationship: string; strategy: string }) {
  const asking = useSignal(false);
  const refused = useSignal<{ source: string; why: string } | null>(null);
  const take = async () => {
    const source = readSource.peek();
    asking.value = true;
    try {
      const switched = await api.switchTo(source, relationship, strategy, scale.peek());
      await propose(`${relationship} as ${strategy}`, switched.source);
    } catch (error) {
      refused.value = { source, why: (error as Error).message };
    }
    asking.value = false;
  };
  if (refused.value?.source === readSource.value) {
    return (
      <p class="hint" role="status">
        <Prose text={refused.value.why} />
      </p>
    );
  }
  return (
    <button disabled={asking.value} onClick={() => void take()}>
      {asking.value ? 'Making the design…' : 'Switch to it…'}
    </button>
  );
}
