// Puts the views together. No rule of the game is written here or in any script of the page.
const VIEWS = ["log", "rules", "move", "table"];
const EXAMPLES = JSON.parse($("examples").textContent);
const rulesText = () => views.rules.editor.text.trim() ? views.rules.editor.text : "";

function open(name) {
  for (const view of VIEWS) {
    $(`view-${view}`).hidden = view !== name;
    $(`tab-${view}`).setAttribute("aria-pressed", String(view === name));
  }
  if (document.activeElement?.closest("section[hidden]")) $(`view-${name}`).querySelector("h2").focus();
  if (name === "move") views.move.begin();
  if (name === "table") views.table.begin();
}

function byRules() {
  const own = Boolean(rulesText());
  $("log-by").textContent = own ? "your rules" : "the game that it names";
  for (const place of document.querySelectorAll(".by")) {
    place.textContent = own ? "Your rules apply: the game chosen here does not count." : "";
  }
  if (views.log.editor.text) views.log.judge();
}

const views = { log: makeLog(() => rulesText()), move: makeMove(() => rulesText()), table: makeTable(() => rulesText()) };
views.rules = makeRules(byRules);
for (const view of VIEWS) $(`tab-${view}`).onclick = () => open(view);

// A link that brings another text than the one that was written here does not replace it unasked.
const isWelcome = (name, text) => typeof text !== "string" || !kept(name)?.trim() || kept(name) === text
  || confirm(`The link replaces the ${name} that you wrote here. Go on?`);

function follow() {
  const link = unpacked(location.hash);
  if (!link || !isWelcome("rules", link.data.rules) || !isWelcome("log", link.data.log)) return;
  if (typeof link.data.rules === "string") views.rules.take(link.data);
  if (link.view === "move") views.move.take(link.data);
  else { open(link.view); if (link.view === "log") views.log.take(link.data); }
}
addEventListener("hashchange", follow);

start();
ask("shelf").then((shelf) => {
  views.rules.wizard(shelf);
  views.move.games(shelf);
  views.table.games(shelf);
  for (const name of ["rules", "log"]) if (kept(name)) views[name].editor.write(kept(name));
  follow();
});
navigator.serviceWorker?.register("sw.js").catch(() => {}); // without it the page works, but not offline
