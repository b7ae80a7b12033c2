// A text field with colours, marks, completion and folding: CodeMirror, dressed in the page's own style.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { codeFolding, foldGutter, foldKeymap, foldService, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { type Action, type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, RangeSetBuilder, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { tagHighlighter, tags } from "@lezer/highlight";
import { foldsOf, piecesOf } from "./notation.ts";

/** A stretch of the text; lines and columns count from 1. */
interface Place {
  line: number;
  column: number;
  endLine?: number;
  endColumn: number;
}

/** Something that is wrong there, what it says, and what may be done about it. */
export interface Mark extends Place {
  severity: "error" | "warning" | "info";
  say: () => Node;
  fixes: { text: string; apply: () => void }[];
}

/** A change of a text: what is between two places becomes `text`; keys as the service has them. */
export interface Edit {
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  text: string;
}

/** What may be written where the cursor stands, in place of what was begun there; keys as the service has them. */
export interface Offers {
  from: string;
  offers: { text: string; about: string }[];
}

export interface EditorOptions {
  label: string;
  kind: "log" | "rules";
  hint: string;
  changed: (text: string) => void;
  moved: (line: number) => void;
  offers: (before: string) => Promise<Offers>;
}

/** An editor in the page. */
export class Editor {
  readonly view: EditorView;
  private quiet = false;

  constructor(parent: HTMLElement, options: EditorOptions) {
    const state = EditorState.create({ doc: "", extensions: extensionsOf(options, (update) => this.tell(update, options)) });
    this.view = withoutStyleElements(() => new EditorView({ state, parent }));
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Puts another text in the place of this one, without telling of it. */
  set(text: string): void {
    this.quiet = true;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, selection: { anchor: 0 } });
    this.quiet = false;
  }

  /** Writes changes into the text, as if they had been typed; their places are those of the text as it was. */
  write(edits: Edit[]): void {
    const { doc } = this.view.state;
    const changes = edits.map(({ line, column, end_line: endLine, end_column: endColumn, text: insert }) => ({ ...spanOf(doc, { line, column, endLine, endColumn }), insert }));
    this.view.dispatch({ changes, userEvent: "input" });
  }

  /** Writes another text in the place of all of it, as if it had been typed. */
  writeAll(insert: string): void {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert }, userEvent: "input" });
  }

  /** The line of the cursor. */
  get line(): number {
    const { doc, selection } = this.view.state;
    return doc.lineAt(selection.main.head).number;
  }

  /** Puts the cursor into a line and brings it into sight. */
  goTo(line: number, { focus = false } = {}): void {
    const { doc } = this.view.state;
    const anchor = doc.line(Math.min(Math.max(1, line), doc.lines)).from;
    this.view.dispatch({ selection: { anchor } });
    this.show(anchor);
    if (focus) this.view.focus();
  }

  /** Brings a place into sight within the editor; the page around it stays where it is. */
  private show(at: number): void {
    const { scrollDOM } = this.view;
    const { top, bottom } = this.view.lineBlockAt(at);
    const [first, last] = [scrollDOM.scrollTop, scrollDOM.scrollTop + scrollDOM.clientHeight];
    if (top < first || bottom > last) scrollDOM.scrollTop = top - scrollDOM.clientHeight / 3;
  }

  /** Underlines what is wrong. */
  mark(marks: Mark[]): void {
    const { doc } = this.view.state;
    this.view.dispatch(setDiagnostics(this.view.state, marks.map((mark) => diagnosticOf(doc, mark))));
  }

  private tell(update: ViewUpdate, options: EditorOptions): void {
    if (update.docChanged && !this.quiet) options.changed(this.text);
    if (update.selectionSet || update.docChanged) options.moved(this.line);
  }
}

/**
 * CodeMirror writes a <style> element into a document, which the page's policy forbids, and adopts a sheet in a tree
 * without a head. Its first editor decides for all of them.
 */
function withoutStyleElements<Made>(make: () => Made): Made {
  Object.defineProperty(document, "head", { configurable: true, value: null });
  try {
    return make();
  } finally {
    delete (document as { head?: unknown }).head;
  }
}

