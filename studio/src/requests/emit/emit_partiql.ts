// PartiQL, where it can say the same. Where it cannot, the reason.
import type { AttributeValue, Item } from '../../api/attribute_value.ts';
import {
  isGroup, returnsFor, showPath,
  type Condition, type Draft, type Group, type Operand, type Path, type SetAction, type Test, type UpdateAction,
} from '../draft.ts';
import type { Emit, Emitted, EmitTogether, Target } from './emitted.ts';

export interface Statement {
  text: string;
  parameters: AttributeValue[]; // What PartiQL has no literal for: binary values.
}

class Refusal extends Error {}

const nameText = (name: string) => `"${name.replace(/"/g, '""')}"`;
const text = (value: string) => `'${value.replace(/'/g, "''")}'`;

class Writer {
  readonly parameters: AttributeValue[] = [];

  path(path: Path): string {
    return path
      .map((part, position) => (typeof part === 'number' ? `[${part}]` : `${position === 0 ? '' : '.'}${nameText(part)}`))
      .join('');
  }

  value(value: AttributeValue): string {
    if ('S' in value) return text(value.S);
    if ('N' in value) return value.N;
    if ('BOOL' in value) return value.BOOL ? 'TRUE' : 'FALSE';
    if ('NULL' in value) return 'NULL';
    if ('M' in value) return this.map(value.M);
    if ('L' in value) return `[${value.L.map((part) => this.value(part)).join(', ')}]`;
    if ('SS' in value) return `<<${value.SS.map(text).join(', ')}>>`;
    if ('NS' in value) return `<<${value.NS.join(', ')}>>`;
    this.parameters.push(value);
    return '?';
  }

  map(item: Item): string {
    return `{${Object.entries(item).map(([name, part]) => `${text(name)}: ${this.value(part)}`).join(', ')}}`;
  }

  operand(operand: Operand): string {
    if ('path' in operand) return this.path(operand.path);
    return 'size' in operand ? `size(${this.path(operand.size)})` : this.value(operand.value);
  }

  condition(condition: Condition): string {
    if (isGroup(condition)) return this.group(condition);
    const left = this.operand(condition.left);
    const tested = testText(condition.test, left, condition.right.map((operand) => this.operand(operand)));
    return condition.not ? `NOT (${tested})` : tested;
  }

  group(group: Group): string {
    const parts = group.parts
      .map((part) => {
        const inner = this.condition(part);
        return isGroup(part) && !part.not && inner !== '' ? `(${inner})` : inner;
      })
      .filter((part) => part !== '');
    const joined = parts.join(` ${group.join} `);
    return group.not && joined !== '' ? `NOT (${joined})` : joined;
  }

  set(action: SetAction): string {
    const { path, form, operand } = action;
    if (form === 'if_not_exists' || action.fallback) {
      throw new Refusal('PartiQL has no if_not_exists: it cannot say “or this value while the attribute is missing”. Use UpdateItem.');
    }
    const target = this.path(path);
    const source = this.path(action.from ?? path);
    switch (form) {
      case 'value':
        if ('size' in operand) throw new Refusal('size() is not allowed in SET.');
        return `${target} = ${this.operand(operand)}`;
      case 'plus': return `${target} = ${source} + ${this.operand(operand)}`;
      case 'minus': return `${target} = ${source} - ${this.operand(operand)}`;
      case 'append': return `${target} = list_append(${source}, ${this.operand(operand)})`;
      case 'prepend': return `${target} = list_append(${this.operand(operand)}, ${source})`;
    }
  }

  update(action: UpdateAction): string {
    const path = this.path(action.path);
    switch (action.action) {
      case 'SET': return `SET ${this.set(action)}`;
      case 'REMOVE': return `REMOVE ${path}`;
      case 'ADD':
        if ('N' in action.value) {
          throw new Refusal(
            `PartiQL has no ADD for numbers. “SET ${showPath(action.path)} = ${showPath(action.path)} + …” fails while the attribute is missing, where ADD begins at 0.`,
          );
        }
        return `SET ${path} = set_add(${path}, ${this.value(action.value)})`;
      case 'DELETE': return `SET ${path} = set_delete(${path}, ${this.value(action.value)})`;
    }
  }
}

