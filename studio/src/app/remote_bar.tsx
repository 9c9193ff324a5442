// The bar over another server's tables: their owner, the units spent, and the question before a Scan.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { describeTable, type TableDescription } from '../api/dynamodb.ts';
import { remote, spent, wish, type Wish } from '../api/remote.ts';
import { bytes, count, plural } from '../parts/numbers.ts';
import '../parts/asking.css';
import './remote_bar.css';

const readMillion = 0.125; // On demand, as docs/model/prices.md has it.
const writeMillion = 0.625;

function price(reads: number, writes: number): string {
  const dollars = (reads * readMillion + writes * writeMillion) / 1e6;
  return dollars === 0 ? '$0' : dollars < 0.01 ? 'under a cent' : `$${dollars.toFixed(2)}`;
}

function Ask({ of }: { of: Wish }) {
  const frame = useRef<HTMLDialogElement>(null);
  const facts = useSignal<TableDescription | null>(null);
  useEffect(() => {
    frame.current?.showModal();
    describeTable(of.table).then((found) => (facts.value = found), () => {});
  }, [of]);
  const index = facts.value?.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === of.index);
  const size = index?.IndexSizeBytes ?? facts.value?.TableSizeBytes ?? 0;
  const items = index?.ItemCount ?? facts.value?.ItemCount ?? 0;
  const units = Math.ceil(size / 4096);
  return (
    <dialog ref={frame} class="asking leave" aria-labelledby="leave-title" onCancel={() => of.answer(false)}>
      <h2 id="leave-title">Read all of {of.index ? `${of.index} of ${of.table}` : of.table}?</h2>
      <p>
        {facts.value
          ? `A Scan reads about ${plural(items, 'item')}, ${bytes(size)}: up to ${plural(units, 'read unit')}, ${price(units, 0)}. The counts may be some hours old.`
          : 'Asking how large it is…'}
      </p>
      <div class="group-add">
        <button class="main" onClick={() => of.answer(true)}>
          Read it
        </button>
        <button onClick={() => of.answer(false)}>No</button>
      </div>
    </dialog>
  );
}

export function RemoteBar() {
  const there = remote.value;
  if (!there) return null;
  const { reads, writes } = spent.value;
  return (
    <>
      <p class="remote-bar" role="status">
        Tables of <strong>{there.url}</strong> · {there.writes ? 'changes are allowed' : 'reads only'} · spent here: {plural(reads, 'read unit')}
        {writes > 0 && `, ${count(writes)} write units`}, {price(reads, writes)}
      </p>
      {wish.value && <Ask key={`${wish.value.table} ${wish.value.index}`} of={wish.value} />}
    </>
  );
}
