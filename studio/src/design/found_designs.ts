// The designs that the server's search finds for the logical half of the text: whole files, the cheapest first.
import { computed, signal } from '@preact/signals';
import { model as api, ModelError, type FoundDesign, type FoundDesigns, type Model } from '../api/model.ts';
import { model, readSource } from './design.ts';
import { inPlace, withOldWords } from './kept_text.ts';
import { withNamedTable } from './table_names.ts';

const answered = signal<{ source: string; found: FoundDesigns } | null>(null);
export const searching = signal(false);
export const searchTrouble = signal<string | null>(null);

// Of the text as it stands; what was found for another text is of no use.
export const found = computed(() => (answered.value?.source === readSource.value ? answered.value.found : null));

// The search proved the keys as it spells them. Other words make other keys, so they are proved before the page shows them.
async function written(text: string, source: string, old: Model | null): Promise<string> {
  const named = withNamedTable(inPlace(source, text), source);
  const reworded = old ? withOldWords(named, old) : named;
  if (reworded === named) return named;
  const right = await api.prove(reworded).then((proof) => proof.allRight, () => false);
  return right ? reworded : named;
}

// Of a text without tables.
export async function bestOf(source: string, { designs: [first] }: FoundDesigns): Promise<FoundDesign | null> {
  return first ? { ...first, source: await written(first.source, source, null) } : null;
}

export async function search(): Promise<void> {
  const source = readSource.peek();
  if (searching.peek() || source === '') return;
  searching.value = true;
  searchTrouble.value = null;
  try {
    const found = await api.design(source);
    const old = model.peek();
    const designs = await Promise.all(found.designs.map(async (one) => ({ ...one, source: await written(one.source, source, old) })));
    answered.value = { source, found: { ...found, designs } };
  } catch (error) {
    const absent = error instanceof ModelError && error.status === 404;
    searchTrouble.value = absent ? 'This server cannot search for designs.' : (error as Error).message;
  }
  searching.value = false;
}
