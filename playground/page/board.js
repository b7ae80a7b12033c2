// The table of a move: places, and the cards that lie there, to be touched. What it is worth says the referee.
const SUITS = ["c", "d", "h", "s"];
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];

function makeBoard(tellChange) {
  let table = null; // what a position file says
  let copies = {}; // how often the deck has each card
  let place = ["hands"]; // where the next card goes
  const [showPlaces, showDeck] = [makeGroup($("places")), makeGroup($("deck"))];

  const split = (cards) => (cards ?? "").split(/\s+/).filter(Boolean);
  const bare = (card) => card.split("=")[0];
  const isSame = (one, other) => one.join() === other.join();
  const places = () => [...table.players.map((name) => ["hands", name]), ["pile"],
    ...Object.keys(table.table).map((name) => ["table", name])];
  const nameOf = ([kind, name]) => ({ hands: `${name}'s hand`, pile: "Pile", table: name })[kind];

  // Where the texts of a place's cards are: in a meld, each player who laid some has one.
  function textsOf([kind, name]) {
    if (kind === "pile") return [table, ["pile"]];
    if (kind === "hands") return [table.hands, [name]];
    return [table.table[name], Object.keys(table.table[name])];
  }

  function cardsAt(at) {
    const [texts, keys] = textsOf(at);
    return keys.flatMap((key) => split(texts[key]));
  }
  const has = (at, card) => cardsAt(at).some((one) => bare(one) === card);
  const where = (card) => places().filter((at) => has(at, card)).map(nameOf).join(", ");

  function remove(at, card) {
    const [texts, keys] = textsOf(at);
    const key = keys.find((one) => split(texts[one]).some((laid) => bare(laid) === card));
    const cards = split(texts[key]);
    cards.splice(cards.findIndex((laid) => bare(laid) === card), 1);
    texts[key] = cards.join(" ");
  }

  // In a hand, a card that is known takes the place of one that is not.
  function add(at, card) {
    const [texts, keys] = textsOf(at);
    const [unseen, seen] = [/^\?(\*\d+)?$/, split(texts[keys.at(-1)])];
    const hidden = seen.filter((one) => unseen.test(one)).reduce((sum, one) => sum + Number(one.slice(2) || 1), 0);
    const cards = [...seen.filter((one) => !unseen.test(one)), card];
    if (hidden > 1) cards.push(`?*${hidden - 1}`);
    texts[keys.at(-1)] = cards.join(" ");
  }

  // A card that is touched comes to the place that is chosen; where the deck has no other one, it leaves the place where it was.
  function touch(card) {
    const holders = places().filter((at) => has(at, card));
    const laid = holders.flatMap((at) => cardsAt(at).filter((one) => bare(one) === card)).length;
    const from = holders.find((at) => isSame(at, place)) ?? holders[0];
    if (laid >= copies[card]) remove(from, card);
    if (laid < copies[card] || !isSame(from, place)) add(place, card);
    dropEmptyMelds();
    changed();
  }

  function dropEmptyMelds() {
    const melds = Object.keys(table.table).filter((name) => cardsAt(["table", name]).length || isSame(place, ["table", name]));
    if (place[0] === "table") place = ["table", `m${melds.indexOf(place[1]) + 1}`];
    table.table = Object.fromEntries(melds.map((name, index) => [`m${index + 1}`, table.table[name]]));
  }

  function newMeld() {
    place = ["table", `m${Object.keys(table.table).length + 1}`];
    table.table[place[1]] = { [table.to_move]: "" };
    drawPlaces();
  }

  function clear() {
    const { players, to_move } = table;
    table = { players, to_move, hands: { [to_move]: "" }, table: {}, pile: "" };
    place = ["hands", to_move];
    changed();
  }

  function rename(names) {
    const old = table.players;
    if (names.length < 2 || new Set(names).size < names.length) return;
    const now = (name) => names[Math.min(old.indexOf(name), names.length - 1)];
    const renamed = (of) => Object.fromEntries(Object.entries(of).filter(([name]) => old.indexOf(name) < names.length)
      .map(([name, value]) => [now(name), value]));
    const melds = Object.entries(table.table).map(([name, laid]) => [name, { [now(Object.keys(laid)[0])]: cardsAt(["table", name]).join(" ") }]);
    table = { players: names, to_move: now(table.to_move), hands: renamed(table.hands), table: Object.fromEntries(melds), pile: table.pile };
    place = ["hands", table.to_move];
    changed();
  }

  function option(name, value, on) {
    const select = element("select", {}, ...table.players.map((player) => element("option", { value: player, text: player })));
    select.value = value;
    select.onchange = () => on(select.value);
    return element("label", { text: `${name} ` }, select);
  }

  function drawPlaces() {
    if (!places().some((at) => isSame(at, place))) place = ["hands", table.to_move];
    const button = (text, on, pressed) => element("button", { type: "button", text, on, "aria-pressed": pressed });
    showPlaces(
      ...places().map((at) => button(cardsAt(at).length ? `${nameOf(at)} (${counted(at)})` : nameOf(at),
        () => { place = at; drawPlaces(); }, String(isSame(place, at)))),
      button("New meld", newMeld), button("Clear the table", clear),
    );
    const choices = [option("Whose turn", table.to_move, (name) => { table.to_move = name; changed(); })];
    if (place[0] === "table") {
      const [texts, keys] = textsOf(place);
      choices.push(option(`${place[1]} was laid by`, keys[0], (name) => {
        table.table[place[1]] = { [name]: keys.flatMap((key) => split(texts[key])).join(" ") };
        changed();
      }));
    }
    redraw($("turn-of"), ...choices);
    $("move-players").value = table.players.join(", ");
    drawDeck();
  }
  const counted = (at) => cardsAt(at).reduce((sum, card) => sum + Number(/^\?\*(\d+)$/.exec(card)?.[1] ?? 1), 0);

  function drawDeck() {
    const rows = SUITS.map((suit) => RANKS.map((rank) => rank + suit));
    rows.at(-1).push("Jk");
    showDeck(...rows.map((row) => element("div", {}, ...row.filter((card) => copies[card] !== 0).map((card) => element("button", {
      type: "button", class: suitOf(card), text: faceOf(card), "data-where": where(card),
      "aria-pressed": String(has(place, card)), "aria-label": where(card) ? `${cardName(card)}, in ${where(card)}` : cardName(card), on: () => touch(card),
    })))));
  }

  // What was touched is told as JSON, which a position file may be; what no longer follows from it is left out.
  function changed() {
    for (const key of ["stock", "discarded_by", "points", "turn", "opening"]) delete table[key];
    const hands = Object.entries(table.hands).filter(([name, cards]) => cards || name === table.to_move);
    table.hands = Object.fromEntries(hands);
    drawPlaces();
    tellChange(JSON.stringify(table));
  }

  $("move-players").onchange = () => rename($("move-players").value.split(",").map((name) => name.trim()).filter(Boolean));
  return {
    // A new meld that is still empty stays: only the page knows of it.
    show(file, ofDeck) {
      const isNewMeld = place[0] === "table" && table.table[place[1]] && !cardsAt(place).length;
      table = file;
      copies = ofDeck;
      if (isNewMeld) newMeld();
      else drawPlaces();
    },
  };
}
