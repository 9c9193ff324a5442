// A new design from what there is already: a schema in SQL with the statements of the application, or a file of another tool.
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { model as api, ModelError, type Imported } from '../../api/model.ts';
import { plural } from '../../parts/numbers.ts';
import { KeysPicture, useModelOf } from './design/keys_picture.tsx';

export const foreign = signal('');
const statements = signal('');

const isSql = (text: string) => /\bcreate\s+(\w+\s+)*table\b/i.test(text);

const exampleSchema = `CREATE TABLE author (
  id   int PRIMARY KEY,
  name varchar(60) NOT NULL
);
CREATE TABLE book (
  id        int PRIMARY KEY,
  author_id int NOT NULL REFERENCES author (id),
  title     varchar(80) NOT NULL
);`;
const exampleStatements = `-- 40/s
SELECT * FROM book WHERE author_id = $1 ORDER BY title;
-- 5/s
SELECT * FROM author WHERE id = $1;`;

export async function importedText(name: string): Promise<string> {
  const { source, unreadTables } = await api.importFrom(foreign.peek(), isSql(foreign.peek()) ? statements.peek() : '', name);
  if (unreadTables === 0) return source;
  return `// ${unreadTables} of the tables could not be read: they are comments below.\n${source}`;
}

const restMs = 350;

// What the text makes, while it is typed. Stands where the picture of the open design would.
export function ForeignPreview() {
  const [made, setMade] = useState<Imported | null>(null);
  const [refused, setRefused] = useState('');
  const text = foreign.value;
  const queries = isSql(text) ? statements.value : '';
  useEffect(() => {
    setRefused('');
    if (text.trim() === '') return setMade(null);
    const timer = setTimeout(() => {
      api.importFrom(text, queries, '').then(setMade, (error: Error) => {
        setMade(null);
        if (error instanceof ModelError) setRefused(error.message);
      });
    }, restMs);
    return () => clearTimeout(timer);
  }, [text, queries]);
  const model = useModelOf(made?.source ?? null);
  return (
    <section class="questions-preview" aria-label="What this makes">
      <h2>What this makes</h2>
      {refused && (
        <p class="note" role="status">
          {refused}
        </p>
      )}
      {!made && !refused && <p class="hint">Paste a schema: the entities, their relationships and the access patterns appear here.</p>}
      {made && model && (
        <>
          <p role="status">
            {made.entities === 1 ? '1 entity' : `${made.entities} entities`}, {plural(model.relationships.length, 'relationship')}, {plural(made.patterns, 'access pattern')}
            {made.unreadTables > 0 && `; ${plural(made.unreadTables, 'table')} could not be read`}
          </p>
          <ul>
            {model.entities.map(({ name, attributes }) => (
              <li key={name}>
                <strong>{name}</strong> {attributes.map((attribute) => `${attribute.name}${attribute.references ? ` → ${attribute.references}` : ''}`).join(', ')}
              </li>
            ))}
          </ul>
          <h3>Access patterns</h3>
          <ul>
            {model.patterns.map(({ name, title, ratePerSecond }) => (
              <li key={name}>
                {title || name}
                {ratePerSecond > 0 && <span class="hint"> {ratePerSecond} a second</span>}
              </li>
            ))}
          </ul>
          {made.tables > 0 ? (
            <KeysPicture model={model} />
          ) : (
            <p class="hint">It has no keys yet. “Create, and design it for me” finds the cheapest ones and proves them.</p>
          )}
        </>
      )}
    </section>
  );
}

export function ForeignText() {
  return (
    <div class="foreign-text">
      <label>
        <span>Schema: SQL, CreateTable, CloudFormation, Terraform, Prisma, OneTable, ElectroDB, NoSQL Workbench…</span>
        <textarea rows={8} spellcheck={false} value={foreign.value} placeholder="CREATE TABLE …" onInput={(event) => (foreign.value = event.currentTarget.value)} />
      </label>
      <div class="group-add">
        <label>
          <span>or a file</span>
          <input
            type="file"
            onChange={async (event) => {
              const [file] = event.currentTarget.files ?? [];
              if (file) foreign.value = await file.text();
            }}
          />
        </label>
        <button
          type="button"
          onClick={() => {
            foreign.value = exampleSchema;
            statements.value = exampleStatements;
          }}
        >
          Show me an example
        </button>
      </div>
      {isSql(foreign.value) && (
        <label>
          <span>The statements that your application runs, each with its rate (they become access patterns)</span>
          <textarea
            rows={5}
            spellcheck={false}
            value={statements.value}
            placeholder={'-- 40/s\nSELECT * FROM book WHERE author_id = $1 ORDER BY title;'}
            onInput={(event) => (statements.value = event.currentTarget.value)}
          />
        </label>
      )}
    </div>
  );
}
