// Answers that stand in the page since it was built, by their questions: what a door shows before the referee is there.
import { $ } from "./dom.ts";
import { ask, progress } from "./referee.ts";

let answers: Record<string, unknown> | null = null;

/** The recorded answer to a question; null where none was recorded. */
export function recorded<T>(question: string, given: object = {}): T | null {
  answers ??= JSON.parse($("#answers")?.textContent ?? "{}") as Record<string, unknown>;
  return (answers[JSON.stringify([question, given])] ?? null) as T | null;
}

/** The recorded answer while the referee is on its way, if there is one; else the referee's. */
export async function asked<T>(question: string, given: object = {}): Promise<T> {
  const known = progress.state === "ready" ? null : recorded<T>(question, given);
  return known ?? ask<T>(question, given);
}
