// The design as text, with the checker's findings in place, beside pictures and figures of it.
import './model_view.css';
import './figures.css';
import { useEffect } from 'preact/hooks';
import { missing, model, source, unread } from '../../design/design.ts';
import { setQuery, route } from '../../app/route.ts';
import { AdviseTab } from './advise/advise_tab.tsx';
import { ChartTab } from './chart/chart_tab.tsx';
import { CodeTab } from './code/code_tab.tsx';
import { DesignTab } from './design/design_tab.tsx';
import { CostTab } from './cost/cost_tab.tsx';
import { Editor } from './editor/editor.tsx';
import { FindingsList } from './editor/findings_list.tsx';
import { nextFinding, previousFinding } from './editor/handle.ts';
import { ErTab } from './er/er_tab.tsx';
import { PatternsTab } from './patterns/patterns_tab.tsx';
import { ProposalPanel } from './proposal_panel.tsx';
import { ProofTab } from './proof/proof_tab.tsx';
import { ForeignPreview } from './foreign_text.tsx';
import { beginsWithImport, beginsWithQuestions, showNewDesign } from './new_design.tsx';
import { Preview } from './questions_preview.tsx';
import { formatDesign, saveDesign, Toolbar } from './toolbar.tsx';

const tabs = [
  { name: 'er', title: 'Entities', content: ErTab },
  { name: 'chart', title: 'Keys', content: ChartTab },
  { name: 'patterns', title: 'Access patterns', content: PatternsTab },
  { name: 'design', title: 'Design it for me', content: DesignTab },
  { name: 'cost', title: 'Cost', content: CostTab },
  { name: 'advise', title: 'Advice', content: AdviseTab },
  { name: 'proof', title: 'Proof', content: ProofTab },
  { name: 'code', title: 'Code', content: CodeTab },
];

function onKey(event: KeyboardEvent): void {
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (command && !event.shiftKey && key === 's') void saveDesign();
  else if (command && event.shiftKey && key === 'f') void formatDesign();
  else if (event.key === 'F8') event.shiftKey ? previousFinding() : nextFinding();
  else return;
  event.preventDefault();
}

// An empty text: ways to begin.
function Begin() {
  if (source.value.trim() !== '') return <p class="hint">Asking the server…</p>;
  // Why it cannot be opened stands at the top of the page.
  if (missing.value) return <p class="hint">The design of this address could not be opened, so there is nothing to show. Choose one at the top of the page.</p>;
  return (
    <div class="begin">
      <h2>Nothing is written yet</h2>
      <p class="hint">Answer a few questions, add an entity to the text, or look at an example: choose one at the top of the page.</p>
      <button class="main" onClick={() => showNewDesign('new')}>
        A few questions…
      </button>{' '}
      <button onClick={() => setQuery({ tab: 'design' })}>Design it for me</button>
    </div>
  );
}

function Tabs() {
  const open = tabs.find((tab) => tab.name === route.value.query['tab']) ?? tabs[0]!;
  const Content = open.content;
  const show = (name: string) => setQuery({ tab: name });
  // The arrow keys move between tabs and open them; Tab leads into the open one.
  const walk = (event: KeyboardEvent) => {
    const at = tabs.indexOf(open);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const { name } = tabs[(to + tabs.length) % tabs.length]!;
    show(name);
    document.getElementById(`tab-${name}`)?.focus();
  };
  if (beginsWithQuestions() || beginsWithImport()) {
    return (
      <section class="model-pictures" aria-label="The new design">
        <div class="tab-content" tabIndex={0} role="region" aria-label="Preview">
          {beginsWithImport() ? <ForeignPreview /> : <Preview />}
        </div>
      </section>
    );
  }
  return (
    <section class="model-pictures" aria-label="Pictures and figures of the design">
      <div class="model-tabs" role="tablist" aria-label="What to show" onKeyDown={walk}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            id={`tab-${tab.name}`}
            role="tab"
            aria-selected={tab === open}
            aria-controls="tab-content"
            tabIndex={tab === open ? 0 : -1}
            onClick={() => show(tab.name)}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div key={open.name} id="tab-content" class="tab-content" role="tabpanel" aria-labelledby={`tab-${open.name}`} tabIndex={0}>
        <ProposalPanel />
        {unread.value && source.value.trim() !== '' && (
          <p class="note">The text has errors that keep it from being read.{model.value ? ' This shows the last valid version.' : ' The findings below it say where.'}</p>
        )}
        {model.value ? <Content /> : !unread.value || source.value.trim() === '' ? <Begin /> : null}
      </div>
    </section>
  );
}

export default function ModelView() {
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <div class="model-view">
      <section class="model-text" aria-label="The design as text">
        <Toolbar />
        <Editor />
        <FindingsList />
      </section>
      <Tabs />
    </div>
  );
}
