// Puts the views together. No rule of the game is written here or in any script of the page.
const VIEWS = ["log", "rules", "move", "table"];
const EXAMPLES = JSON.parse($("examples").textContent);
const rulesText = () => views.rules.editor.text.trim() ? views.rules.editor.text : "";

function open(name) {
  for (const view of VIEWS) {
    $(`view-${view}`).hidden = view !== name;
    $(`tab-${view}`).setAttribute("aria-pressed", String(view === name));
  }
  if (name === "move") views.move.begin();
  if (name === "table") views.table.begin();
}

function byRules() {
  const own = Boolean(rulesText());
  $("log-by").textContent = own ? "your rules" : "the game that it names";
  views.move.by(own ? "Your rules apply: the game above does not count." : "");
  if (views.log.editor.text) views.log.judge();
}

const views = { log: makeLog(() => rulesText()), move: makeMove(() => rulesText()), table: makeTable(() => rulesText()) };
views.rules = makeRules(byRules);
for (const view of VIEWS) $(`tab-${view}`).onclick = () => open(view);

function follow() {
  const link = unpacked(location.hash);
  if (!link) return false;
  if (typeof link.data.rules === "string") views.rules.take(link.data);
  if (link.view === "move") views.move.take(link.data);
  else { open(link.view); if (link.view === "log") views.log.take(link.data); }
  return true;
}
addEventListener("hashchange", follow);

start();
ask("shelf").then((shelf) => {
  views.rules.wizard(shelf);
  views.move.games(shelf);
  views.table.games(shelf);
  const text = kept("rules");
  if (text && !unpacked(location.hash)) views.rules.editor.write(text);
  const log = kept("log");
  if (log) views.log.editor.write(log);
  follow();
});
navigator.serviceWorker?.register("sw.js").catch(() => {}); // without it the page works, but not offline