function extensionsOf(options: EditorOptions, told: (update: ViewUpdate) => void): Extension[] {
  const language = options.kind === "log" ? [logColours, foldService.of(foldAt)] : [yaml(), syntaxHighlighting(yamlColours)];
  return [
    lineNumbers(), highlightActiveLineGutter(), foldGutter({ openText: "▾", closedText: "▸" }), codeFolding({ placeholderText: " … " }), lintGutter(),
    history(), drawSelection(), indentOnInput(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(), EditorView.lineWrapping,
    EditorState.tabSize.of(2), placeholder(options.hint), language,
    autocompletion({ override: [(context) => complete(context, options.offers)], icons: false }),
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...foldKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap, ...(options.kind === "rules" ? [indentWithTab] : [])]),
    EditorView.contentAttributes.of({ "aria-label": options.label, spellcheck: "false", autocapitalize: "off", autocorrect: "off", tabindex: "0" }),
    EditorView.updateListener.of(told), EditorView.domEventHandlers({ beforeinput: takeWhole }),
  ];
}

/** Writes a longer text by itself: a browser that does it gives words the style of those they replace, which the policy forbids. */
function takeWhole(event: InputEvent, view: EditorView): boolean {
  const text = event.inputType === "insertText" && !event.isComposing ? event.data : null;
  if (text === null || text.length < 2) return false;
  event.preventDefault();
  const { from, to } = replacedBy(view);
  view.dispatch({ changes: { from, to, insert: text }, selection: { anchor: from + text.length }, userEvent: "input" });
  return true;
}

/** What an input replaces: the browser may have selected it a moment ago, before the editor was told. */
function replacedBy(view: EditorView): { from: number; to: number } {
  const selection = document.getSelection();
  if (!selection?.rangeCount || !view.contentDOM.contains(selection.anchorNode)) return view.state.selection.main;
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
  const ends = [view.posAtDOM(startContainer, startOffset), view.posAtDOM(endContainer, endOffset)];
  return { from: Math.min(...ends), to: Math.max(...ends) };
}

// --- colours ------------------------------------------------------------------------------------

const CLASSES = new Map<string, Decoration>();
const classed = (name: string): Decoration => {
  const made = CLASSES.get(name) ?? Decoration.mark({ class: `t-${name}` });
  CLASSES.set(name, made);
  return made;
};

function coloursIn(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      for (const piece of piecesOf(line.text)) builder.add(line.from + piece.from, line.from + piece.to, classed(piece.is));
      at = line.to + 1;
    }
  }
  return builder.finish();
}

const logColours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = coloursIn(view);
    }
    update(update: ViewUpdate) {
      if (update.docChanged || update.viewportChanged) this.decorations = coloursIn(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

const yamlColours = tagHighlighter([
  { tag: tags.definition(tags.propertyName), class: "t-keyword" },
  { tag: tags.propertyName, class: "t-keyword" },
  { tag: [tags.lineComment, tags.comment], class: "t-comment" },
  { tag: tags.string, class: "t-string" },
  { tag: tags.content, class: "t-text" },
  { tag: tags.punctuation, class: "t-sign" },
]);

// --- folding ------------------------------------------------------------------------------------

let folded: { doc: Text; folds: Map<number, number> } | null = null;

function foldAt(state: EditorState, from: number): { from: number; to: number } | null {
  if (folded?.doc !== state.doc) folded = { doc: state.doc, folds: new Map(foldsOf([...state.doc.iterLines()]).map((fold) => [fold.from, fold.to])) };
  const line = state.doc.lineAt(from);
  const last = folded.folds.get(line.number);
  return last === undefined ? null : { from: line.to, to: state.doc.line(last).to };
}

// --- marks and completion -----------------------------------------------------------------------

function spanOf(doc: Text, { line, column, endLine = line, endColumn }: Place): { from: number; to: number } {
  const offset = (number: number, at: number) => {
    const there = doc.line(Math.min(Math.max(1, number), doc.lines));
    return there.from + Math.min(Math.max(0, at - 1), there.length);
  };
  const from = offset(line, column);
  return { from, to: Math.max(from, offset(endLine, endColumn)) };
}

function diagnosticOf(doc: Text, { severity, say, fixes, ...place }: Mark): Diagnostic {
  const actions: Action[] = fixes.map(({ text, apply }) => ({ name: text, apply }));
  return { ...spanOf(doc, place), severity, message: "", renderMessage: say, actions };
}

async function complete(context: CompletionContext, offers: EditorOptions["offers"]): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\w?=:-]*/);
  if (!context.explicit && (word === null || word.from === word.to)) return null;
  const found = await offers(context.state.doc.sliceString(0, context.pos));
  if (context.aborted || found.offers.length === 0) return null;
  return {
    from: context.pos - found.from.length,
    options: found.offers.map(({ text, about }, place) => ({ label: text, info: about || undefined, boost: -place })),
    validFor: /^[\w?=-]*$/,
  };
}

