// The colours of a log. It is a matter of looks alone: what the words mean is asked of the referee.

/** What a piece of a line is. */
export type Piece = "comment" | "header" | "string" | "number" | "name" | "keyword" | "red" | "black" | "wild" | "meld" | "sign" | "text";

/** A piece of a line, by its columns, the first being 0. */
export interface Token {
  from: number;
  to: number;
  is: Piece;
}

const CARD = /^(?:(?:[2-9TJQKA]|10)[cdhsCDHS♣♦♥♠]|[Jj](?:ok|OK|K|k)[Ee]?[Rr]?)(?:=(?:[2-9TJQKA]|10)[cdhs]?)?(?![\w])/;
const RULES: [RegExp, Piece | ((text: string) => Piece)][] = [
  [/^"(?:[^"\\]|\\.)*"?/, "string"],
  [CARD, (text) => (/^[Jj]o?k/i.test(text) || text.includes("=") ? "wild" : /[dhDH♦♥]/.test(text) ? "red" : "black")],
  [/^\?(?:\*\d+)?/, "wild"],
  [/^m\d+\b/, "meld"],
  [/^-?\d+\b/, "number"],
  [/^[\p{L}_][\p{L}\p{N}_.'!-]*/u, "text"],
  [/^[;:,=]/, "sign"],
];

/** The pieces of a line: what opens it, who plays, and what they do with which cards. */
export function piecesOf(line: string): Token[] {
  const opening = /^(\s*)(?:(\[)|(\d+\.))/.exec(line);
  if (opening?.[2]) return headerOf(line, opening[1]!.length);
  const tokens: Token[] = [];
  let at = 0;
  let opens = true;
  if (opening?.[3]) {
    at = opening[0].length;
    tokens.push({ from: opening[1]!.length, to: at, is: "number" });
  }
  while (at < line.length) {
    const rest = line.slice(at);
    if (rest.startsWith("#")) return [...tokens, { from: at, to: line.length, is: "comment" }];
    const token = pieceAt(rest, at);
    if (token !== null) {
      const text = line.slice(token.from, token.to);
      const word = opens && token.is === "text";
      const named = opens && (word || token.is === "string") && isName(line.slice(token.to));
      tokens.push(named ? { ...token, is: "name" } : word ? { ...token, is: "keyword" } : token);
      opens = text === ";" || text === ":" || (opens && text === "=");
    }
    at = token?.to ?? at + 1;
  }
  return tokens;
}

function pieceAt(rest: string, at: number): Token | null {
  for (const [pattern, is] of RULES) {
    const found = pattern.exec(rest);
    if (found) return { from: at, to: at + found[0].length, is: typeof is === "function" ? is(found[0]) : is };
  }
  return null;
}

/** A word that opens a line is a name where a colon follows. */
const isName = (rest: string): boolean => /^\s*:/.test(rest);

function headerOf(line: string, from: number): Token[] {
  const shape = /^\[[\w-]*\s*("(?:[^"\\]|\\.)*"?)?\s*\]?/.exec(line.slice(from))!;
  const end = from + shape[0].length;
  const tokens: Token[] = [];
  const value = shape[1] === undefined ? -1 : line.indexOf('"', from);
  if (value < 0) tokens.push({ from, to: end, is: "header" });
  else {
    tokens.push({ from, to: value, is: "header" }, { from: value, to: value + shape[1]!.length, is: "string" });
    if (end > value + shape[1]!.length) tokens.push({ from: value + shape[1]!.length, to: end, is: "header" });
  }
  const comment = line.indexOf("#", end);
  return comment < 0 ? tokens : [...tokens, { from: comment, to: line.length, is: "comment" }];
}

/** What may be folded: the lines of each hand behind its first, and those of each block of headers. Lines count from 1. */
export function foldsOf(lines: string[]): { from: number; to: number }[] {
  const folds: { from: number; to: number }[] = [];
  let begun = 0;
  const close = (before: number) => {
    let last = before - 1;
    while (last > begun && lines[last - 1]!.trim() === "") last -= 1;
    if (begun > 0 && last > begun) folds.push({ from: begun, to: last });
  };
  lines.forEach((line, index) => {
    const opens = /^\s*hand\b/i.test(line) || (/^\s*\[/.test(line) && !/^\s*\[/.test(lines[index - 1] ?? ""));
    if (!opens) return;
    close(index + 1);
    begun = index + 1;
  });
  close(lines.length + 1);
  return folds;
}
