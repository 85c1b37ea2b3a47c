// The editor of declarations: colours, completion, mistakes at their places.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory, undoDepth } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, Transaction } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { eom, words } from './grammar';
import { box, told } from './hover';
import type { Finding, Sheet } from './types';

const COLOURS = HighlightStyle.define([
  { tag: [tags.lineComment, tags.docComment], color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: tags.definitionKeyword, color: 'var(--code-item)', fontWeight: '600' },
  { tag: tags.keyword, color: 'var(--code-word)' },
  { tag: [tags.string, tags.meta], color: 'var(--code-string)' },
  { tag: [tags.number, tags.atom], color: 'var(--code-number)' },
  { tag: tags.standard(tags.function(tags.variableName)), color: 'var(--code-function)' },
]);

const LOOK = EditorView.theme({
  '&': { height: '100%', fontSize: '14px', backgroundColor: 'var(--paper)', color: 'var(--ink)' },
  '.cm-scroller': { fontFamily: 'ui-monospace, "DejaVu Sans Mono", monospace', lineHeight: '1.5' },
  '.cm-gutters': { backgroundColor: 'var(--side)', color: 'var(--dim)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--line)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--selection) !important' },
  '.cm-tooltip': { backgroundColor: 'var(--paper)', color: 'var(--ink)', border: '1px solid var(--grid)' },
});

export class Editor {
  private readonly view: EditorView;
  private sheet: Sheet | null = null;

  constructor(parent: HTMLElement, onChange: (text: string) => void) {
    const state = EditorState.create({
      extensions: [
        lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), history(), drawSelection(),
        indentUnit.of('    '), bracketMatching(), closeBrackets(), highlightSelectionMatches(), lintGutter(),
        eom, syntaxHighlighting(COLOURS), LOOK, EditorView.lineWrapping,
        autocompletion({ override: [(context) => this.complete(context)] }),
        hoverTooltip((view, position) => this.hover(view, position)),
        EditorView.contentAttributes.of({ 'aria-label': 'Declaration of the system', spellcheck: 'false' }),
        keymap.of([
          ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap,
          ...lintKeymap, indentWithTab,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
      ],
    });
    this.view = new EditorView({ state, parent });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set text(text: string) {
    const { state } = this.view;
    const isFirst = state.doc.length === 0 && undoDepth(state) === 0;
    // Undo goes back to what was there, and not past it; before the first text there was none, not an empty one, as which
    // the studio would save it.
    const annotations = isFirst ? Transaction.addToHistory.of(false) : isolateHistory.of('full');
    this.view.dispatch({ changes: { from: 0, to: state.doc.length, insert: text }, annotations });
  }

  /** Marks what is said of the text; it may have changed since. */
  mark(findings: Finding[]): void {
    const length = this.view.state.doc.length;
    const levels = { error: 'error', warning: 'warning', note: 'info' } as const;
    const marks = findings.map(({ level, message, help, note, place }): Diagnostic => {
      const from = Math.min(place.from, length);
      const lines = [message, help && `help: ${help}`, note && `line ${note.place.line}: ${note.message}`];
      return {
        from, to: Math.min(Math.max(place.to, from), length), severity: levels[level],
        message: lines.filter(Boolean).join('\n'),
      };
    });
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  /** What the names of the text stand for. */
  know(sheet: Sheet): void {
    this.sheet = sheet;
  }

  /** Shows a place in the first line, where there is one; the page around stays where it is. */
  top(from: number): void {
    if (from <= 0) return;
    this.view.requestMeasure({
      read: (view) => view.lineBlockAt(from).top,
      write: (top, view) => (view.scrollDOM.scrollTop = top),
    });
  }

  /** Puts the cursor at a place. */
  go(from: number): void {
    const anchor = Math.min(from, this.view.state.doc.length);
    this.view.dispatch({ selection: { anchor }, scrollIntoView: true });
    this.view.focus();
  }

  private names(): { label: string; detail: string; type: string }[] {
    const { declared, speeds } = this.sheet ?? { declared: null, speeds: [] };
    if (!declared) return [];
    const of = (items: { name: string; doc?: string }[], type: string) =>
      items.map(({ name, doc }) => ({ label: name, detail: doc ?? '', type }));
    return [
      ...of(declared.positions, 'variable'), ...of(speeds, 'variable'), ...of(declared.parameters, 'constant'),
      ...of(declared.inputs, 'variable'), ...of(declared.functions, 'function'), ...of(declared.outputs, 'property'),
    ];
  }

  private complete(context: CompletionContext): CompletionResult | null {
    const word = context.matchBefore(/[\p{L}_][\p{L}\p{M}\p{N}_]*/u);
    if (!word && !context.explicit) return null;
    const plain = (kind: string, type: string) => words(kind).map((label) => ({ label, type }));
    return {
      from: word?.from ?? context.pos,
      options: [
        ...this.names(), ...plain('keyword.control.item', 'keyword'), ...plain('keyword.other', 'keyword'),
        ...plain('support.function', 'function'), ...plain('constant.language', 'constant'),
      ],
    };
  }

  private hover(view: EditorView, position: number) {
    const line = view.state.doc.lineAt(position);
    for (const found of line.text.matchAll(/[\p{L}_][\p{L}\p{M}\p{N}_]*/gu)) {
      const from = line.from + found.index;
      const end = from + found[0].length;
      if (position < from || position > end) continue;
      const what = this.sheet && told(this.sheet, found[0]);
      if (what) return { pos: from, end, above: true, create: () => ({ dom: box(what) }) };
    }
    return null;
  }
}
