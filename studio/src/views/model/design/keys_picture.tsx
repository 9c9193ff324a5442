// The keys of a design that is not open: each entity with its key templates, in the colours that it will have.
import { model as api, type Model } from '../../../api/model.ts';
import { segmentColoursOf } from '../../../design/colours.ts';
import { templateSegments } from '../../../parts/key_segments.ts';
import { DataTable } from '../../../parts/data_table.tsx';
import { useEffect, useState } from 'preact/hooks';
import { chartOf } from '../chart/chart_rows.ts';

function Template({ model, entity, template }: { model: Model; entity: string; template: string }) {
  return (
    <code class="key-text">
      {templateSegments(template, segmentColoursOf(model, entity)).map(({ text, attribute, colour }, at) => (
        <span key={at} class={attribute === null ? 'key-word' : `key-value key-value-${colour}`}>
          {text}
        </span>
      ))}
    </code>
  );
}

export function KeysPicture({ model }: { model: Model }) {
  return (
    <>
      {chartOf(model).map(({ table, columns, rows }) => (
        <DataTable key={table} label={`Keys of ${table}`} columns={['Entity', ...columns.map(({ attribute, view }) => (view === table ? attribute : `${view}: ${attribute}`))]}>
          {rows.map((row) => (
            <tr key={row.entity + (row.lock ?? '')}>
              <th scope="row">
                <span class={`entity-chip type-${row.colour}`}>{row.entity}</span>
                {row.lock && <span class="hint"> lock of {row.lock}</span>}
              </th>
              {row.cells.map((template, at) => (
                <td key={at}>{template === null ? <span class="absent">–</span> : <Template model={model} entity={row.entity} template={template} />}</td>
              ))}
            </tr>
          ))}
        </DataTable>
      ))}
    </>
  );
}

// The model of a text, asked for when the text has rested.
export function useModelOf(text: string | null, restMs = 0): Model | null {
  const [known, setKnown] = useState<{ text: string; model: Model | null } | null>(null);
  useEffect(() => {
    if (text === null) return;
    const timer = setTimeout(() => {
      api.check(text).then(
        ({ model }) => setKnown({ text, model }),
        () => {}, // The frame says that the server is gone.
      );
    }, restMs);
    return () => clearTimeout(timer);
  }, [text]);
  return text === null ? null : (known?.model ?? null);
}
