// The four questions, as the beginning of a design.
import { signal } from '@preact/signals';
import { noAnswers, several, type Answers, type Per } from '../../design/four_questions.ts';

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
      <input type="number" min={1} max={1_000_000_000} value={value} onInput={(event) => onNumber(Number(event.currentTarget.value))} />
    </label>
  );
}

const spans: [Per, string][] = [['s', 'a second'], ['min', 'a minute'], ['hour', 'an hour'], ['day', 'a day']];

// How often: a number, which may be a part of one, and the span it is counted in.
function Often({ label, value, per, onRate }: { label: string; value: number; per: Per; onRate(value: number, per: Per): void }) {
  return (
    <div class="often">
      <label>
        <span>{label}</span>
        <input type="number" min={0} max={1_000_000} step="any" value={value} onInput={(event) => onRate(Number(event.currentTarget.value), per)} />
      </label>
      <select aria-label={`${label}: in which time`} value={per} onChange={(event) => onRate(value, event.currentTarget.value as Per)}>
        {spans.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    </div>
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
  const [one, other] = [now.one.trim() || 'the first', now.other.trim() || 'the other'];
  return (
    <fieldset class="questions">
      <legend>Two things and four questions</legend>
      <div>
        <Words label="There is a" value={now.one} onText={(text) => set({ one: text })} />
        <Words label="and to each belong several" value={now.other} onText={(text) => set({ other: text })} />
        <Check label={`each ${other} belongs to many ${several(one)} too`} checked={now.manyToMany} onCheck={(manyToMany) => set({ manyToMany })} />
      </div>
      <div>
        <Figure label={`1. How many ${several(one)} are there?`} value={now.ones} onNumber={(ones) => set({ ones })} />
        {now.manyToMany && <Figure label={`How many ${several(other)}?`} value={now.others} onNumber={(others) => set({ others })} />}
        <Figure label={`${several(other)} of one ${one}, about`} value={now.average} onNumber={(average) => set({ average })} />
        <Check label="there is a bound" checked={now.bounded} onCheck={(bounded) => set({ bounded })} />
        {now.bounded && <Figure label="at most" value={now.most} onNumber={(most) => set({ most })} />}
      </div>
      <div>
        <Check label={`2. Read from the side of ${other} too`} checked={now.both} onCheck={(both) => set({ both })} />
      </div>
      <div>
        <Often label={`3. New ${several(other)}`} value={now.changes} per={now.changesPer} onRate={(changes, changesPer) => set({ changes, changesPer })} />
        <Often label="4. Reads of each kind" value={now.reads} per={now.readsPer} onRate={(reads, readsPer) => set({ reads, readsPer })} />
      </div>
    </fieldset>
  );
}