function testText(test: Test, left: string, right: string[]): string {
  switch (test) {
    case 'attribute_exists': return `${left} IS NOT MISSING`;
    case 'attribute_not_exists': return `${left} IS MISSING`;
    case 'between': return `${left} BETWEEN ${right[0]} AND ${right[1]}`;
    case 'in': return `${left} IN [${right.join(', ')}]`;
    case 'attribute_type':
    case 'begins_with':
    case 'contains': return `${test}(${left}, ${right[0]})`;
    default: return `${left} ${test} ${right[0]}`;
  }
}

function whereText(draft: Draft, rest: Group | undefined, writer: Writer): string {
  const key = draft.key.map(({ name, test, values }) =>
    testText(test, nameText(name), values.map((value) => writer.value(value))),
  );
  const more = rest ? writer.group(rest) : '';
  const several = rest && rest.parts.length > 1 && rest.join === 'OR' && !rest.not;
  const all = [...key, ...(more === '' ? [] : [several && key.length ? `(${more})` : more])];
  return all.length ? `\nWHERE ${all.join('\n  AND ')}` : '';
}

function columnsText(projection: Path[] | undefined, writer: Writer): string {
  if (!projection?.length) return '*';
  const names = projection.map((path, position) => (typeof path.at(-1) === 'string' ? String(path.at(-1)) : `_${position + 1}`));
  const twice = names.find((name, position) => names.indexOf(name) !== position);
  if (twice !== undefined) {
    throw new Refusal(`Two columns would both be called “${twice}”: PartiQL names a column after the last part of its path.`);
  }
  return projection.map((path) => writer.path(path)).join(', ');
}

function selectText(draft: Draft, { table }: Target, writer: Writer): string {
  const index = draft.index && draft.operation !== 'GetItem' ? `.${nameText(draft.index)}` : '';
  const columns = columnsText(draft.projection, writer);
  const where = whereText(draft.operation === 'Scan' ? { ...draft, key: [] } : draft, draft.filter, writer);
  let order = '';
  if (draft.operation === 'Query' && draft.descending) {
    const keys = draft.index ? table?.indexes.find(({ name }) => name === draft.index)?.keys : table?.keys;
    const sort = keys?.filter(({ kind }) => kind === 'RANGE').map(({ name }) => name) ?? draft.key.slice(1).map(({ name }) => name);
    if (sort.length === 0) throw new Refusal('Descending order needs ORDER BY the sort key, and there is none.');
    order = `\nORDER BY ${sort.map((name) => `${nameText(name)} DESC`).join(', ')}`;
  }
  return `SELECT ${columns}\nFROM ${nameText(draft.table)}${index}${where}${order}`;
}

// INSERT refuses an item that is there, so it says exactly what a put with attribute_not_exists says.
function insertText(draft: Draft, { table }: Target, writer: Writer): string {
  const parts = draft.condition?.parts ?? [];
  const [only] = parts;
  const once =
    parts.length === 1 && only && !isGroup(only) && only.test === 'attribute_not_exists' && !only.not && !draft.condition!.not &&
    'path' in only.left && only.left.path.length === 1 && (!table || table.keys.some(({ name }) => name === (only.left as { path: Path }).path[0]));
  if (parts.length === 0) {
    throw new Refusal('PartiQL can only INSERT an item that does not exist yet; PutItem without a condition also replaces one. Add the condition attribute_not_exists on a key attribute.');
  }
  if (!once) throw new Refusal('INSERT takes no condition. It implies exactly one: attribute_not_exists on a key attribute.');
  if (draft.returns && draft.returns !== 'NONE') throw new Refusal('INSERT returns nothing, so it cannot return the old item.');
  return `INSERT INTO ${nameText(draft.table)}\nVALUE ${writer.map(draft.item ?? {})}`;
}

