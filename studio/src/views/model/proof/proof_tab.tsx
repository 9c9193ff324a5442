// Runs every pattern and write on a real database and compares with the relational answer.
import { signal } from '@preact/signals';
import type { Proof } from '../../../api/model.ts';
import { findings, source, unread } from '../../../design/design.ts';
import { proof, proofIsOld, proofTrouble, prove, proving } from '../../../design/figures.ts';
import { changesOf } from '../../../design/fixes.ts';
import { propose } from '../../../design/proposal.ts';
import { bare, DataTable, number } from '../../../parts/data_table.tsx';
import { count, plural } from '../../../parts/numbers.ts';
import { Prose } from '../../../parts/prose.tsx';

const rows = signal('sample');

function Verdict({ right }: { right: boolean }) {
  return <span class={right ? 'verdict good' : 'verdict bad'}>{right ? '✓ right' : '✗ wrong'}</span>;
}

interface Line {
  name: string;
  title: string;
  right: boolean;
  what: string;
  predicted: number;
  measured: number;
  problems: string[];
}

// What is wrong comes first.
function linesOf(of: Proof): Line[] {
  const lines = [
    ...of.patterns.map((one) => ({
      ...one,
      what: `${plural(one.runs, 'run')}, ${plural(one.itemsRead, 'item')} read${one.itemsThrownAway > 0 ? `, ${count(one.itemsThrownAway)} discarded` : ''}`,
      predicted: one.predictedReadUnits,
      measured: one.measuredReadUnits,
    })),
    ...of.writes.map((one) => ({
      ...one,
      what: `${plural(one.itemsWritten, 'item')} written${one.guarded ? '; a second time is refused' : ''}`,
      predicted: one.predictedWriteUnits,
      measured: one.measuredWriteUnits,
    })),
  ];
  return lines.sort((a, b) => Number(a.right) - Number(b.right));
}

// A problem may name the rule of the checker that finds its cause; the fixes of that rule are offered with it.
function Problem({ text }: { text: string }) {
  const rule = /\bPJ\d{3}\b/.exec(text)?.[0];
  const changes = findings.value.filter((finding) => finding.rule === rule).flatMap((finding) => changesOf(source.value, finding).map((change) => ({ ...change, finding })));
  return (
    <>
      <p class="bad">
        <Prose text={text} />
      </p>
      {changes.map(({ title, text: after, finding }) => (
        <button key={finding.message} onClick={() => void propose(`Fix: ${finding.message.split(/: |; /)[0]}`, after)}>
          {title}…
        </button>
      ))}
    </>
  );
}

function Results({ of }: { of: Proof }) {
  const lines = linesOf(of);
  const errors = findings.value.filter((finding) => finding.severity === 'error');
  return (
    <>
      <p class={of.allRight && errors.length === 0 ? 'proof-summary good' : 'proof-summary bad'} role="status">
        {of.allRight && errors.length > 0
          ? `These rows show no wrong answer, but the checker has ${plural(errors.length, 'error')}: ${errors.map((error) => error.message).join(' ')}`
          : of.allRight
          ? `All ${count(lines.length)} patterns and writes are right, on ${plural(of.rows, 'row')}.`
          : `${count(lines.filter((line) => !line.right).length)} of ${count(lines.length)} are wrong.`}
      </p>
      {of.dataProblems?.map((problem) => (
        <Problem key={problem} text={problem} />
      ))}
      <DataTable label="Results of the proof" columns={['Pattern or write', bare('Answer'), number('Units predicted'), number('Units measured'), bare('What was done')]}>
        {lines.map((line) => (
          <tr key={line.name} class={line.right ? undefined : 'unserved'}>
            <th scope="row">
              {line.name} <span class="hint">{line.title}</span>
            </th>
            <td>
              <Verdict right={line.right} />
            </td>
            <td class="number">{count(line.predicted)}</td>
            <td class="number">
              {count(line.measured)} <span class={line.predicted === line.measured ? 'good' : 'warn'}>{line.predicted === line.measured ? '=' : '≠'}</span>
            </td>
            <td>
              {line.what}
              {line.problems.map((problem) => (
                <Problem key={problem} text={problem} />
              ))}
            </td>
          </tr>
        ))}
      </DataTable>
      {of.tried && (
        <details>
          <summary>What was tried, and what was not</summary>
          {[...of.tried, ...(of.notTried ?? []).map((line) => `Not tried: ${line}`)].map((line) => (
            <p key={line} class="hint">
              {line}
            </p>
          ))}
        </details>
      )}
    </>
  );
}

export function ProofTab() {
  return (
    <>
      <p class="hint">
        Fills a database of its own with the rows, runs every pattern and write on the real engine, and compares each answer with the relational one and each
        price with the forecast.
      </p>
      <div class="proof-start">
        <label>
          <span>Rows</span>
          <select value={rows.value} onChange={(event) => (rows.value = event.currentTarget.value)}>
            <option value="sample">the sample</option>
            <option value="200">about 200, made up</option>
            <option value="2000">about 2,000, made up</option>
          </select>
        </label>
        <button
          class="main"
          disabled={proving.value || unread.value}
          onClick={() => void prove(rows.value === 'sample' ? undefined : Number(rows.value))}
        >
          {proving.value ? 'Proving…' : 'Prove'}
        </button>
      </div>
      {proofTrouble.value && <p class="model-said bad">{proofTrouble.value}</p>}
      {proof.value && proofIsOld.value && <p class="note">The design has changed since this proof.</p>}
      {proof.value && <Results of={proof.value} />}
    </>
  );
}
