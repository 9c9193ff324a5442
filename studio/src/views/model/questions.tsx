// The questions of `prejoin new`, asked by the server and answered in a form: entities, relationships, and of each relationship how many,
// which directions, how often it changes and what is read together. Every question has a default, so two names make a design.
import { computed, effect, signal } from '@preact/signals';
import type { FoundDesign, InterviewQuestion } from '../../api/model.ts';
import { model as api } from '../../api/model.ts';
import { bestOf } from '../../design/found_designs.ts';
import { Unreachable } from '../../api/reach.ts';
import { plural } from '../../parts/numbers.ts';

export const answers = signal<Record<string, string>>({
  entity: 'Customer',
  'entity #2': 'Order',
  'How many orders are there, approximately?': '10k',
  relationship: 'Customer has many Order',
});

interface Held {
  questions: InterviewQuestion[];
  source: string | null;
  trouble: string;
}

const held = signal<Held>({ questions: [], source: null, trouble: '' });
export const made = signal<{ source: string; design: FoundDesign | null; unserved: string[]; trouble: string } | null>(null);
export const troubleNow = computed(() => held.value.trouble);

export interface WrongAnswer {
  key: string;
  label: string;
  trouble: string;
}

// What each question is called in the form: those of a list by their number.
export function wrongAnswers(questions: InterviewQuestion[]): WrongAnswer[] {
  const wrong: WrongAnswer[] = [];
  const lines: Record<string, number> = {};
  for (const { key, heading, text, otherwise, trouble } of questions) {
    if (otherwise === '' && heading !== '') lines[text] = (lines[text] ?? 0) + 1;
    if (trouble === undefined) continue;
    const label = otherwise === '' && heading !== '' ? `${capitalised(text)} ${lines[text]}` : text.trim().replace(/^\d\. /, '');
    wrong.push({ key, label, trouble: `${capitalised(trouble)}.` });
  }
  return wrong;
}

const capitalised = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

// While there is one, the answers make another design than they say: it has no price, no proof, and cannot be created.
export const wrongNow = computed(() => wrongAnswers(held.value.questions));
const fieldId = (key: string) => `answer ${key}`;

export function showAnswer(key: string): void {
  const field = document.getElementById(fieldId(key));
  field?.closest('details')?.setAttribute('open', '');
  field?.scrollIntoView({ block: 'center' });
  field?.focus();
}
// Questions that have a default and no answer of one's own.
export const defaultsUsed = computed(() => held.value.questions.slice(1).filter(({ key, otherwise }) => otherwise !== '' && !answers.value[key]).length);
const restMs = 250;

// An answer that cannot be read ends the questions. Those that stood behind it stay until it is mended.
export function withThoseBehind(asked: InterviewQuestion[], before: InterviewQuestion[]): InterviewQuestion[] {
  const keys = new Set(asked.map(({ key }) => key));
  return [...asked, ...before.filter(({ key }) => !keys.has(key))];
}

// The design of the answers so far, as `prejoin new` makes it.
async function follow(given: Record<string, string>, abort: AbortSignal): Promise<void> {
  try {
    const next = await api.interview(given, abort);
    const whole = next.source !== undefined;
    held.value = { questions: whole ? next.questions : withThoseBehind(next.questions, held.peek().questions), source: next.source ?? null, trouble: next.trouble ?? '' };
    if (next.source === undefined || next.questions.some(({ trouble }) => trouble !== undefined)) return void (made.value = null);
    const found = await api.design(next.source, abort);
    if (!abort.aborted) made.value = { source: next.source, design: await bestOf(next.source, found), unserved: found.unserved ?? [], trouble: '' };
  } catch (error) {
    if (abort.aborted || error instanceof Unreachable) return;
    const { source } = held.peek();
    if (source === null) held.value = { ...held.peek(), trouble: (error as Error).message };
    else made.value = { source, design: null, unserved: [], trouble: (error as Error).message };
  }
}

// While the form is open. Returns what ends it.
export function holdInterview(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request = new AbortController();
  const end = effect(() => {
    const given = answers.value;
    request.abort();
    clearTimeout(timer);
    request = new AbortController();
    timer = setTimeout(() => void follow(given, request.signal), held.peek().questions.length === 0 ? 0 : restMs);
  });
  return () => {
    end();
    clearTimeout(timer);
    request.abort();
  };
}

