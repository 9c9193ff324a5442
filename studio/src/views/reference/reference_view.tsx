// All on one page: the strategies with what they cost here, the two trees to walk, and the rules with the numbers of the
// design that is open.
import { useSignal, type Signal } from '@preact/signals';
import { model as api, type Advice } from '../../api/model.ts';
import { formatRoute, go, linkTo, route } from '../../app/route.ts';
import { model } from '../../design/design.ts';
import { advice } from '../../design/figures.ts';
import { freeName, ownDesigns, readOwn, writeOwn } from '../../design/own_designs.ts';
import { DataTable } from '../../parts/data_table.tsx';
import { money } from '../../parts/numbers.ts';
import { Prose } from '../../parts/prose.tsx';
import { glossary } from './glossary.ts';
import { readerQuestions, type Variant } from './questions.ts';
import { lineOfRule, rules, strategies, trees, type Question, type Strategy, type Tree } from './strategies.ts';
import '../../parts/forms.css';
import './reference.css';

const titleOf = (name: string) => strategies.find((one) => one.name === name)?.title ?? name;

function CostHere({ strategy, all }: { strategy: Strategy; all: Advice[] }) {
  const found = all.flatMap(({ relationship, inUse, alternatives }) => {
    const one = alternatives.find((each) => each.strategy === strategy.name);
    return one ? [{ relationship, one, used: inUse.includes(strategy.name) }] : [];
  });
  if (found.length === 0) return <span class="hint">no relationship for it</span>;
  return (
    <ul class="costs-here">
      {found.map(({ relationship, one, used }) => (
        <li key={relationship}>
          <a href={linkTo('model', [], { tab: 'advise', relationship })}>{relationship}</a> {one.legal ? `${money(one.moneyPerMonth)} a month` : used ? 'not by itself' : 'does not fit'}
          {used && <span class="in-use">in use</span>}
        </li>
      ))}
    </ul>
  );
}

