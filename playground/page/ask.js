// Asks the worker. A question that takes too long ends the worker, and another one is started: what was written stays.
const PATIENCE = 10_000;
const waiting = new Map();
let worker = null;
let number = 0;
let ready = null;

const $ = (id) => document.getElementById(id);
const state = (words) => { $("state").textContent = words; };

function start() {
  const began = performance.now();
  worker = startWorker();
  ready = new Promise((done) => {
    worker.onmessage = ({ data }) => {
      if (data.ready) {
        state("Ready: nothing you write leaves this page.");
        document.body.dataset.ready = String(Math.round(performance.now() - began));
        done();
      } else if (data.id === undefined) {
        state(`This browser cannot run the referee: ${data.failed}`);
      } else {
        finish(data.id, data);
      }
    };
    worker.onerror = (event) => state(`This browser cannot run the referee: ${event.message}`);
  });
  return ready;
}

function finish(id, data) {
  const question = waiting.get(id);
  if (!question) return;
  waiting.delete(id);
  clearTimeout(question.timer);
  document.body.dataset.ms = String(data.ms ?? "");
  if (data.failed === undefined) question.done(data.answer);
  else question.failed(new Error(data.failed));
}

function startAgain() {
  worker.terminate();
  const stopped = [...waiting.values()];
  waiting.clear();
  for (const question of stopped) {
    clearTimeout(question.timer);
    question.failed(new Error("that took too long, and the referee was started again; what you wrote is still here"));
  }
  delete document.body.dataset.ready;
  state("The referee is starting again…");
  start();
}

// Rules as a question takes them: the text of a rules file where there is one, else a game with an option, if any.
const byRules = (text, game = "", option = "") => {
  if (text.trim()) return { text };
  return option ? { name: game, options: [option] } : game;
};

// A way for tests, and for a desperate reader with a console, to end a question that does not come back.
addEventListener("meldref-stop", startAgain);

async function ask(question, given = {}, patience = PATIENCE) {
  await ready;
  return new Promise((done, failed) => {
    const id = ++number;
    waiting.set(id, { done, failed, timer: setTimeout(startAgain, patience) });
    worker.postMessage({ id, question, given });
  });
}

// Of questions about a place that follow one another quickly, only the last is asked once the one under way is answered.
// What was shown there stays until then, marked as busy. The promise is kept when nothing is left to ask.
function latest(place, pose) {
  let next = null;
  let answered = null;
  async function answerAll() {
    place.setAttribute("aria-busy", "true");
    while (next) {
      const given = next;
      next = null;
      try {
        await pose(...given);
      } catch (error) {
        tell(place, "unusable", error.message);
      }
    }
    place.removeAttribute("aria-busy");
    answered = null;
  }
  return function run(...given) {
    next = given;
    answered ??= answerAll();
    return answered;
  };
}
