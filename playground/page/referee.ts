// The seam to the referee: a worker in which the library runs. Everything is asked here, by the names of
// `meldref_service/questions.schema.json`. No rule of the game is written here or in any script of the page.
import { keepACopy } from "./keeper.ts";
import { startWorker } from "./worker-start.ts";

export type State = "loading" | "ready" | "failed";
export interface Progress {
  state: State;
  /** How much of it has come, from 0 to 1, and what is on its way. */
  part: number;
  step: string;
  reason: string;
}
interface Waiting {
  done(answer: unknown): void;
  failed(reason: Error): void;
  timer: ReturnType<typeof setTimeout>;
}

/** How many milliseconds a question may take before the worker is ended and another one started. */
const PATIENCE = 20_000;
export const progress: Progress = { state: "loading", part: 0, step: "The cards", reason: "" };
const listeners = new Set<(progress: Progress) => void>();
const waiting = new Map<number, Waiting>();
let worker: Worker | null = null;
let number = 0;
let ready = startsLater();

/** The promise of a worker that is ready, and how it is kept. */
function startsLater(): { promise: Promise<void>; done: () => void } {
  let done = (): void => {};
  const promise = new Promise<void>((kept) => { done = kept; });
  return { promise, done };
}

/** Tells a listener how far the referee is, now and whenever that changes. */
export function onReferee(listener: (progress: Progress) => void): void {
  listeners.add(listener);
  listener(progress);
}

function tell(change: Partial<Progress>): void {
  Object.assign(progress, change);
  document.documentElement.dataset.referee = progress.state;
  for (const listener of listeners) listener(progress);
}

/** Starts the referee, or starts it again. */
export function startReferee(): void {
  worker?.terminate();
  tell({ state: "loading", part: 0, step: "The cards", reason: "" });
  worker = startWorker();
  worker.onmessage = ({ data }) => hear(data);
  worker.onerror = (event) => tell({ state: "failed", reason: event.message || "the worker could not be started" });
}

function hear(data: any): void {
  if (data.part !== undefined) tell({ part: data.part, step: data.step });
  else if (data.ready) void arrive();
  else if (data.id === undefined) tell({ state: "failed", reason: String(data.failed) });
  else finish(data.id, data);
}

/**
 * Answers from now on; ready is the page once it opens without a network, too. The copy for that is made now and not
 * before, since on a slow line it would keep Python waiting.
 */
async function arrive(): Promise<void> {
  const mine = worker;
  ready.done();
  tell({ part: 0.98, step: "A copy for later" });
  await keepACopy();
  if (mine === worker) tell({ state: "ready", part: 1, step: "" });
}

function finish(id: number, data: any): void {
  const question = waiting.get(id);
  if (!question) return;
  waiting.delete(id);
  clearTimeout(question.timer);
  if (data.failed === undefined) question.done(data.answer);
  else question.failed(new Error(data.failed));
}

/** Ends a question that does not come back, with the worker that it is asked in. */
function startAgain(): void {
  const stopped = [...waiting.values()];
  waiting.clear();
  ready = startsLater();
  for (const { failed, timer } of stopped) {
    clearTimeout(timer);
    failed(new Error("That took too long, and the referee was started again. What you wrote is still here."));
  }
  startReferee();
}

/** A way for tests, and for a desperate reader with a console, to end a question that does not come back. */
addEventListener("meldref-stop", startAgain);

/** The answer to a question, once the referee is there; fails with a sentence for people. */
export async function ask<T = any>(question: string, given: object = {}, patience = PATIENCE): Promise<T> {
  await ready.promise;
  return new Promise<T>((done, failed) => {
    const id = ++number;
    waiting.set(id, { done: done as (answer: unknown) => void, failed, timer: setTimeout(startAgain, patience) });
    worker?.postMessage({ id, question, given });
  });
}

/**
 * Of questions that follow one another quickly only the last is asked, once the one under way is answered.
 * The promise is kept when nothing is left to ask.
 */
export function latest<A extends unknown[]>(pose: (...given: A) => Promise<void>): (...given: A) => Promise<void> {
  let next: A | null = null;
  let answered: Promise<void> | null = null;
  async function answerAll(): Promise<void> {
    try {
      while (next) {
        const given: A = next;
        next = null;
        await pose(...given);
      }
    } finally {
      answered = null;
    }
  }
  return (...given: A) => {
    next = given;
    answered ??= answerAll();
    return answered;
  };
}
