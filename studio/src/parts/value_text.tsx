// One value in a line, so that its type can be seen: an empty text, spaces, null, binary, sets, nested values.
import './value_text.css';
import { show, type AttributeValue } from '../api/attribute_value.ts';
import { plural } from './numbers.ts';

const charactersMax = 200; // More than a cell can show.
const membersMax = 6;

const shorten = (text: string) => (text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text);

// A space at either end would not be seen.
function Text({ text }: { text: string }) {
  const [, left = '', middle = '', right = ''] = /^( *)([^]*?)( *)$/.exec(text) ?? [];
  if (left === '' && right === '') return <>{shorten(text)}</>;
  return (
    <>
      <span class="value-space">{'␣'.repeat(left.length)}</span>
      {shorten(middle)}
      <span class="value-space">{'␣'.repeat(right.length)}</span>
    </>
  );
}

export function ValueText({ value }: { value: AttributeValue }) {
  if ('S' in value) return value.S === '' ? <span class="value-empty">empty</span> : <Text text={value.S} />;
  if ('NULL' in value) return <span class="value-null">null</span>;
  if ('B' in value) return <span class="value-fold">{Math.floor((value.B.replace(/=+$/, '').length * 3) / 4)} B</span>;
  if ('SS' in value || 'NS' in value || 'BS' in value) {
    const members = Object.values(value)[0] as string[];
    return (
      <>
        {members.slice(0, membersMax).map((member) => (
          <span key={member} class="value-tag">
            {shorten(member)}
          </span>
        ))}
        {members.length > membersMax && <span class="value-fold">and {members.length - membersMax} more</span>}
      </>
    );
  }
  if ('M' in value || 'L' in value) {
    const count = 'M' in value ? Object.keys(value.M).length : value.L.length;
    const [open, close] = 'M' in value ? ['{', '}'] : ['[', ']'];
    return (
      <span class="value-fold">
        {open} {plural(count, 'part')} {close}
      </span>
    );
  }
  return <>{shorten(show(value))}</>;
}
