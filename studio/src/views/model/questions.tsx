// The four questions, as the beginning of a design.
import { signal } from '@preact/signals';
import { noAnswers, type Answers } from '../../design/four_questions.ts';

export const answers = signal<Answers>(noAnswers);

const set = (change: Partial<Answers>) => (answers.value = { ...answers.peek(), ...change });

function Words({ label, value, onText }: { label: string; value: string; onText(text: string): void }) {
  return (
    <label>
      <span>{label}</span>
      <input value={value} maxLength={30} onInput={(event) => onText(event.currentTarget.value)} />
    </label>
  );
}

function Figure({ label, value, onNumber }: { label: string; value: number; onNumber(value: number): void }) {
  return (
    <label>
      <span>{label}</span>
      <input type="number" min={1} max={1_000_000} value={value} onInput={(event) => onNumber(Number(event.currentTarget.value))} />
    </label>
  );
}

function Check({ label, checked, onCheck }: { label: string; checked: boolean; onCheck(checked: boolean): void }) {
  return (
    <label>
      <input type="checkbox" checked={checked} onChange={(event) => onCheck(event.currentTarget.checked)} /> {label}
    </label>
  );
}

export function Questions() {
  const now = answers.value;
  return (
    <fieldset class="questions">
      <legend>Four questions</legend>
      <div>
        <Words label="There are" value={now.one} onText={(one) => set({ one })} />
        <Words label="and to each belong" value={now.other} onText={(other) => set({ other })} />
        <Check label={`each ${now.other || 'of these'} belongs to many`} checked={now.manyToMany} onCheck={(manyToMany) => set({ manyToMany })} />
      </div>
      <div>
        <Figure label="1. How many for each?" value={now.average} onNumber={(average) => set({ average })} />
        <Check label="there is a bound" checked={now.bounded} onCheck={(bounded) => set({ bounded })} />
      </div>
      <div>
        <Check label={`2. Read from the side of ${now.other || 'the other'} too`} checked={now.both} onCheck={(both) => set({ both })} />
      </div>
      <div>
        <Figure label="3. Changes a second" value={now.changesPerSecond} onNumber={(changesPerSecond) => set({ changesPerSecond })} />
        <Figure label="4. Reads a second" value={now.readsPerSecond} onNumber={(readsPerSecond) => set({ readsPerSecond })} />
      </div>
    </fieldset>
  );
}