const returning = { NONE: '', ALL_OLD: 'ALL OLD', UPDATED_OLD: 'MODIFIED OLD', ALL_NEW: 'ALL NEW', UPDATED_NEW: 'MODIFIED NEW' };

const returningText = (draft: Draft) =>
  draft.returns && draft.returns !== 'NONE' ? `\nRETURNING ${returning[draft.returns]} *` : '';

function updateText(draft: Draft, writer: Writer): string {
  const actions = draft.update ?? [];
  if (actions.length === 0) throw new Refusal('UPDATE needs something to SET or REMOVE; UpdateItem alone may only create the item.');
  const clauses = actions.map((action) => writer.update(action)).join('\n');
  return `UPDATE ${nameText(draft.table)}\n${clauses}${whereText(draft, draft.condition, writer)}${returningText(draft)}`;
}

function statementText(draft: Draft, target: Target, writer: Writer): string {
  switch (draft.operation) {
    case 'PutItem': return insertText(draft, target, writer);
    case 'UpdateItem': return updateText(draft, writer);
    case 'DeleteItem':
      return `DELETE FROM ${nameText(draft.table)}${whereText(draft, draft.condition, writer)}${returningText(draft)}`;
    default: return selectText(draft, target, writer);
  }
}

// Throws Error with the reason if PartiQL cannot say it.
export function statementOf(given: Draft, target: Target): Statement {
  const returns = given.returns && returnsFor(given.operation).includes(given.returns) ? given.returns : 'NONE';
  const draft: Draft = { ...given, returns };
  const writer = new Writer();
  const statement = statementText(draft, target, writer);
  return { text: statement, parameters: writer.parameters };
}

function notesOf(draft: Draft): string[] {
  const notes: string[] = [];
  if (draft.limit && (draft.operation === 'Query' || draft.operation === 'Scan')) {
    notes.push(`Limit is no part of the statement: pass Limit ${draft.limit} to ExecuteStatement.`);
  }
  if (draft.consistent) notes.push('For a strongly consistent read pass ConsistentRead true to ExecuteStatement.');
  if (draft.operation === 'UpdateItem') notes.push('UPDATE changes only an item that exists; UpdateItem would also create it.');
  if (draft.operation === 'Scan') notes.push('Without the partition key in WHERE the statement reads the whole table.');
  return notes;
}

export const emitPartiql: Emit = (draft, _compiled, target): Emitted => {
  try {
    const { text: statement, parameters } = statementOf(draft, target);
    const notes = notesOf(draft);
    if (parameters.length === 0) return { code: statement, notes };
    notes.push(`Binary values have no literal. Pass these as Parameters, in this order: ${JSON.stringify(parameters)}`);
    return { code: statement, notes };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message };
    throw error;
  }
};

// Statements go together as BatchExecuteStatement or ExecuteTransaction, each with its own parameters.
export const emitPartiqlTogether: EmitTogether = ({ operation, drafts }, target): Emitted => {
  try {
    const statements = drafts.map((draft) => {
      const { text, parameters } = statementOf({ ...draft, returns: 'NONE' }, target);
      return { Statement: text, ...(parameters.length > 0 ? { Parameters: parameters } : {}), ...(operation === 'BatchGetItem' && draft.consistent ? { ConsistentRead: true } : {}) };
    });
    const batch = operation.startsWith('Batch');
    const notes = [`The request of ${batch ? 'BatchExecuteStatement' : 'ExecuteTransaction'}; the service takes no text of several statements.`];
    if (drafts.some((draft) => draft.operation === 'UpdateItem')) notes.push('UPDATE changes only an item that exists; UpdateItem would also create it.');
    return { code: JSON.stringify(batch ? { Statements: statements } : { TransactStatements: statements }, null, 2), notes };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message };
    throw error;
  }
};
