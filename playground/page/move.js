// The view of one move: cards are put on the table by touch, or as text; the referee does all of the judging.
const SUITS = [["c", "♣"], ["d", "♦"], ["h", "♥"], ["s", "♠"]];
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
const VERBS = ["draw", "take", "meld", "lay", "swap", "discard", "rummy"];
const OF_TABLE = { position: "", unusable: "this table cannot be read" };

function makeMove(rules) {
  let table = { hand: [], pile: [], melds: [] };
  let place = "hand";
  let past = [];
  let after = null;

  const text = () => [
    "players: [A, B]",
    "to_move: A",
    `hands: {A: "${table.hand.join(" ")}"}`,
    ...(table.melds.some((meld) => meld.length)
      ? ["table:", ...table.melds.map((meld, index) => `  m${index + 1}: {B: "${meld.join(" ")}"}`)] : []),
    `pile: "${table.pile.join(" ")}"`,
    "stock: 20",
    ...(table.pile.length ? ["discarded_by: B"] : []),
  ].join("\n") + "\n";

  const places = () => [
    ["hand", "My hand"], ["pile", "Pile"], ...table.melds.map((_, index) => [index, `Meld m${index + 1}`]),
    ["new", "A new meld"], ["move", "The move"],
  ];

  function drawPlaces() {
    $("places").replaceChildren(...places().map(([name, label]) => element("button", {
      type: "button", "aria-pressed": String(place === name), text: count(name, label), on: () => {
        if (name === "new") { table.melds.push([]); place = table.melds.length - 1; } else place = name;
        drawPlaces();
      },
    })), element("button", { type: "button", text: "Clear the table", on: () => {
      table = { hand: [], pile: [], melds: [] };
      place = "hand";
      changed();
    } }));
    drawDeck();
  }

  const cardsAt = (name) => (typeof name === "number" ? table.melds[name] : table[name]) ?? [];
  const count = (name, label) => (cardsAt(name).length ? `${label} (${cardsAt(name).length})` : label);
  const where = (card) => [["my hand", table.hand], ["the pile", table.pile],
    ...table.melds.map((meld, index) => [`m${index + 1}`, meld])].filter(([, cards]) => cards.includes(card)).map(([name]) => name).join(", ");

  function drawDeck() {
    const rows = SUITS.map(([suit, sign]) => RANKS.map((rank) => [rank + suit, (rank === "T" ? "10" : rank) + sign, suit]));
    rows.at(-1).push(["Jk", "Jk", "j"]);
    $("deck").replaceChildren(...rows.map((row) => element("div", {}, ...row.map(([card, label, suit]) => element("button", {
      type: "button", class: suit, text: label, "data-where": where(card),
      "aria-label": where(card) ? `${label} ${card}, in ${where(card)}` : `${label} ${card}`, on: () => touch(card),
    })))));
  }

  function touch(card) {
    if (place === "move") { word(card); return; }
    const cards = cardsAt(place);
    const at = cards.indexOf(card);
    if (at >= 0) cards.splice(at, 1);
    else cards.push(card);
    table.melds = table.melds.filter((meld, index) => meld.length || index === place);
    changed();
  }

  function word(next) {
    const now = $("move").value.replace(/\s+$/, "");
    const verb = VERBS.includes(next) || next === ";";
    const between = !now ? "" : verb && !now.endsWith(";") && next !== ";" ? "; " : next === ";" ? "" : " ";
    $("move").value = now + between + next;
    $("move").focus();
  }

  function changed() {
    $("position").value = text();
    past = [];
    drawPlaces();
    look();
  }

  const named = () => [$("move-game").value, $("move-option").value].filter(Boolean).join("+");
  const given = () => ({ position: $("position").value, rules: rules(), rules_named: rules() ? "" : named() });

  function list(host, moves) {
    host.replaceChildren(...moves.map((one) => element("li", {}, element("button", {
      type: "button", on: () => { $("move").value = one.move; judge(); },
    }, element("span", { text: one.move }), element("span", { text: one.points ? `+${one.points}` : "" })))));
    if (!moves.length) host.replaceChildren(element("li", { text: "nothing" }));
  }

  // Asks about the table, and about a move on it if there is one.
  const refresh = latest($("move-verdict"), async (move) => {
    const told = await ask("judge", { ...given(), move });
    after = told.after ?? null;
    tell($("move-verdict"), told.verdict, OF_TABLE[told.verdict] ?? told.verdict);
    $("move-why").replaceChildren(...(told.findings.length ? told.findings.map(why)
      : told.text ? [element("pre", { text: told.text })] : []));
    if (told.verdict !== "unusable") shown(told);
  });
  const look = () => refresh("");
  const judge = () => refresh($("move").value);

  function shown(told) {
    picture($("move-picture"), told.svg);
    list($("moves"), told.moves);
    list($("turns"), told.turns);
  }

  const why = (finding) => element("div", { class: "why" }, element("p", {},
    element("code", { text: finding.code })), element("pre", { text: finding.text }));

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
  $("verbs").replaceChildren(...[...VERBS, ";"].map((verb) => element("button", { type: "button", text: verb, on: () => {
    word(verb);
    place = "move";
    drawPlaces();
  } })), element("button", { type: "button", text: "Clear the move", on: () => { $("move").value = ""; } }));

  function games({ rulesets }) {
    const options = (type) => rulesets.filter((one) => one.type === type).map((one) => element("option", { value: one.id, text: one.name }));
    $("move-game").replaceChildren(...options("game"));
    $("move-game").value = "500-rummy";
    $("move-option").replaceChildren(element("option", { value: "", text: "none" }), ...options("option"));
    $("move-game").onchange = $("move-option").onchange = () => judge();
  }

  function begin() {
    if (!$("position").value) $("position").value = EXAMPLES.position;
    drawPlaces();
    look();
  }

  function take(data) {
    open("move");
    if (typeof data.position === "string") $("position").value = data.position;
    if (typeof data.game === "string" && data.game) $("move-game").value = data.game;
    if (typeof data.option === "string") $("move-option").value = data.option;
    $("move").value = typeof data.move === "string" ? data.move : "";
    past = [];
    drawPlaces();
    judge();
  }

  return { begin, games, take, judge, by: (words) => { $("move-by").textContent = words; } };
}
