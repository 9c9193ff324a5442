// A name that is not taken: `Thing`, then `Thing2`.
export function freeWord(wanted: string, taken: readonly string[]): string {
  let name = wanted;
  for (let i = 2; taken.includes(name); ++i) name = `${wanted}${i}`;
  return name;
}
