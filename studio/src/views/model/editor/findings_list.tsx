// The checker's findings, below the text. The one at the caret is marked.
import { useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Finding } from '../../../api/model.ts';
import { lostSince } from '../../../api/reach.ts';
import { setQuery } from '../../../app/route.ts';
import { checked, findings, model, source } from '../../../design/design.ts';
import { changesOf } from '../../../design/fixes.ts';
import { propose } from '../../../design/proposal.ts';
import { Instructions, Prose } from '../../../parts/prose.tsx';
import { caretLine, nextFinding, previousFinding, reveal } from './handle.ts';

const ranks = ['error', 'warning', 'note'];
const signs = { error: '●', warning: '▲', note: '■' };

// Findings about the cost of keys: another design may be without them.
const searchable = /^PJ(112|20[1-9]|227)$/;

function Entry({ finding }: { finding: Finding }) {
  const changes = changesOf(source.value, finding);
  return (
    <li class={`finding ${finding.severity}`} aria-current={finding.line === caretLine.value ? 'true' : undefined}>
      <button onClick={() => reveal(finding, true)}>
        <span class="finding-sign" aria-hidden="true">
          {signs[finding.severity]}
        </span>
        <span>
          <span class="unseen">{finding.severity} </span>
          <span class="finding-place">{finding.line > 0 ? `Line ${finding.line}` : 'Whole file'}</span> <Prose text={finding.message} /> <code class="finding-rule">{finding.rule}</code>
        </span>
      </button>
      {changes.length > 0 && (
        <div class="fixes">
          {changes.map(({ title, text }) => (
            <button key={title} onClick={() => void propose(`${title === 'Apply this' ? 'Fix' : title}: ${finding.message.split(/: |; /)[0]}`, text)}>
              {title}…
            </button>
          ))}
        </div>
      )}
      {changes.length === 0 && finding.severity !== 'error' && searchable.test(finding.rule) && (
        <div class="fixes">
          <button onClick={() => setQuery({ tab: 'design' })}>Search for a design without it</button>
        </div>
      )}
      {finding.suggestion && (
        <div class="finding-help">
          To fix it: <Instructions text={finding.suggestion} />
        </div>
      )}
    </li>
  );
}

function summary(list: Finding[]): string {
  if (!checked.value && lostSince.value !== null) return 'Not checked: the server does not answer.';
  if (source.value.trim() === '') return 'The text is empty.';
  if (!checked.value && list.length === 0) return 'Checking…';
  if (list.length === 0) return 'The checker finds nothing wrong.';
  const counts = (['error', 'warning', 'note'] as const)
    .map((severity) => ({ severity, count: list.filter((one) => one.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${severity}${count === 1 ? '' : 's'}`);
  return counts.join(', ');
}

// Without a table every pattern is unserved, and one search fixes them all.
function NoTable() {
  const known = model.value;
  if (!known || known.tables.length > 0 || known.patterns.length === 0) return null;
  return (
    <p class="no-table">
      <span>No table yet: the file declares entities and access patterns, but no storage.</span>
      <button class="main" onClick={() => setQuery({ tab: 'design' })}>
        Design it for me
      </button>
    </p>
  );
}

export function FindingsList() {
  // Errors first; the checker gives each kind in the order of the text.
  const list = ranks.flatMap((rank) => findings.value.filter((one) => one.severity === rank));
  const frame = useRef<HTMLElement>(null);
  // The findings of the caret's line come into view. Only the list scrolls, never the page.
  useSignalEffect(() => {
    void [findings.value, caretLine.value];
    requestAnimationFrame(() => {
      const current = frame.current?.querySelector<HTMLElement>('[aria-current]');
      const head = frame.current?.querySelector<HTMLElement>('.findings-head');
      if (current && head) frame.current!.scrollTop = current.offsetTop - head.offsetHeight;
    });
  });
  return (
    <section
      ref={frame}
      class={list.length > 0 ? 'findings open' : 'findings'}
      aria-label="Findings of the checker"
    >
      <div class="findings-head">
        <p role="status" class={list.length === 0 && checked.value && source.value.trim() !== '' ? 'good' : undefined}>
          {summary(list)}
        </p>
        {list.length > 0 && (
          <>
            <button onClick={previousFinding} title="Shift+F8">
              Previous
            </button>
            <button onClick={nextFinding} title="F8">
              Next
            </button>
          </>
        )}
      </div>
      <NoTable />
      {list.length > 0 && (
        <ol>
          {list.map((finding) => (
            <Entry key={`${finding.line}:${finding.column}:${finding.rule}:${finding.message}`} finding={finding} />
          ))}
        </ol>
      )}
    </section>
  );
}
