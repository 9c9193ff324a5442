// A write of the model with all its steps: in one transaction if they belong together, else one after
// the other.
import { DynamoDbError, describeTable } from '../../api/dynamodb.ts';
import type { Model, ModelWrite, WriteStep } from '../../api/model.ts';
import { transactionOf, type GuardedWrite } from '../../requests/guarded_write.ts';
import type { SideChange } from './changes.ts';
import { TableData } from './table_data.ts';
import { allUnits, nameOf, prepareStep, Refused, send, sendWrite, showWrite, type PlainItem, type Prepared } from './writes.ts';

export interface StepResult {
  name: string;
  done: boolean;
  text: string; // What came of it.
}

export interface WriteOutcome {
  changes: SideChange[];
  sent: GuardedWrite[];
  writeUnits: number;
  units: Record<string, number>; // By side, all steps together.
  steps: StepResult[];
}

// Some step was refused; `steps` says which, and what became of the others.
export class StepsRefused extends Refused {
  constructor(
    message: string,
    sent: GuardedWrite,
    readonly steps: StepResult[],
  ) {
    super(message, sent);
  }
}

export interface Reason {
  Code?: string;
  Message?: string;
}

// The reason that a cancelled transaction gives for each step.
export function refusedSteps(names: string[], steps: Pick<WriteStep, 'kind'>[], owners: number[], reasons: Reason[]): StepResult[] {
  return names.map((name, i) => {
    const reason = reasons.find((one, part) => owners[part] === i && (one.Code ?? 'None') !== 'None');
    if (!reason) return { name, done: false, text: 'could have been written, but all or nothing: it was not' };
    const text =
      reason.Code !== 'ConditionalCheckFailed'
        ? `refused, ${reason.Code}: ${reason.Message ?? ''}`
        : steps[i]!.kind === 'put'
          ? 'refused, it exists already'
          : 'refused, it changed since it was loaded here';
    return { name, done: false, text };
  });
}

export async function runWrite(
  shown: TableData,
  model: Model,
  source: string,
  write: ModelWrite,
  given: PlainItem[],
  delayMs: number,
): Promise<WriteOutcome> {
  const tables = new Map([[shown.name, shown]]);
  const prepare = async (step: WriteStep, i: number) =>
    prepareStep(await tableOf(model, step.entity, shown, tables), model, source, step, given[i] ?? {});
  if (write.together && write.steps.length > 1) {
    const prepared: Prepared[] = [];
    for (const [i, step] of write.steps.entries()) prepared.push(await prepare(step, i));
    return sendTogether(shown, write.steps, prepared, delayMs);
  }
  const outcome: WriteOutcome = { changes: [], sent: [], writeUnits: 0, units: {}, steps: [] };
  for (const [i, step] of write.steps.entries()) {
    const prepared = await prepare(step, i);
    const { sent, writeUnits, units, changes } = await send(prepared, delayMs);
    if (prepared.table === shown) outcome.changes.push(...changes);
    outcome.sent.push(sent);
    outcome.writeUnits += writeUnits;
    for (const [side, more] of Object.entries(units)) outcome.units[side] = (outcome.units[side] ?? 0) + more;
    outcome.steps.push({ name: nameOf(prepared), done: true, text: pastOf[step.kind] });
  }
  return outcome;
}

const pastOf = { put: 'written', update: 'changed', delete: 'removed' };

// A step may write to a table that the picture does not show.
async function tableOf(model: Model, entity: string, shown: TableData, known: Map<string, TableData>): Promise<TableData> {
  const holders = model.tables.filter((one) => one.items.some((layout) => layout.entity === entity)).map((one) => one.name);
  const name = holders.includes(shown.name) ? shown.name : (holders[0] ?? shown.name);
  const table = known.get(name) ?? new TableData(await describeTable(name));
  known.set(name, table);
  return table;
}

async function sendTogether(shown: TableData, steps: WriteStep[], prepared: Prepared[], delayMs: number): Promise<WriteOutcome> {
  const { write, owners } = transactionOf(prepared.map((one) => one.write));
  const names = prepared.map(nameOf);
  let units: Record<string, number>;
  try {
    units = await sendWrite(write);
  } catch (error) {
    if (!(error instanceof DynamoDbError)) throw error;
    if (error.code !== 'TransactionCanceledException') throw new Refused(`${error.code}: ${error.message}`, write);
    const results = refusedSteps(names, steps, owners, (error.body['CancellationReasons'] ?? []) as Reason[]);
    const culprits = results.filter((one) => one.text.startsWith('refused'));
    const said = culprits.map((one) => `${one.name}: ${one.text}`).join('; ');
    throw new StepsRefused(`No step was written, because the steps form one transaction. ${said}.`, write, results);
  }
  const changes: SideChange[] = [];
  for (const one of prepared) if (one.table === shown) changes.push(...(await showWrite(one, delayMs)));
  const results = prepared.map((_, i) => ({ name: names[i]!, done: true, text: pastOf[steps[i]!.kind] }));
  return { changes, sent: [write], writeUnits: allUnits(units), units, steps: results };
}
