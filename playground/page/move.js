// The view of one move: the table is made by touch, or as text; the referee does all of the judging.
const ofTable = ({ verdict, unfinished, findings: [finding] }) => {
  if (verdict === "unreadable") return unfinished ? UNFINISHED : "this move cannot be read";
  if (verdict === "unusable") return finding.file ? "your rules cannot be used" : "this table cannot be read";
  return verdict === "position" ? "" : verdict;
};

function makeMove(rules) {
  const composer = makeComposer($("move-words"), $("move"));
  const board = makeBoard((position) => {
    $("position").value = position;
    past = [];
    refresh("", true);
  });
  let past = [];
  let after = null;

  const given = () => ({ position: $("position").value, rules: byRules(rules(), $("move-game").value, $("move-option").value) });

  const [showMoves, showTurns] = [makeGroup($("moves")), makeGroup($("turns"))];
  function list(show, moves) {
    const items = moves.map((one) => element("li", {}, element("button", {
      type: "button", on: () => { $("move").value = one.move; judge(); },
    }, element("span", { text: one.move }), element("span", { text: one.points ? `+${one.points}` : "" }))));
    show(...(items.length ? items : [element("li", { text: "nothing" })]));
  }

  // Asks about the table, and about a move on it if there is one.
  const refresh = latest($("move-verdict"), async (move, touched = false) => {
    const asked = given();
    const told = await ask("position", asked);
    if (move.trim() && told.verdict === "position") Object.assign(told, await ask("play", { ...asked, move }));
    after = told.after ?? null;
    if (touched && told.verdict === "unusable") {
      tell($("move-verdict"), "open", `not a table yet: ${told.findings[0].message}`);
      $("move-why").replaceChildren();
      return;
    }
    tell($("move-verdict"), told.unfinished ? "unfinished" : told.verdict, ofTable(told));
    $("move-why").replaceChildren(...(told.findings.length ? told.findings.map((finding) => element("div", { class: "why" }, ...findingParts(finding)))
      : told.text ? [element("pre", { text: told.text })] : []));
    if (told.verdict === "unusable") return;
    shown(told);
    if (asked.position !== $("position").value || !told.file) return; // it was changed meanwhile, or the hand is over
    board.show(told.file, told.copies);
    if (touched) $("position").value = told.position;
  });
  const look = () => refresh("");
  async function judge() {
    await refresh($("move").value);
    $("move-why").scrollIntoView({ block: "nearest" });
  }

  function shown(told) {
    picture($("move-picture"), told.svg);
    list(showMoves, told.moves);
    list(showTurns, told.turns);
    composer.show(told.words);
  }

  $("move-judge").onclick = judge;
  $("move").addEventListener("keydown", (event) => { if (event.key === "Enter") judge(); });
  $("position").addEventListener("input", () => { past = []; look(); });
  $("move-on").onclick = async () => {
    await judge();
    if (!after?.position) return;
    past.push([$("position").value, $("move").value]);
    $("position").value = after.position;
    $("move").value = "";
    look();
  };
  $("move-back").onclick = () => {
    const last = past.pop();
    if (!last) return;
    [$("position").value, $("move").value] = last;
    judge();
  };
  $("move-link").onclick = () => copy($("move-link"), packed("move", {
    position: $("position").value, move: $("move").value, rules: rules(), game: $("move-game").value, option: $("move-option").value,
  }));

  function games({ rulesets }) {
    fillGames($("move-game"), $("move-option"), rulesets);
    $("move-game").onchange = $("move-option").onchange = () => judge();
  }

  function begin() {
    if (!$("position").value) $("position").value = EXAMPLES.position;
    look();
  }

  function take(data) {
    open("move");
    if (typeof data.position === "string") $("position").value = data.position;
    if (typeof data.game === "string" && data.game) $("move-game").value = data.game;
    if (typeof data.option === "string") $("move-option").value = data.option;
    $("move").value = typeof data.move === "string" ? data.move : "";
    past = [];
    judge();
  }

  return { begin, games, take, judge };
}
