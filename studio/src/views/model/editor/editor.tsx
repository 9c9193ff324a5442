// The model's text in CodeMirror. It lives in a shadow tree, because there the editor's styles become
// adopted style sheets: the page's content-security policy allows no <style> elements.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, snippet, type CompletionContext } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { lintGutter, nextDiagnostic, previousDiagnostic, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { EditorState, Transaction, type Text } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers, type Tooltip } from '@codemirror/view';
import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Finding } from '../../../api/model.ts';
import { edit, findings, model, source } from '../../../design/design.ts';
import { choicesAt } from './completion.ts';
import { helpFor, type Help } from './help.ts';
import { caretLine, setHandle } from './handle.ts';
import { modelLanguage } from './language.ts';
import { rangeOf } from './places.ts';
import { templates } from './templates.ts';
import { modelTheme } from './theme.ts';

function complete(context: CompletionContext) {
  const word = context.matchBefore(/[\w-]*/);
  if (!word || (word.from === word.to && !context.explicit)) return null;
  const options = choicesAt(context.state.sliceDoc(0, context.pos), model.peek()).map((choice) => {
    const found = choice.type === 'keyword' ? helpFor(choice.label, '', null) : null;
    const form = choice.type === 'keyword' ? templates[choice.label] : undefined;
    return { ...choice, ...(found ? { info: found.text } : {}), ...(form ? { apply: snippet(form) } : {}) };
  });
  return options.length > 0 ? { from: word.from, options, validFor: /^[\w-]*$/ } : null;
}

// The meaning of the word under the pointer.
function wordHelp(view: EditorView, position: number): Tooltip | null {
  const line = view.state.doc.lineAt(position);
  const at = position - line.from;
  const start = at - (/[\w-]*$/.exec(line.text.slice(0, at))?.[0].length ?? 0);
  const word = /^[\w-]+/.exec(line.text.slice(start))?.[0];
  if (word === undefined || /\/\//.test(line.text.slice(0, start))) return null;
  const found = helpFor(word, line.text.slice(0, start), model.peek());
  if (!found) return null;
  return { pos: line.from + start, end: line.from + start + word.length, above: true, create: () => ({ dom: helpBox(found) }) };
}

function helpBox({ title, text, example }: Help): HTMLElement {
  const box = document.createElement('div');
  box.className = 'word-help';
  const part = (tag: string, content: string) => {
    const element = document.createElement(tag);
    element.textContent = content;
    box.append(element);
  };
  part('strong', title);
  // Words of the language stand between backticks.
  const words = document.createElement('div');
  words.append(...text.split('`').map((piece, at) => {
    if (at % 2 === 0) return piece;
    const code = document.createElement('code');
    code.textContent = piece;
    return code;
  }));
  box.append(words);
  if (example) part('code', example);
  return box;
}

function explain(finding: Finding): HTMLElement {
  const box = document.createElement('div');
  const rule = document.createElement('strong');
  rule.textContent = `${finding.rule} `;
  box.append(rule, finding.message);
  if (finding.suggestion) {
    const hint = document.createElement('div');
    hint.textContent = `To fix it: ${finding.suggestion}`;
    box.append(hint);
  }
  return box;
}

function toDiagnostic(finding: Finding, doc: Text): Diagnostic {
  return {
    ...rangeOf(finding, doc.lines, (line) => doc.line(line)),
    severity: finding.severity === 'note' ? 'info' : finding.severity,
    message: `${finding.rule} ${finding.message}`,
    renderMessage: () => explain(finding),
  };
}

// A selection that is typed over. Left to itself the browser joins its lines by writing style attributes, which the page's
// content-security policy refuses with an error on the console.
function typeOver(event: InputEvent, view: EditorView): boolean {
  const { main } = view.state.selection;
  const text = event.data;
  if (event.inputType !== 'insertText' || text === null || main.empty || view.composing) return false;
  event.preventDefault();
  const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true });
  const handled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, main.from, main.to, text, insert));
  if (!handled) view.dispatch(insert());
  return true;
}

const extensions = [
  EditorView.domEventHandlers({ beforeinput: typeOver }),
  lineNumbers(),
  lintGutter(),
  history(),
  drawSelection(),
  EditorView.lineWrapping,
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion({ override: [complete], icons: false }),
  hoverTooltip(wordHelp, { hoverTime: 400 }),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  // Tab stays with the page: it leads out of the editor.
  keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap]),
  modelLanguage,
  modelTheme,
  EditorView.contentAttributes.of({ 'aria-label': 'Model source', tabindex: '0' }),
  EditorView.updateListener.of((update) => {
    if (update.docChanged) edit(update.state.doc.toString());
    if (update.docChanged || update.selectionSet) {
      caretLine.value = update.state.doc.lineAt(update.state.selection.main.head).number;
    }
  }),
];

const stateOf = (text: string) => EditorState.create({ doc: text, extensions });

function handleOf(view: EditorView) {
  return {
    reveal(place: { line: number; column?: number; length?: number }, focus: boolean) {
      const { doc } = view.state;
      const { from, to } = rangeOf({ column: 1, length: 0, ...place }, doc.lines, (line) => doc.line(line));
      view.dispatch({
        selection: { anchor: from, head: to },
        effects: EditorView.scrollIntoView(from, { y: 'start', yMargin: 40 }),
      });
      if (focus) view.focus();
    },
    add(form: string) {
      const { doc } = view.state;
      const end = doc.toString().trimEnd().length;
      snippet(`${end > 0 ? '\n\n' : ''}${form}\n`)(view, null, end, doc.length);
      view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head, { y: 'center' }) });
      view.focus();
    },
    walk(forward: boolean) {
      view.focus();
      (forward ? nextDiagnostic : previousDiagnostic)(view);
    },
    // As one change that can be taken back.
    replace(text: string) {
      const line = view.state.doc.lineAt(view.state.selection.main.head).number;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        annotations: Transaction.userEvent.of('format'),
      });
      const { doc } = view.state;
      view.dispatch({ selection: { anchor: doc.line(Math.min(line, doc.lines)).from }, scrollIntoView: true });
    },
  };
}

export function Editor() {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    const view = new EditorView({ parent: root, root, state: stateOf(source.peek()) });
    const stopText = effect(() => {
      // Another design was opened: what could be taken back belongs to the one before.
      if (source.value !== view.state.doc.toString()) view.setState(stateOf(source.value));
    });
    const stopFindings = effect(() => {
      const marks = findings.value.map((finding) => toDiagnostic(finding, view.state.doc));
      view.dispatch(setDiagnostics(view.state, marks));
    });
    // Messages that come and go change the height; the caret must not slip out of sight.
    const follow = new ResizeObserver(() => {
      if (!view.hasFocus) return;
      view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head, { y: 'nearest', yMargin: 20 }) });
    });
    follow.observe(host.current!);
    setHandle(handleOf(view));
    return () => {
      follow.disconnect();
      setHandle(null);
      stopText();
      stopFindings();
      view.destroy();
    };
  }, []);
  return <div class="editor-host" ref={host} />;
}