function Strategies({ all }: { all: Advice[] }) {
  return (
    <section aria-labelledby="strategies">
      <h2 id="strategies">Strategies</h2>
      <DataTable class="facts-table" label="Strategies" columns={['Strategy', 'Use it when', 'Not when', `Cost in “${model.value?.title ?? ''}”`]}>
        {strategies.map((strategy) => (
          <tr key={strategy.name} id={`strategy-${strategy.name}`}>
            <th scope="row">
              {strategy.title}
              <small>
                <code>{strategy.name}</code>
              </small>
              <small>{strategy.shape}</small>
              <small>
                <a href={formatRoute({ view: 'model', query: { model: strategy.example } })}>Example</a>
                {strategy.lesson && (
                  <>
                    {' · '}
                    <a href={linkTo('learn', [strategy.lesson])}>Lesson</a>
                  </>
                )}
              </small>
            </th>
            <td>{strategy.use}</td>
            <td>{strategy.avoid}</td>
            <td>
              <CostHere strategy={strategy} all={all} />
            </td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

type Answers = boolean[];

function walk(root: Question, answers: Answers): { asked: { question: Question; answer: boolean }[]; at: Question | string[] } {
  let at: Question | string[] = root;
  const asked = [];
  for (const answer of answers) {
    if (Array.isArray(at)) break;
    asked.push({ question: at, answer });
    at = answer ? at.yes : at.no;
  }
  return { asked, at };
}

function Answer({ answers, number, given }: { answers: Signal<Answers>; number: number; given: boolean | undefined }) {
  return (
    <span class="answers">
      {[true, false].map((answer) => (
        <button key={String(answer)} type="button" aria-pressed={given === answer} onClick={() => (answers.value = [...answers.peek().slice(0, number), answer])}>
          {answer ? 'Yes' : 'No'}
        </button>
      ))}
    </span>
  );
}

function TreeWalk({ tree }: { tree: Tree }) {
  const answers = useSignal<Answers>([]);
  const { asked, at } = walk(tree.root, answers.value);
  const steps = [...asked.map(({ question, answer }) => ({ question, answer: answer as boolean | undefined })), ...(Array.isArray(at) ? [] : [{ question: at, answer: undefined }])];
  return (
    <section class="panel tree" aria-label={tree.title}>
      <div class="panel-head">
        <h3>{tree.title}</h3>
        {answers.value.length > 0 && (
          <button type="button" onClick={() => (answers.value = [])}>
            Begin again
          </button>
        )}
      </div>
      <ol>
        {steps.map(({ question, answer }, number) => (
          <li key={question.ask}>
            <p>{question.ask}</p>
            <Answer answers={answers} number={number} given={answer} />
            <small>{question.why}</small>
          </li>
        ))}
      </ol>
      <p class="tree-end" role="status">
        {Array.isArray(at) && (
          <>
            →{' '}
            {at.map((name, number) => (
              <span key={name}>
                {number > 0 && ' with '}
                <a href={`#strategy-${name}`}>{titleOf(name)}</a>
              </span>
            ))}
          </>
        )}
      </p>
    </section>
  );
}

function Rules({ all }: { all: Advice[] }) {
  return (
    <section aria-labelledby="rules">
      <h2 id="rules">Rules</h2>
      <DataTable class="facts-table" label="Rules" columns={['Rule', 'What it says', `In “${model.value?.title ?? ''}”`]}>
        {rules.map(({ id, title, says }) => (
          <tr key={id}>
            <th scope="row">
              {title} <small>{id}</small>
            </th>
            <td>
              <Prose text={says} />
            </td>
            <td>
              {all.flatMap(({ relationship, path }) => {
                const lines = lineOfRule(path, id);
                return lines.length === 0
                  ? []
                  : [
                      <p key={relationship}>
                        <b>{relationship}</b> <Prose text={lines.join(' · ')} />
                      </p>,
                    ];
              })}
            </td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

// The answer that the address asks for.
const intoSight = (answer: HTMLElement | null) => void requestAnimationFrame(() => answer?.scrollIntoView({ block: 'center' }));

// Makes a copy in this browser, changed, and opens it.
async function openVariant({ title, of, change }: Variant): Promise<void> {
  const text = change((await api.example(of)).source);
  const known = ownDesigns.peek().find((name) => readOwn(name) === text);
  const own = known ?? freeName(title, ownDesigns.peek());
  if (!known) writeOwn(own, text);
  go(formatRoute({ view: 'model', query: { model: own } }));
}

function Questions() {
  return (
    <section aria-labelledby="questions">
      <h2 id="questions">Questions readers ask</h2>
      <div class="reader-questions">
        {readerQuestions.map(({ ask, answer, see, view, query, variant }) => (
          <details key={ask} open={route.value.query['ask'] === ask} ref={route.value.query['ask'] === ask ? intoSight : null}>
            <summary>{ask}</summary>
            <p>
              <Prose text={answer} /> <a href={linkTo(view, [], query)}>{see}</a>
            </p>
            {variant && (
              <p>
                <button type="button" title="A copy in this browser; the example stays as it is" onClick={() => void openVariant(variant)}>
                  {variant.says}
                </button>
              </p>
            )}
          </details>
        ))}
      </div>
    </section>
  );
}

function Glossary() {
  const wanted = route.value.query['word'];
  return (
    <section aria-labelledby="glossary">
      <h2 id="glossary">Glossary</h2>
      <dl class="glossary">
        {glossary.map(({ word, says }) => (
          <div key={word} data-wanted={word === wanted ? '' : undefined} ref={word === wanted ? intoSight : null}>
            <dt>{word}</dt>
            <dd>
              <Prose text={says} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export default function ReferenceView() {
  const { value, error } = advice.value;
  const all = value ?? [];
  return (
    <div class="reference forms">
      <header>
        <h1>Quick reference</h1>
        <p class="hint">Answer the questions, or read the table. Figures are those of the design that is open: choose another at the top.</p>
      </header>
      {error && <p class="refused">{error}</p>}
      <section aria-labelledby="trees">
        <h2 id="trees">Which strategy?</h2>
        <div class="trees">
          {trees.map((tree) => (
            <TreeWalk key={tree.title} tree={tree} />
          ))}
        </div>
      </section>
      <Strategies all={all} />
      <Rules all={all} />
      <Questions />
      <Glossary />
    </div>
  );
}
