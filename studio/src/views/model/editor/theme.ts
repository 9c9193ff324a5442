// The editor in the page's own colours. The tokens reach into its shadow tree.
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { modelTags } from './language.ts';

const frame = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--surface)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  // Above the gutter, which sticks and would cover an outline.
  '&.cm-focused::after': { content: '""', position: 'absolute', inset: '0', zIndex: '300', border: '2px solid var(--focus)', pointerEvents: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '8px 0' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '2px' },
  '.cm-gutters': { color: 'var(--ink-soft)', backgroundColor: 'var(--raised)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--raised) 60%, transparent)' },
  '.cm-activeLineGutter': { color: 'var(--ink)', backgroundColor: 'var(--raised)', fontWeight: '700' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--accent) 30%, transparent)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--lit)', color: 'var(--lit-ink)' },
});

const findingMarks = EditorView.theme({
  '.cm-lintRange': { backgroundImage: 'none', paddingBottom: '0', textDecorationLine: 'underline', textDecorationStyle: 'wavy', textDecorationSkipInk: 'none' },
  '.cm-lintRange-error': { textDecorationColor: 'var(--bad)', backgroundColor: 'var(--bad-surface)' },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--warn)', backgroundColor: 'var(--warn-surface)' },
  '.cm-lintRange-info': { textDecorationColor: 'var(--accent)' },
  '.cm-gutter-lint': { width: '1.3em' },
  '.cm-lint-marker': { width: '1em', height: '1em', textAlign: 'center', lineHeight: '1' },
  // CodeMirror's own signs are pictures in `content`; ours are letters, in the page's colours.
  '.cm-lint-marker-error': { content: 'normal', color: 'var(--bad)' },
  '.cm-lint-marker-warning': { content: 'normal', color: 'var(--warn)' },
  '.cm-lint-marker-info': { content: 'normal', color: 'var(--accent)' },
  '.cm-lint-marker-error::before': { content: '"●"' },
  '.cm-lint-marker-warning::before': { content: '"▲"' },
  '.cm-lint-marker-info::before': { content: '"■"' },
});

const tooltips = EditorView.theme({
  '.cm-tooltip': {
    color: 'var(--ink)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    boxShadow: '0 4px 16px rgb(0 0 0 / 0.25)',
    maxWidth: 'min(460px, 90vw)',
  },
  '.word-help': { fontFamily: 'var(--font)', fontSize: '13px', lineHeight: '1.45', padding: '8px 12px' },
  '.word-help div code': { fontFamily: 'var(--mono)', fontSize: '12px', color: 'var(--ink)' },
  '.word-help > code': { display: 'block', marginTop: '4px', whiteSpace: 'pre-wrap', fontFamily: 'var(--mono)', fontSize: '12px', color: 'var(--ink-soft)' },
  '.cm-diagnostic': { fontFamily: 'var(--font)', fontSize: '13px', padding: '6px 10px' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
  '.cm-diagnostic-info': { borderLeftColor: 'var(--accent)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '14em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--accent-ink)', backgroundColor: 'var(--accent)' },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: '0.8' },
  '.cm-completionMatchedText': { fontWeight: '700' },
});

const colours = HighlightStyle.define([
  { tag: modelTags.statement, color: 'var(--syntax-statement)', fontWeight: '600' },
  { tag: modelTags.word, color: 'var(--syntax-word)' },
  { tag: modelTags.valueType, color: 'var(--syntax-type)' },
  { tag: modelTags.name, fontWeight: '700' },
  { tag: modelTags.text, color: 'var(--syntax-text)' },
  { tag: modelTags.hole, color: 'var(--syntax-word)', fontWeight: '600' },
  { tag: modelTags.number, color: 'var(--type-5-ink)' },
  { tag: modelTags.parameter, color: 'var(--warn)' },
  { tag: modelTags.comment, color: 'var(--ink-soft)', fontStyle: 'italic' },
]);

export const modelTheme = [frame, findingMarks, tooltips, syntaxHighlighting(colours)];
