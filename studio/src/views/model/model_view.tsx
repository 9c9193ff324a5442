// The design as text beside what the checker says of it.
import { edit, findings, source } from '../../design/design.ts';

export default function ModelView() {
  return (
    <div class="columns">
      <textarea
        aria-label="Model source"
        spellcheck={false}
        value={source.value}
        onInput={(event) => edit(event.currentTarget.value)}
      />
      <ol aria-label="Findings">
        {findings.value.map((finding) => (
          <li key={`${finding.line}:${finding.rule}`}>
            {finding.line}:{finding.column} {finding.rule} {finding.message}
          </li>
        ))}
      </ol>
    </div>
  );
}
