// What the scripts print: one line of JSON for each call.
function plain(_: string, value: unknown): unknown {
  return value instanceof Set ? [...value] : value;
}

export function print(line: unknown): void {
  console.log(JSON.stringify(line, plain));
}

export function rowsOf<T>(answer: T[] | T | undefined): T[] {
  if (answer === undefined) return [];
  return Array.isArray(answer) ? answer : [answer];
}

export async function attempt(
  call: string,
  work: () => Promise<unknown>,
): Promise<void> {
  let outcome = "ok";
  try {
    await work();
  } catch (error) {
    outcome = error instanceof Error ? error.name : String(error);
  }
  print({ call, outcome });
}
