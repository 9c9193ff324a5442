// Find a collection by its key: the first that begins with the text, else one that contains it.
import { useSignal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import type { AttributeValue, Item } from '../../api/attribute_value.ts';
import { matches } from './find.ts';
import { select } from './state.ts';
import type { TableData } from './table_data.ts';

export function FindBox({ table, index }: { table: TableData; index: string | null }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const side = table.side(index);
  const name = table.keys(index).partition.join(', ');
  const version = table.version.value;
  const found = useMemo(() => (side && text !== '' ? matches(side, text) : []), [side, side?.count, version, text]);
  const looking = useSignal('');
  const keys = table.keys(index);
  const beyond = table.cut.value && keys.partition.length === 1; // Not all of the table is here.
  // A table that was cut may have the collection all the same, or more of it.
  const bring = async () => {
    const [partition, type] = [keys.partition[0]!, keys.partitionTypes[0]!];
    looking.value = 'looking in the whole table…';
    const there = await table.loadCollection(index, { [partition]: { [type]: text } as unknown as AttributeValue }).catch(() => false);
    looking.value = there ? '' : 'none with this key';
    const at = there ? side?.findCollection(text) : null;
    const row = at === null || at === undefined ? undefined : side?.collections[at]?.rows[0];
    if (row) select(row.id, JSON.parse(row.json) as Item);
  };
  const go = (number: number) => {
    const row = side?.collections[found[number] ?? -1]?.rows[0];
    if (!row) return;
    setAt(number);
    select(row.id, JSON.parse(row.json) as Item);
  };
  return (
    <form
      class="find"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        if (beyond && (found.length === 0 || side?.findCollection(text) !== null)) {
          void bring();
          return;
        }
        if (found.length > 0) go(at % found.length);
        setAt((at + 1) % Math.max(1, found.length));
      }}
    >
      <label>
        <span class="unseen">Find a collection by its {name}</span>
        <input
          type="search"
          placeholder={`Find by ${name}`}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            looking.value = '';
            setAt(0);
          }}
        />
      </label>
      <span class="hint" role="status">
        {looking.value !== '' ? looking.value : text === '' ? '' : found.length === 0 ? (beyond ? 'not among the loaded items; press Enter to search further' : 'none') : `${found.length.toLocaleString('en')} found, Enter goes there`}
      </span>
    </form>
  );
}
