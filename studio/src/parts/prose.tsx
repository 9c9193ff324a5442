// Text with `code` between backticks, and proposals: sentences with the lines of code that belong to them.
import type { ComponentChildren } from 'preact';

export function Prose({ text }: { text: string }) {
  return <>{text.split('`').map((part, at): ComponentChildren => (at % 2 ? <code key={at}>{part}</code> : part))}</>;
}

// An indented line is code and keeps its place; the others are sentences.
export function Instructions({ text }: { text: string }) {
  const parts: { code: boolean; lines: string[] }[] = [];
  for (const line of text.split('\n')) {
    const code = /^\s/.test(line);
    if (parts.at(-1)?.code === code) parts.at(-1)!.lines.push(line);
    else parts.push({ code, lines: [line] });
  }
  return (
    <>
      {parts.map(({ code, lines }, at) => (code ? <pre key={at}>{lines.map((line) => line.slice(2)).join('\n')}</pre> : <Prose key={at} text={lines.join(' ')} />))}
    </>
  );
}
