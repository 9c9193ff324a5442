// The rows of a design's sample as a relational database would keep them: a table for each entity, with its primary key and its foreign
// keys. A row that is chosen asks the page to show where it is stored.
import type { Model, ModelAttribute } from '../api/model.ts';
import { colourStyle, entityColour, segmentColoursOf } from '../design/colours.ts';
import { ScrollBox } from './data_table.tsx';
import './key_text.css';
import './relational_tables.css';

export interface RelationalRow {
  entity: string;
  at: number; // In the sample of its entity.
}

interface Props {
  model: Model;
  chosen?: RelationalRow | null;
  onChoose?: (row: RelationalRow | null) => void;
}

const cellText = (value: unknown) => (value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value));
const rowsMost = 12;

function Heading({ attribute }: { attribute: ModelAttribute }) {
  const role = [attribute.key && 'PK', attribute.references && 'FK'].filter(Boolean).join(', ');
  return (
    <th scope="col" class={attribute.key ? 'primary' : undefined} title={attribute.references ? `references ${attribute.references}` : undefined}>
      {attribute.name} {role && <small>{role}</small>}
    </th>
  );
}

export function RelationalTables({ model, chosen = null, onChoose }: Props) {
  const sampled = model.samples.filter(({ rows }) => rows.length > 0);
  if (sampled.length === 0) return <p class="hint">The design has no sample rows.</p>;
  return (
    <div class="relational">
      {sampled.map(({ entity, rows }) => {
        const attributes = model.entities.find(({ name }) => name === entity)?.attributes ?? [];
        const colourOf = segmentColoursOf(model, entity);
        return (
          <figure key={entity} style={colourStyle(entityColour(model, entity))}>
            <figcaption>
              <span class="type-tag">{entity}</span>
            </figcaption>
            <ScrollBox label={`Relational table ${entity}`}>
              <table>
                <thead>
                  <tr>
                    {attributes.map((attribute) => (
                      <Heading key={attribute.name} attribute={attribute} />
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {rows.slice(0, rowsMost).map((row, at) => {
                    const now = chosen?.entity === entity && chosen.at === at;
                    return (
                      <tr key={at} data-chosen={now ? '' : undefined}>
                        {attributes.map(({ name, key, references }, column) => (
                          <td key={name} class={key || references ? `key-value key-value-${colourOf(name)}` : undefined}>
                            {column === 0 && onChoose ? (
                              <button type="button" class="link" aria-pressed={now} title="Show where this row is stored" onClick={() => onChoose(now ? null : { entity, at })}>
                                {cellText(row[name])}
                              </button>
                            ) : (
                              cellText(row[name])
                            )}
                          </td>
                        ))}
                      </tr>
                    );
                  })}
                </tbody>
              </table>
            </ScrollBox>
            {rows.length > rowsMost && <p class="hint">and {rows.length - rowsMost} rows more</p>}
          </figure>
        );
      })}
    </div>
  );
}
