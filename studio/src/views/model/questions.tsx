// The four questions, asked of each relationship, as the beginning of a design.
import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { model as api } from '../../api/model.ts';
import { designFrom, disagreements, nameFrom, newRelation, noAnswers, pluralOf, wordsOf, type Answers, type Often, type Per, type Relation } from '../../design/four_questions.ts';
import { money } from '../../parts/numbers.ts';
import { KeysPicture, useModelOf } from './design/keys_picture.tsx';

export const answers = signal<Answers>(noAnswers);

type Change = (change: Partial<Relation>) => void;

function Words({ label, value, onText }: { label: string; value: string; onText(text: string): void }) {
  return (
    <label>
      <span>{label}</span>
      <input value={value} maxLength={30} onInput={(event) => onText(event.currentTarget.value)} />
    </label>
  );
}

interface FigureProps {
  label: string;
  value: number | null;
  empty?: string; // What an empty field means; without it the field must not be empty.
  onNumber(value: number | null): void;
}

function Figure({ label, value, empty, onNumber }: FigureProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        type="number"
        min={1}
        max={1_000_000_000}
        step="any"
        required={empty === undefined}
        placeholder={empty}
        value={value ?? ''}
        onInput={(event) => onNumber(event.currentTarget.value === '' ? null : Number(event.currentTarget.value))}
      />
    </label>
  );
}

const periods: Record<Per, string> = { s: 'a second', min: 'a minute', hour: 'an hour', day: 'a day' };

function Rate({ label, value, onRate }: { label: string; value: Often; onRate(rate: Often): void }) {
  return (
    <div class="question-rate" role="group" aria-label={label}>
      <span>{label}</span>
      <input
        type="number"
        aria-label={`${label}: how many`}
        min={0.001}
        max={1_000_000}
        step="any"
        required
        value={value.amount}
        onInput={(event) => onRate({ ...value, amount: Number(event.currentTarget.value) })}
      />
      <select aria-label={`${label}: in what time`} value={value.per} onChange={(event) => onRate({ ...value, per: event.currentTarget.value as Per })}>
        {Object.entries(periods).map(([per, words]) => (
          <option key={per} value={per}>
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

function Asked({ of, known, set }: { of: Relation; known: boolean; set: Change }) {
  const [one, other] = [wordsOf(nameFrom(of.one, 'thing')), wordsOf(nameFrom(of.other, 'other thing'))];
  const [ones, others] = [pluralOf(one), pluralOf(other)];
  return (
    <>
      <div>
        <Words label="There are" value={of.one} onText={(text) => set({ one: text })} />
        <Words label="and to each belong" value={of.other} onText={(text) => set({ other: text })} />
        <Check label={`each ${other} belongs to many ${ones}`} checked={of.manyToMany} onCheck={(manyToMany) => set({ manyToMany })} />
      </div>
      <div>
        {!known && <Figure label={`How many ${ones} are there?`} value={of.count} onNumber={(count) => set({ count: count ?? 1 })} />}
        <Figure label={`1. How many ${others} for each ${one}?`} value={of.average} onNumber={(average) => set({ average: average ?? 1 })} />
        <Figure label="and at most" value={of.most} empty="no bound" onNumber={(most) => set({ most })} />
        {of.manyToMany && <Figure label={`How many ${ones} for each ${other}?`} value={of.back} onNumber={(back) => set({ back: back ?? 1 })} />}
      </div>
      <div>
        <Check
          label={of.manyToMany ? `2. The ${ones} of one ${other} are read too` : `2. One ${other} is also read by its own id`}
          checked={of.both}
          onCheck={(both) => set({ both })}
        />
      </div>
      <div>
        <Rate label={of.manyToMany ? '3. Links that come or go' : `3. New or changed ${others}`} value={of.changes} onRate={(changes) => set({ changes })} />
        <Rate label={`4. Reads of ${others}`} value={of.reads} onRate={(reads) => set({ reads })} />
      </div>
    </>
  );
}

function textNow(): { text: string | null; trouble: string } {
  try {
    return { text: designFrom(answers.value), trouble: '' };
  } catch (error) {
    return { text: null, trouble: (error as Error).message };
  }
}

// What the answers make, while they are given. Stands where the picture of the open design would.
export function Preview() {
  const { text, trouble } = textNow();
  const made = useModelOf(text, 250);
  const price = useSignal<number | null>(null);
  useEffect(() => {
    if (!text || !made) return;
    api.cost(text, 1).then(({ moneyPerMonth }) => (price.value = moneyPerMonth), () => (price.value = null));
  }, [made]);
  return (
    <section class="questions-preview" aria-label="What this makes">
      {trouble ? (
        <p class="note">{trouble}</p>
      ) : (
        <>
          <h2>What this makes</h2>
          <p class="design-price">{price.value === null ? 'Pricing…' : `${money(price.value)} a month`}</p>
          {made && <KeysPicture model={made} />}
          {made && (
            <ul>
              {made.patterns.map(({ name, title }) => (
                <li key={name}>{title}</li>
              ))}
            </ul>
          )}
          <p class="hint">“Create” opens it as a text that can be changed. “Create, and design it for me” then searches for cheaper keys.</p>
        </>
      )}
    </section>
  );
}

export function Questions() {
  const { relations } = answers.value;
  const put = (next: Relation[]) => (answers.value = { ...answers.peek(), relations: next });
  const namesBefore = (at: number) => relations.slice(0, at).flatMap(({ one, other }) => [nameFrom(one, ''), nameFrom(other, '')]);
  return (
    <>
      {relations.map((relation, at) => (
        <fieldset key={at} class="questions">
          <legend>{relations.length === 1 ? 'Four questions' : `Relationship ${at + 1}`}</legend>
          <Asked
            of={relation}
            known={namesBefore(at).includes(nameFrom(relation.one, ''))}
            set={(change) => put(relations.map((one, i) => (i === at ? { ...one, ...change } : one)))}
          />
          {relations.length > 1 && (
            <button type="button" aria-label={`Remove relationship ${at + 1}`} onClick={() => put(relations.filter((_, i) => i !== at))}>
              Remove
            </button>
          )}
        </fieldset>
      ))}
      {disagreements(answers.value).map((sentence) => (
        <p key={sentence} class="note" role="status">
          {sentence}
        </p>
      ))}
      <button type="button" class="add-relation" onClick={() => put([...relations, newRelation(relations.at(-1)!.other, 'Item')])}>
        Add another relationship
      </button>
    </>
  );
}
