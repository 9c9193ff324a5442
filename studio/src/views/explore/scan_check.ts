// Whether a PartiQL SELECT reads the whole table or index: it does unless its WHERE fixes the partition key.
// The same rule as the engine's plan: equalities or IN on every HASH attribute, joined by AND; or by OR if each branch has them.

interface Token {
  kind: 'word' | 'name' | 'text' | 'symbol';
  text: string;
}

export function tokensOf(statement: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /\s+|"((?:[^"]|"")*)"|'((?:[^']|'')*)'|([A-Za-z_][\w-]*)|([0-9][0-9.eE+-]*)|(<<|>>|<>|<=|>=|.)/gs;
  for (const [all, name, text, word, digits, symbol] of statement.matchAll(pattern)) {
    if (name !== undefined) tokens.push({ kind: 'name', text: name.replace(/""/g, '"') });
    else if (text !== undefined) tokens.push({ kind: 'text', text });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else if (digits !== undefined) tokens.push({ kind: 'text', text: digits });
    else if (symbol !== undefined && all.trim() !== '') tokens.push({ kind: 'symbol', text: symbol });
  }
  return tokens;
}

const isWord = (token: Token | undefined, word: string) => token?.kind === 'word' && token.text.toUpperCase() === word;

// The pieces between these words, outside brackets. The AND of BETWEEN joins nothing.
function split(tokens: Token[], word: 'AND' | 'OR'): Token[][] {
  const pieces: Token[][] = [[]];
  let depth = 0;
  let between = false;
  for (const token of tokens) {
    if (token.kind === 'symbol' && '([{'.includes(token.text)) depth += 1;
    if (token.kind === 'symbol' && ')]}'.includes(token.text)) depth -= 1;
    if (depth === 0 && isWord(token, 'BETWEEN')) between = true;
    if (depth === 0 && isWord(token, word) && !(word === 'AND' && between)) {
      pieces.push([]);
      continue;
    }
    if (depth === 0 && isWord(token, 'AND')) between = false;
    pieces.at(-1)!.push(token);
  }
  return pieces;
}

function fixes(condition: Token[], key: string): boolean {
  const branches = split(condition, 'OR');
  if (branches.length > 1) return branches.every((branch) => fixes(branch, key));
  const parts = split(condition, 'AND');
  if (parts.length > 1) return parts.some((part) => fixes(part, key));
  const [first, second] = condition;
  if (first?.kind === 'symbol' && first.text === '(' && condition.at(-1)?.text === ')') return fixes(condition.slice(1, -1), key);
  const names = (token: Token | undefined) => (token?.kind === 'name' || token?.kind === 'word') && token.text === key;
  if (names(first) && (second?.text === '=' || isWord(second, 'IN'))) return true;
  return condition.length === 3 && second?.text === '=' && names(condition[2]);
}

export interface Source {
  table: string;
  index?: string;
}

export function sourceOf(statement: string, verb = 'SELECT'): Source | null {
  const tokens = tokensOf(statement);
  if (!isWord(tokens[0], verb)) return null;
  const from = tokens.findIndex((token) => isWord(token, 'FROM'));
  const table = tokens[from + 1];
  if (from < 0 || !table || table.kind === 'symbol') return null;
  const index = tokens[from + 2]?.text === '.' ? tokens[from + 3]?.text : undefined;
  return { table: table.text, ...(index ? { index } : {}) };
}

// The key attribute that WHERE does not fix; null if the statement is no scan, or begins with another verb.
export function missingKey(statement: string, hashKeys: string[], verb = 'SELECT'): string | null {
  const tokens = tokensOf(statement);
  if (!isWord(tokens[0], verb)) return null;
  const where = tokens.findIndex((token) => isWord(token, 'WHERE'));
  const order = tokens.findIndex((token) => isWord(token, 'ORDER'));
  const condition = where < 0 ? [] : tokens.slice(where + 1, order < 0 ? undefined : order);
  return hashKeys.find((key) => !fixes(condition, key)) ?? null;
}

// The index whose partition key WHERE does fix, so that FROM "table"."index" would be a Query.
export function fittingIndex(statement: string, indexes: { name: string; hashKeys: string[] }[]): string | null {
  return indexes.find(({ hashKeys }) => hashKeys.length > 0 && missingKey(statement, hashKeys) === null)?.name ?? null;
}