// The text for "Create": with the tables that were found, or the entities and patterns alone.
export async function answeredText(wanted: string): Promise<string> {
  const { questions, source } = held.peek();
  // Without a name it is called after its entities.
  const title = wanted || [...(source ?? '').matchAll(/^entity (\S+)/gm)].slice(0, 2).map(([, name]) => name).join(' and ');
  const next = await api.interview({ ...answers.peek(), ...(title && questions[0] ? { [questions[0].key]: title } : {}) });
  const [wrong] = wrongAnswers(next.questions);
  if (wrong) throw new Error(`${wrong.label}: ${wrong.trouble}`);
  if (next.source === undefined) throw new Error(next.trouble ?? 'The answers make no design yet.');
  const best = await api.design(next.source).then((found) => bestOf(next.source!, found), () => null);
  return best?.proved ? best.source : next.source;
}

const answer = (key: string, text: string) => (answers.value = { ...answers.peek(), [key]: text });

// "2. Which do you read?  1: …  2: …" as its choices.
const choicesOf = (text: string): [value: string, words: string][] => [...text.matchAll(/ {2}(\d): (.+?)(?= {2}\d: |$)/g)].map(([, value, words]) => [value!, words!]);

function Field({ question, label }: { question: InterviewQuestion; label: string }) {
  const { key, otherwise, trouble } = question;
  const value = answers.value[key] ?? '';
  const choices = otherwise === 'yes' ? ([['yes', 'yes'], ['no', 'no']] as [string, string][]) : choicesOf(question.text);
  return (
    <label class={trouble ? 'question refused-answer' : 'question'}>
      <span>{choices.length > 2 ? label.replace(/ {2}\d: .*/, '') : label}</span>
      {choices.length > 0 ? (
        <select id={fieldId(key)} value={value || otherwise} onChange={(event) => answer(key, event.currentTarget.value)}>
          {choices.map(([each, words]) => (
            <option key={each} value={each}>
              {words}
            </option>
          ))}
        </select>
      ) : (
        <input id={fieldId(key)} value={value} placeholder={otherwise} maxLength={400} aria-invalid={trouble !== undefined} onInput={(event) => answer(key, event.currentTarget.value)} />
      )}
      {trouble && (
        <small class="bad" role="status">
          {capitalised(trouble)}.
        </small>
      )}
    </label>
  );
}

interface Asked {
  line: InterviewQuestion; // Of a list.
  rest: InterviewQuestion[]; // What follows from its answer.
}

// The lines of a list, each with the questions that it leads to.
function linesOf(questions: InterviewQuestion[]): Asked[] {
  const lines: Asked[] = [];
  for (const question of questions) {
    if (question.otherwise === '') lines.push({ line: question, rest: [] });
    else lines.at(-1)?.rest.push(question);
  }
  return lines;
}

function Heading({ text }: { text: string }) {
  const [title, ...more] = text.split('\n').map((line) => line.replace(/ An empty line ends the list\./, '').trim());
  return (
    <>
      <h2>{title}</h2>
      {more.length > 0 && <p class="hint">{more.join(' ')}</p>}
    </>
  );
}

// The numbers of `prejoin new` are those of its four topics; in a form they would only repeat and skip.
function Details({ summary, questions }: { summary: string; questions: InterviewQuestion[] }) {
  const wrong = questions.some(({ trouble }) => trouble);
  return (
    <details open={wrong || undefined}>
      <summary>{summary}</summary>
      {questions.map((question) => (
        <Field key={question.key} question={question} label={question.text.trim().replace(/^\d\. /, '')} />
      ))}
    </details>
  );
}

export function Questions() {
  const { questions } = held.value;
  const headings = [...new Set(questions.slice(1).map(({ heading }) => heading))];
  const under = (heading: string) => questions.slice(1).filter((one) => one.heading === heading);
  const [entities, relationships, rest] = headings;
  return (
    <div class="questions">
      {entities !== undefined && (
        <fieldset>
          <Heading text={entities} />
          {linesOf(under(entities)).map(({ line, rest: [count] }, at) => (
            <div class="question-line" key={line.key}>
              <Field question={line} label={line.answer.trim() || at === 0 ? `Entity ${at + 1}` : 'Another entity'} />
              {count && <Field question={count} label={count.text} />}
            </div>
          ))}
        </fieldset>
      )}
      {relationships !== undefined && (
        <fieldset>
          <Heading text={relationships} />
          {linesOf(under(relationships)).map(({ line, rest: more }, at) => (
            <div key={line.key}>
              <Field question={line} label={line.answer.trim() ? `Relationship ${at + 1}` : 'Another relationship'} />
              {more.length > 0 && <Details summary={`${plural(more.length, 'question')} about ${line.answer.trim()}: answered with defaults until you change them`} questions={more} />}
            </div>
          ))}
        </fieldset>
      )}
      {rest !== undefined && (
        <fieldset>
          <Heading text={rest} />
          <Details summary="Lookups, inserts and updates of each entity" questions={under(rest)} />
        </fieldset>
      )}
    </div>
  );
}
