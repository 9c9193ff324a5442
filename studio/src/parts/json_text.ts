// JSON that keeps what JSON.parse loses: where each value stands, and every digit of a number.

export interface Place {
  line: number; // From 1.
  column: number; // From 1, in UTF-16 units as editors count.
  offset: number;
  length: number;
}

export class TextError extends Error {
  constructor(
    message: string,
    readonly place: Place,
  ) {
    super(message);
  }
}

interface Span {
  start: number;
  end: number;
}

export type Node = Span &
  (
    | { kind: 'string'; text: string }
    | { kind: 'number'; digits: string }
    | { kind: 'word'; word: 'true' | 'false' | 'null' }
    | { kind: 'array'; parts: Node[] }
    | { kind: 'object'; members: { name: string; at: Span; value: Node }[] }
  );

const depthMax = 160; // DynamoDB nests 32 deep, and its JSON takes two levels for each and some for the file.

export function placeOf(text: string, offset: number, length = 1): Place {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - (before.lastIndexOf('\n') + 1) + 1, offset, length };
}

class Reader {
  private at = 0;
  constructor(private readonly text: string) {}

  // Throws TextError, or gives the one value that the text holds.
  whole(): Node {
    const node = this.value(0);
    this.space();
    if (this.at < this.text.length) this.fail('Nothing may follow the closing brace');
    return node;
  }

  private fail(message: string, offset = this.at): never {
    throw new TextError(message, placeOf(this.text, Math.min(offset, this.text.length)));
  }

  private space(): void {
    while (/[ \t\r\n]/.test(this.text[this.at] ?? '')) this.at += 1;
  }

  private value(depth: number): Node {
    this.space();
    if (depth > depthMax) this.fail('This is nested too deep');
    const start = this.at;
    const character = this.text[start];
    if (character === undefined) this.fail('The text ends too early');
    if (character === '{') return this.object(start, depth);
    if (character === '[') return this.array(start, depth);
    if (character === '"') return { kind: 'string', text: this.string(), start, end: this.at };
    const word = /^(true|false|null)\b/.exec(this.text.slice(start, start + 6))?.[1] as 'true' | undefined;
    if (word) {
      this.at += word.length;
      return { kind: 'word', word, start, end: this.at };
    }
    const digits = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/.exec(this.text.slice(start, start + 400))?.[0];
    if (digits) {
      this.at += digits.length;
      return { kind: 'number', digits, start, end: this.at };
    }
    return this.fail(character === "'" ? 'Text needs double quotes' : 'Expected a value');
  }

  private string(): string {
    const start = this.at;
    let end = start + 1;
    for (; ; end += 1) {
      const character = this.text[end];
      if (character === undefined || character === '\n') this.fail('The text is not closed by a quote', start);
      if (character === '\\') end += 1;
      else if (character === '"') break;
    }
    this.at = end + 1;
    try {
      return JSON.parse(this.text.slice(start, this.at)) as string;
    } catch {
      return this.fail('There is an escape here that JSON does not know', start);
    }
  }

  // The text between an opening sign, which is here, and `close`, with commas between.
  private between(close: ']' | '}', read: () => void): void {
    this.at += 1;
    for (let first = true; ; first = false) {
      this.space();
      if (this.text[this.at] === close && first) break;
      read();
      this.space();
      if (this.text[this.at] === close) break;
      if (this.text[this.at] !== ',') this.fail(`Expected a comma or ${close}`);
      this.at += 1;
    }
    this.at += 1;
  }

  private array(start: number, depth: number): Node {
    const parts: Node[] = [];
    this.between(']', () => parts.push(this.value(depth + 1)));
    return { kind: 'array', parts, start, end: this.at };
  }

  private object(start: number, depth: number): Node {
    const members: { name: string; at: Span; value: Node }[] = [];
    this.between('}', () => {
      if (this.text[this.at] !== '"') this.fail('Expected a name in double quotes');
      const at = { start: this.at, end: this.at };
      const name = this.string();
      at.end = this.at;
      if (members.some((member) => member.name === name)) this.fail(`“${name}” is there twice`, at.start);
      this.space();
      if (this.text[this.at] !== ':') this.fail('Expected a colon');
      this.at += 1;
      members.push({ name, at, value: this.value(depth + 1) });
    });
    return { kind: 'object', members, start, end: this.at };
  }
}

export function readJson(text: string): Node {
  return new Reader(text).whole();
}
