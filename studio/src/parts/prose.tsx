// Text with `code` between backticks.
import type { ComponentChildren } from 'preact';

export function Prose({ text }: { text: string }) {
  return <>{text.split('`').map((part, at): ComponentChildren => (at % 2 ? <code key={at}>{part}</code> : part))}</>;
}
