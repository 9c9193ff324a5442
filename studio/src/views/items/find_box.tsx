// Find a collection by its key: the first that begins with the text, else one that contains it.
import { useMemo, useState } from 'preact/hooks';
import type { Item } from '../../api/attribute_value.ts';
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
            setAt(0);
          }}
        />
      </label>
      <span class="hint" role="status">
        {text === '' ? '' : found.length === 0 ? 'none' : `${found.length.toLocaleString('en')} found, Enter goes there`}
      </span>
    </form>
  );
}
