"use strict";
// Plays the games of a report. What the table looks like after each line was worked out by the referee and stands in
// #data; what was found, the lines of the logs and the score sheets stand in #reading. Nothing here knows a rule.
(() => {
  const $ = (id) => document.getElementById(id);
  const LOGS = JSON.parse($("data").textContent).logs;
  for (const { tables, hands } of LOGS) {
    for (const one of hands) [one.players, one.sides] = tables[one.table];
  }
  const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const DIGITS = "0123456789" + LETTERS;
  const ANY_SUIT = "0123456789:;=";
  const FACES = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
  const RANKS = ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"];
  const SUITS = ["clubs", "diamonds", "hearts", "spades"];
  const KINDS = "cdhs";
  const SIGNS = ["\u2663\ufe0e", "\u2666\ufe0e", "\u2665\ufe0e", "\u2660\ufe0e"];
  const TURN = /^(\s*(?:\d+\.\s*)?(?:"[^"]*"|[^:"#]+):)(.*)$/;
  const at = { log: 0, hand: 0, frame: 0 };
  let view = "open";

  // --- small things ---------------------------------------------------------------------------------------------
  /** An element with attributes and children; texts stay texts. */
  function make(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined) element.setAttribute(key, value);
    }
    return add(element, children);
  }
  /** Puts children into an element; one by one, since a call takes a limited number. */
  function add(element, children) {
    for (const child of children.flat(Infinity)) {
      if (child !== null && child !== undefined) element.append(child);
    }
    return element;
  }
  /** Puts children in the place of those that were there. */
  const fill = (element, children) => element.replaceChildren(add(document.createDocumentFragment(), children));
  const svg = (name, attributes = {}, ...children) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const name = (text) => make("bdi", {}, text);
  const many = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  const clamp = (number, most) => Math.max(0, Math.min(number, most));
  const log = () => LOGS[at.log];
  const hand = () => log().hands[at.hand];
  const frame = () => frames(hand())[at.frame];

  // --- what the referee recorded ----------------------------------------------------------------------------------
  /** The frames of a hand, each with its whole state; made when the hand is first looked at. */
  function frames(film) {
    if (film.made) return film.made;
    let line = -1;
    let state = [];
    const turns = new Set();
    film.made = film.frames.split("|").map((text) => {
      const [head, ...edits] = text.split(" ");
      const [, where, turn, taken, blank] = /^(?:(\d+):)?(\d*)(?:\/(\d+))?(!?)$/.exec(head);
      line = where === undefined ? line + 1 : Number(where);
      const before = state;
      state = edits.length ? state.slice() : state;
      for (const edit of edits) change(state, edit);
      const opens = Boolean(turn) && !turns.has(turn);
      turns.add(turn);
      return { line, turn: turn ? Number(turn) : null, opens, taken: Number(taken || 0), blank: Boolean(blank), state, before };
    });
    return film.made;
  }
  function change(state, edit) {
    let place = 0;
    const number = () => {
      let marks = 0;
      while (edit[place + marks] === "~") marks += 1;
      const digits = [...edit.slice(place + marks, place + 2 * marks + 1)];
      place += 2 * marks + 1;
      return digits.reduce((sum, digit) => sum * DIGITS.length + DIGITS.indexOf(digit), 0);
    };
    const [field, kept, gone] = [number(), number(), number()];
    const old = state[field] || "";
    state[field] = old.slice(0, kept) + edit.slice(place) + old.slice(kept + gone);
  }
  const points = (state) => (state[1] || "").split(",").map(Number);
  const known = (cards) => cards !== "*";
  /** The table in words that the page can draw. */
  function table(film, state) {
    const players = film.players.length;
    return {
      mover: DIGITS.indexOf(state[0][0]), ending: Number(state[0][1]), out: DIGITS.indexOf(state[0][2]),
      floating: [...state[0].slice(3)].map((seat) => DIGITS.indexOf(seat)),
      points: state[1].split(","), stock: state[2], pile: state[3] || "",
      hands: film.players.map((_, seat) => state[4 + seat] || ""),
      melds: state.slice(4 + players).map((text, place) => ({
        number: place + 1, none: text[0] === "!",
        cards: (text.slice(1).match(/.{3}/g) || []).map(([card, role, seat]) => ({ card, role, seat: DIGITS.indexOf(seat) })),
      })),
    };
  }

  // --- cards ------------------------------------------------------------------------------------------------------
  function face(letter) {
    const card = LETTERS.indexOf(letter);
    if (card >= 0) {
      const suit = Math.floor(card / 13);
      return { rank: FACES[card % 13], sign: SIGNS[suit], kind: KINDS[suit], words: `${RANKS[card % 13]} of ${SUITS[suit]}` };
    }
    const rank = ANY_SUIT.indexOf(letter);
    if (rank >= 0) return { rank: FACES[rank], sign: "", kind: "j", words: `${"ae".includes(RANKS[rank][0]) ? "an" : "a"} ${RANKS[rank]}` };
    return letter === "+" ? { rank: "Jk", sign: "\u2605\ufe0e", kind: "j", words: "joker" } : { rank: "", sign: "", kind: "", words: "unknown card" };
  }
  /** A card as the notation writes it. */
  function code(letter) {
    const { rank, kind } = face(letter);
    return kind === "j" ? rank : (rank === "10" ? "T" : rank) + kind;
  }
  /** The suit that a card is drawn in; that of jokers is `k`. */
  const suitOf = (letter) => face(letter).kind.replace("j", "k");
  /** Where a card's drawing is. */
  const faceOf = (letter) => `#s-${letter === "?" ? "back" : code(letter)}`;
  function drawn(letter, { role = letter, owner = null, fresh = false, ghost = false } = {}) {
    const fault = (fresh || ghost) && faults().has(code(letter));
    const classes = ["card", suitOf(letter), letter === "?" && "back", fresh && "new", ghost && "ghost", fault && "fault"];
    const card = make("span", { class: classes.filter(Boolean).join(" ") },
      svg("svg", { "aria-hidden": "true" }, svg("use", { href: faceOf(letter) })));
    if (role !== letter) {
      const as = face(role);
      card.append(make("span", { class: "as" }, `${as.rank}${as.sign}`));
    }
    if (owner !== null) card.append(make("span", { class: `owner seat-${owner % 8}` }, initials()[owner]));
    return make("span", {}, card);
  }
  /** A row of cards, which is one picture with a name for who cannot see it. */
  const row = (cards, label) => make("div", { class: "cards", role: "img", "aria-label": label }, cards);
  function inWords(cards) {
    const counted = new Map();
    for (const card of cards) counted.set(card, (counted.get(card) || 0) + 1);
    const words = [...counted].map(([card, count]) => (count === 1 ? face(card).words : `${count} times ${face(card).words}`));
    return words.length ? words.join(", ") : "no card";
  }
  /** Short names that tell the players apart. */
  function initials() {
    const film = hand();
    if (!film.initials) {
      const letters = film.players.map((player) => [...player]);
      let length = 1;
      const shorts = () => letters.map((player) => player.slice(0, length).join(""));
      while (length < 3 && new Set(shorts()).size < letters.length) length += 1;
      film.initials = new Set(shorts()).size < letters.length ? letters.map((_, seat) => String(seat + 1)) : shorts();
    }
    return film.initials;
  }
  /** Marks the cards of a row that were not there before. */
  function freshOf(now, before) {
    const left = [...before];
    return [...now].map((card) => {
      const place = left.indexOf(card);
      if (place >= 0) left.splice(place, 1);
      return place < 0;
    });
  }

  // --- the table --------------------------------------------------------------------------------------------------
  const visible = (seat) => view === "open" || view === String(seat);
  function drawTable() {
    const film = hand();
    const { state, before, blank, taken } = frame();
    const place = $("table");
    if (blank || !state.length) {
      place.replaceChildren(make("p", { class: "empty" }, film.game ? "No cards are on the table." : "Nothing could be played here."));
      return;
    }
    const now = table(film, state);
    const then = before.length ? table(film, before) : null;
    const dealt = frame().turn !== null;
    place.replaceChildren(
      make("div", { class: "seats" }, film.players.map((player, seat) => drawSeat(film, now, then, dealt, seat))),
      make("div", { class: "middle" }, drawStock(now), drawPile(now, then, taken, dealt)),
      drawMelds(film, now, then),
    );
  }
  function drawSeat(film, now, then, dealt, seat) {
    const player = film.players[seat];
    const cards = now.hands[seat];
    const moves = now.mover === seat;
    const acted = actor() === seat;
    const facts = [now.points[seat] === "" ? "does not play" : many(Number(now.points[seat]), "point")];
    facts.push(known(cards) ? many(cards.length, "card") : "hand not known");
    if (film.dealer === seat) facts.push("dealer");
    if (now.floating.includes(seat)) facts.push("floating");
    if (now.out === seat) facts.push("out");
    const shown = known(cards) ? (visible(seat) ? cards : "?".repeat(cards.length)) : "";
    const fresh = then && dealt && visible(seat) ? freshOf(shown, then.hands[seat]) : [];
    const words = shown ? (visible(seat) ? inWords(shown) : many(shown.length, "card")) : facts[1];
    return make("section", { class: `seat${acted ? " acted" : ""}`, "aria-label": `${player}${acted ? ", who acts" : ""}${moves ? ", next to move" : ""}` },
      make("div", { class: "who" },
        make("span", { class: `chip seat-${seat % 8}`, "aria-hidden": "true" }, initials()[seat]),
        make("b", {}, name(player), moves ? make("span", { class: "turn" }, " next") : null),
        make("small", {}, facts.join(" \u00b7 "))),
      row([...shown].map((card, index) => drawn(card, { fresh: fresh[index] })), `${player}\u2019s hand: ${words}`));
  }
  function drawStock(now) {
    const seen = view === "open" && known(now.stock) ? [...now.stock].slice(0, 3).filter((card) => card !== "?") : [];
    const count = known(now.stock) ? many(now.stock.length, "card") : "not known";
    const next = seen.length ? `, next ${inWords(seen)}` : "";
    const cards = known(now.stock) && !now.stock.length ? [] : [drawn("?"), ...seen.map((card) => drawn(card))];
    return make("section", {}, make("h3", {}, `Stock: ${count}`),
      make("div", { class: "stock" }, row(cards, `Stock: ${count}${next}`)));
  }
  function drawPile(now, then, taken, dealt) {
    const cards = known(now.pile) ? [...now.pile] : [];
    const stays = then && known(then.pile) ? then.pile.length - taken : cards.length;
    const gone = taken ? [...then.pile].slice(stays) : [];
    const fresh = cards.map((_, place) => dealt && then !== null && (taken ? place >= stays : place >= then.pile.length));
    const words = known(now.pile) ? `${many(cards.length, "card")}, bottom to top: ${inWords(cards)}` : "not known";
    const took = taken ? `, ${many(taken, "card")} taken, down to ${face(gone[0]).words}: ${inWords(gone)}` : "";
    const drawnCards = cards.map((card, place) => drawn(card, { fresh: fresh[place] }));
    const ghosts = gone.map((card) => drawn(card, { ghost: true }));
    ghosts[0]?.classList.add("deepest");
    drawnCards.splice(stays, 0, ...ghosts);
    const title = known(now.pile) ? `Pile: ${many(cards.length, "card")}` : "Pile: not known";
    return make("section", { class: "pile" },
      make("h3", {}, title, taken ? ` \u00b7 ${many(taken, "card")} taken` : null),
      drawnCards.length ? row(drawnCards, `Pile: ${words}${took}`) : make("p", { class: "empty" }, "no card"));
  }
  function drawMelds(film, now, then) {
    const melds = now.melds.filter((meld) => meld.cards.length);
    return make("section", { class: "band" }, make("h3", {}, "Melds"),
      melds.length ? make("div", { class: "melds" }, melds.map((meld) => drawMeld(film, meld, then)))
        : make("p", { class: "empty" }, "None is laid yet."));
  }
  function drawMeld(film, meld, then) {
    const old = then && then.melds[meld.number - 1];
    const key = ({ card, role, seat }) => `${card}${role}${seat}`;
    const left = old ? old.cards.map(key) : [];
    const cards = meld.cards.map((one) => {
      const place = left.indexOf(key(one));
      if (place >= 0) left.splice(place, 1);
      return drawn(one.card, { role: one.role, owner: one.seat, fresh: then !== null && place < 0 });
    });
    const owners = [...new Set(meld.cards.map((one) => one.seat))];
    const words = meld.cards.map(({ card, role, seat }) =>
      `${face(card).words}${role === card ? "" : ` as ${face(role).words}`} by ${film.players[seat]}`).join(", ");
    return make("figure", { class: `meld${meld.none ? " none" : ""}` },
      row(cards, `Meld ${meld.number}${meld.none ? ", which is none" : ""}: ${words}`),
      make("figcaption", {}, `m${meld.number} \u00b7 `, owners.map((seat, place) => [place ? ", " : "", name(film.players[seat])]),
        meld.none ? " \u00b7 no meld" : ""));
  }

  // --- lines ------------------------------------------------------------------------------------------------------
  const anchor = (logAt, handAt) => $(`log=${logAt + 1}&hand=${handAt + 1}`);
  function lines() {
    const film = hand();
    film.lines ??= anchor(at.log, at.hand).querySelector("pre").textContent.split("\n");
    return film.lines;
  }
  /** A line as it may be seen: from one player's place, what others drew or were dealt is hidden. */
  function seen(line) {
    if (view === "open") return line;
    const film = hand();
    const own = view === "hidden" ? null : film.players[Number(view)];
    const bare = (word) => word.trim().replace(/^\d+\.\s*/, "").replace(/^"|"$/g, "");
    if (/^\s*stock\s/.test(line)) return "stock \u2026";
    const deal = /^(\s*deal\s+)("[^"]*"|\S+)/.exec(line);
    if (deal) return bare(deal[2]) === own ? line : `${deal[0]} \u2026`;
    const turn = TURN.exec(line);
    if (!turn || bare(turn[1].slice(0, -1)) === own) return line;
    return turn[1] + turn[2].replace(/\bdraw [A2-9TJQK]\w/g, "draw ?");
  }
  /** A line in three: what names somebody, where cards are, and a remark. */
  function parts(line) {
    const [, said, remark] = /^((?:"[^"]*"|[^"#{])*)(.*)$/.exec(line);
    const named = TURN.exec(said) || /^(\s*(?:deal|show|= hand|= score)\s+(?:"[^"]*"|\S+))(.*)$/.exec(said);
    if (named) return [named[1], named[2], remark];
    return /^\s*(?:(?:up|stock|cut)\b|=)/.test(said) ? ["", said, remark] : [said, "", remark];
  }
  const CARD = /\b(?:([A2-9TJQK])([cdhs])|(Jk))\b/g;
  /** A text with its cards as cards; those in `marked` are at fault. */
  function withCards(text, marked = new Set()) {
    const shown = [];
    let from = 0;
    for (const found of text.matchAll(CARD)) {
      const [written, rank, suit, joker] = found;
      const classes = `token ${joker ? "j" : suit}${marked.has(written) ? " fault" : ""}`;
      const words = joker ? "Jk" : (rank === "T" ? "10" : rank) + SIGNS[KINDS.indexOf(suit)];
      shown.push(text.slice(from, found.index), make("span", { class: classes }, words));
      from = found.index + written.length;
    }
    return [...shown, text.slice(from)];
  }
  /** The actions of a line with cards as cards. */
  function pretty(line, marked) {
    const [who, rest, remark] = parts(line);
    return [name(who), ...withCards(rest, marked), name(remark)];
  }
  /** Writes cards as cards in all that a finding says, as the board does. */
  function cardsIn(element) {
    element.classList.add("plain");
    const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walk.nextNode()) texts.push(walk.currentNode);
    for (const text of texts) {
      if (!text.parentNode.closest(".code, .rule, .more, .place") && text.data.search(CARD) >= 0) text.replaceWith(...withCards(text.data));
    }
    return element;
  }
  /** The seat of whoever acts in the line that is shown; -1 for nobody. */
  function actor() {
    const turn = TURN.exec((lines()[frame().line] || "").trim());
    const bare = turn ? turn[1].slice(0, -1).trim().replace(/^\d+\.\s*/, "").replace(/^"|"$/g, "") : null;
    return hand().players.indexOf(bare);
  }
  /** The cards that the findings at the line shown are about. */
  function faults() {
    const here = findingsAt(at.log, at.hand, at.frame);
    return new Set(here.flatMap((index) => log().faults[index].split(" ").filter(Boolean)));
  }
  /** The same as it is read aloud. */
  function spoken(line) {
    const [who, rest, remark] = parts(line.replace(/^\s*\d+\.\s*/, ""));
    const cards = rest.replace(CARD, (_, rank, suit, joker) =>
      (joker ? "joker" : `${RANKS["A23456789TJQK".indexOf(rank)]} of ${SUITS[KINDS.indexOf(suit)]}`));
    return `${who}${cards}${remark}`.trim();
  }
  function title() {
    const film = hand();
    const { turn, line } = frame();
    const place = film.game ? `Game ${film.game}, hand ${film.number}` : "Not played";
    return [place, turn === null ? `line ${film.first + line}` : `turn ${turn}`];
  }
  function drawLines() {
    const film = hand();
    const wrong = new Set(log().findings.filter(([one]) => one === at.hand).map(([, one]) => one));
    const texts = lines();
    fill($("lines"), frames(film).map((one, index) =>
      make("li", {}, make("a", { href: link(at.log, at.hand, index), class: wrong.has(index) ? "wrong" : null, tabindex: "-1" },
        make("span", { class: "at" }, String(film.first + one.line)),
        make("span", { class: "text plain" }, pretty(seen(texts[one.line] || "").trim()))))));
  }
  function markLine() {
    const list = $("lines");
    for (const old of list.querySelectorAll("[aria-current]")) {
      old.removeAttribute("aria-current");
      old.tabIndex = -1;
    }
    const current = list.children[at.frame]?.firstChild;
    if (!current) return;
    current.setAttribute("aria-current", "step");
    current.tabIndex = 0;
    const top = current.parentNode.offsetTop;
    if (top < list.scrollTop || top + current.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
  }

  // --- findings ---------------------------------------------------------------------------------------------------
  const findingsAt = (logAt, handAt, frameAt) =>
    LOGS[logAt].findings.flatMap(([inHand, inFrame], index) => (inHand === handAt && inFrame === frameAt ? [index] : []));
  const item = (index) => $(`finding-${at.log + 1}-${index}`);
  function copy(element) {
    const twin = element.cloneNode(true);
    for (const one of [twin, ...twin.querySelectorAll("[id]")]) one.removeAttribute("id");
    return twin;
  }
  /** A finding as it may be seen: what it tells of a covered hand, by its line and by moves, is left out. */
  function covered(finding) {
    if (view === "open" || visible(actor())) return finding;
    for (const one of finding.querySelectorAll(".legal, .repaired")) one.remove();
    const excerpt = finding.querySelector(".excerpt");
    if (excerpt?.textContent.startsWith("\u2026")) excerpt.remove();
    else if (excerpt) excerpt.textContent = seen(excerpt.textContent.trim());
    return finding;
  }
  function drawFindings() {
    const found = findingsAt(at.log, at.hand, at.frame);
    fill($("here"), (found.length ? found.map((index) => cardsIn(covered(copy(item(index)))))
      : [make("p", { class: "none-here" }, log().findings.length ? "Nothing was found at this line." : "No findings in this log.")]
        .map((text) => make("li", { class: "nothing" }, text))));
    const [first] = found;
    $("reason").hidden = first === undefined;
    $("reason").replaceChildren(...(first === undefined ? [] : withCards(item(first).querySelector(".what").textContent)));
    const places = log().findings;
    $("others").hidden = !places.length;
    $("others").firstElementChild.textContent = `All ${places.length} of this log`;
    if ($("others").open) listFindings();
  }
  function listFindings() {
    if ($("all").dataset.log === String(at.log)) return;
    $("all").dataset.log = String(at.log);
    fill($("all"), log().findings.map(([inHand, inFrame], index) => {
      const code = item(index).querySelector(".code").textContent;
      const place = item(index).querySelector(".place").textContent;
      return make("li", {}, make("a", { href: link(at.log, inHand, inFrame) }, code), ` ${place}`);
    }));
  }
  /** Goes to the next place with a finding, or to the one before; round from the last to the first. */
  function jump(step) {
    const order = (place) => place[0] * 1e12 + place[1] * 1e6 + place[2];
    const places = LOGS.flatMap((one, logAt) => one.findings.map(([inHand, inFrame]) => [logAt, inHand, inFrame]))
      .filter(([logAt]) => LOGS[logAt].hands.length).sort((one, other) => order(one) - order(other));
    if (!places.length) return say("Nothing was found.");
    const here = order([at.log, at.hand, at.frame]);
    const next = step > 0 ? places.find((place) => order(place) > here) || places[0]
      : places.findLast((place) => order(place) < here) || places[places.length - 1];
    return go(...next);
  }

  // --- scores and points --------------------------------------------------------------------------------------------
  function drawScores() {
    const game = hand().game;
    const sheets = [...$(`log=${at.log + 1}`).querySelectorAll(".wide")];
    const sheet = sheets.find((one) => one.dataset.game === String(game));
    $("sheet").hidden = !sheet;
    $("scores").replaceChildren(...(sheet ? [copy(sheet)] : []));
    for (const one of $("scores").querySelectorAll("tbody tr")) {
      const current = one.dataset.hand === String(at.hand);
      one.classList.toggle("current", current);
      if (current) one.parentNode.parentNode.parentNode.scrollTop = one.offsetTop - 120;
      one.addEventListener("click", () => go(at.log, Number(one.dataset.hand), Infinity));
    }
  }
  /** What is played: the game, its options and house rules, and what counts in this hand alone. */
  function drawAbout() {
    const film = hand();
    const about = $(`log=${at.log + 1}`).querySelector(`.about[data-game="${film.game}"]`);
    $("about").replaceChildren(...(about ? [copy(about)] : []));
    const list = $("about").firstElementChild;
    for (const [key, value] of [["Contract", film.contract], ["Wild", film.wild]]) {
      if (list && value) list.append(make("div", {}, make("dt", {}, key), make("dd", {}, value)));
    }
    for (const one of $("about").querySelectorAll("a.booklet")) one.addEventListener("click", openBooklet);
  }
  function openBooklet(event) {
    event.preventDefault();
    const booklet = $(event.currentTarget.getAttribute("href").slice(1));
    booklet.open = true;
    booklet.scrollIntoView();
    booklet.firstElementChild.focus();
  }
  function chart(names, rows, words, current, caption, across, { target = null, chosen = () => {} } = {}) {
    const stride = Math.ceil(words.length / 1000); // more points than that are not told apart
    const kept = words.map((_, place) => place).filter((place) => place % stride === 0 || place === words.length - 1);
    const series = rows.map((row) => kept.map((place) => row[place]));
    const labels = kept.map((place) => words[place]);
    const cursor = kept.findLastIndex((place) => place <= current);
    const width = Math.max(280, Math.min(640, $("charts").clientWidth || 560));
    const [height, left, right, top, bottom] = [width > 420 ? 220 : 180, 36, 80, 12, 26];
    const values = series.flat().filter((value) => value !== null);
    const low = values.reduce((least, value) => Math.min(least, value), 0);
    const high = values.reduce((most, value) => Math.max(most, value), 1);
    const span = high - low;
    const step = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10000].find((one) => span / one <= 5) || span / 4;
    const x = (place) => left + (width - left - right) * (labels.length > 1 ? place / (labels.length - 1) : 0);
    const y = (value) => height - bottom - ((height - top - bottom) * (value - low)) / span;
    const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
    const ends = names.map((one, index) => `${one} ${series[index][series[index].length - 1] ?? "not known"}`).join(", ");
    picture.setAttribute("aria-label", `${caption}; at the end ${ends}`);
    for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) {
      picture.append(svg("line", { x1: left, x2: width - right, y1: y(tick), y2: y(tick), class: tick ? "axis" : "zero" }),
        svg("text", { x: left - 6, y: y(tick) + 4, "text-anchor": "end", class: "tick" }, String(tick)));
    }
    if (target !== null && target <= high) {
      picture.append(svg("line", { x1: left, x2: width - right, y1: y(target), y2: y(target), class: "target" }),
        svg("text", { x: left + 4, y: y(target) - 4, class: "tick" }, `to ${target}`));
    }
    picture.addEventListener("click", (event) => {
      const box = picture.getBoundingClientRect();
      const along = (((event.clientX - box.left) / box.width) * width - left) / (width - left - right);
      chosen(kept[clamp(Math.round(along * (labels.length - 1)), labels.length - 1)]);
    });
    const every = [1, 2, 5].flatMap((one) => [1, 10, 100, 1e3, 1e4, 1e5].map((ten) => one * ten)).sort((one, other) => one - other)
      .find((one) => words.length / one <= width / 45);
    const marks = (label) => Math.floor(Number(label || 0) / every);
    labels.forEach((label, place) => {
      if (label !== "" && marks(label) > marks(labels[place - 1]) && x(place) < width - right - 4) picture.append(svg("text", { x: x(place), y: height - 8, "text-anchor": "middle", class: "tick" }, label));
    });
    picture.append(svg("text", { x: width - right + 8, y: height - 8, class: "tick" }, across));
    if (cursor >= 0) picture.append(svg("line", { x1: x(cursor), x2: x(cursor), y1: top, y2: height - bottom, class: "cursor" }));
    const tags = series.map((row, seat) => ({ seat, y: y(row[row.length - 1] ?? 0) + 4 })).sort((one, other) => one.y - other.y);
    tags.forEach((tag, place) => { if (place) tag.y = Math.max(tag.y, tags[place - 1].y + 13); });
    series.forEach((row, seat) => {
      let path = "";
      row.forEach((value, place) => {
        if (value !== null) path += `${path ? "L" : "M"}${x(place).toFixed(1)} ${y(value).toFixed(1)}`;
      });
      picture.append(svg("path", { d: path || "M0 0", class: `line-${seat % 8}` }));
      if (cursor >= 0 && row[cursor] !== null && row[cursor] !== undefined) {
        picture.append(svg("circle", { cx: x(cursor), cy: y(row[cursor]), r: 3.5, class: `line-${seat % 8}`, fill: "none", "stroke-width": 2 }));
      }
    });
    for (const tag of tags) {
      const short = [...names[tag.seat]];
      picture.append(svg("text", { x: width - right + 8, y: tag.y }, short.length > 11 ? `${short.slice(0, 10).join("")}\u2026` : names[tag.seat]));
    }
    return make("figure", {}, make("figcaption", {}, caption), picture);
  }
  function drawCharts() {
    const film = hand();
    const all = frames(film);
    const last = all.findLastIndex((one) => one.turn !== null);
    const first = all.findIndex((one) => one.turn !== null);
    const turns = first < 0 ? [] : all.map((_, place) => place)
      .filter((place) => place >= first - 1 && place <= last && all[place].state.length && !all[place].blank);
    const charts = [];
    if (turns.length > 1) {
      film.points ??= turns.map((place) => points(all[place].state));
      const rows = film.players.map((_, seat) => film.points.map((row) => row[seat] ?? 0));
      const labels = turns.map((place) => (all[place].turn === null ? "" : String(all[place].turn)));
      const cursor = turns.findLastIndex((place) => place <= at.frame);
      charts.push(chart(film.players, rows, labels, cursor, "Points on the table in this hand, turn by turn", "turn",
        { chosen: (place) => go(at.log, at.hand, turns[place]) }));
    }
    const hands = log().hands.map((one, index) => ({ one, index })).filter(({ one }) => one.game === film.game && one.totals.length);
    if (hands.length > 1) {
      const rows = film.sides.map((_, side) => [0, ...hands.map(({ one }) => one.totals[side])]);
      const cursor = hands.findIndex(({ index }) => index === at.hand) + 1;
      charts.push(chart(film.sides, rows, ["", ...hands.map(({ one }) => String(one.number))], cursor || -1, "Totals of the game, hand by hand", "hand",
        { target: film.target, chosen: (place) => go(at.log, hands[Math.max(place - 1, 0)].index, Infinity) }));
    }
    $("charts").replaceChildren(...(charts.length ? charts : [make("p", { class: "none-here" }, "There are no points to draw.")]));
  }

  // --- where we are -----------------------------------------------------------------------------------------------
  /** The frame to begin a hand with: all is dealt, and nobody has acted. */
  function start(film) {
    const all = frames(film);
    const first = all.findIndex((one) => one.turn !== null);
    return first > 0 ? first - 1 : first === 0 ? 0 : clamp(all.findIndex((one) => !one.blank), all.length - 1);
  }
  function link(logAt, handAt, frameAt) {
    const film = LOGS[logAt].hands[handAt];
    const { turn, line, opens } = frames(film)[frameAt];
    return `#log=${logAt + 1}&hand=${handAt + 1}${opens ? `&turn=${turn}` : `&line=${film.first + line}`}`;
  }
  /** Where a log opens: at its first finding, else at its first hand that was dealt. */
  function opening(logAt) {
    const { findings, hands } = LOGS[logAt];
    if (findings.length) return [logAt, ...[...findings].sort((one, other) => one[0] - other[0] || one[1] - other[1])[0]];
    const dealt = Math.max(hands.findIndex((one) => one.game), 0);
    return [logAt, dealt, start(hands[dealt])];
  }
  function fromLink() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const number = (key) => (/^\d+$/.test(asked.get(key) || "") ? Number(asked.get(key)) : null);
    const logAt = clamp((number("log") ?? 1) - 1, LOGS.length - 1);
    const hands = LOGS[logAt].hands;
    if (!hands.length) return [logAt, 0, 0];
    if (!asked.size) return opening(logAt);
    const line = number("line");
    const byLine = line === null || number("hand") !== null ? -1 : hands.findLastIndex((one) => one.first <= line);
    const handAt = byLine >= 0 ? byLine : clamp((number("hand") ?? 1) - 1, hands.length - 1);
    const film = hands[handAt];
    const all = frames(film);
    const turn = number("turn");
    let frameAt = -1;
    if (turn !== null) {
      frameAt = all.findIndex((one) => one.turn === turn);
      if (frameAt < 0 && turn > 0) frameAt = all.findLastIndex((one) => one.turn !== null && one.turn < turn);
    } else if (line !== null) frameAt = all.findIndex((one) => film.first + one.line >= line);
    return [logAt, handAt, frameAt < 0 ? start(film) : frameAt];
  }
  const drawnFor = {};
  function go(logAt, handAt, frameAt, { quietly = false } = {}) {
    const another = drawnFor.log !== logAt || drawnFor.hand !== handAt || drawnFor.view !== view;
    Object.assign(at, { log: logAt, hand: handAt });
    $("viewer").hidden = !log().hands.length;
    for (const one of document.querySelectorAll("#reading > .log")) one.classList.toggle("current", one.id === `log=${logAt + 1}`);
    $("reading").hidden = Boolean(log().hands.length);
    for (const [index, one] of [...document.querySelectorAll("#index tbody tr")].entries()) {
      one.classList.toggle("current", index === logAt);
      if (index === logAt) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
    if (!log().hands.length) return say(`${log().name}: nothing in it could be played`);
    at.frame = clamp(frameAt, frames(hand()).length - 1);
    if (drawnFor.log !== logAt) listHands();
    if (another) {
      listViews();
      drawLines();
      drawScores();
      drawAbout();
      Object.assign(drawnFor, { log: logAt, hand: handAt, view });
    }
    $("hand").value = String(handAt);
    $("slide").max = String(frames(hand()).length - 1);
    $("slide").value = String(at.frame);
    const text = seen(lines()[frame().line] || "").trim();
    $("slide").setAttribute("aria-valuetext", `${title()[1]}: ${spoken(text)}`);
    $("where").replaceChildren(LOGS.length > 1 ? name(`${log().name}: `) : "", title().join(", "));
    $("said").replaceChildren(make("span", { class: "plain" }, pretty(text, faults())));
    drawTable();
    drawFindings();
    if (!quietly) reveal();
    drawCharts();
    markLine();
    const total = LOGS.reduce((sum, one) => sum + one.findings.length, 0);
    $("count").textContent = total ? `(${total})` : "";
    const atStart = at.frame === 0 && at.hand === 0 && at.log === 0;
    const atEnd = at.log === LOGS.length - 1 && at.hand === log().hands.length - 1 && at.frame === frames(hand()).length - 1;
    for (const [id, end] of [["back", atStart], ["forward", atEnd]]) $(id).setAttribute("aria-disabled", String(end));
    if (quietly) return undefined;
    const wrong = findingsAt(at.log, at.hand, at.frame).map((index) => item(index).querySelector(".what").textContent);
    const place = another ? title().join(", ") : title()[1];
    say([`${place[0].toUpperCase()}${place.slice(1)}. ${spoken(text)}.`, wrong.length ? `${many(wrong.length, "finding")}. ${wrong.join(". ")}` : ""].join(" ").trim());
    try {
      history.replaceState(null, "", link(at.log, at.hand, at.frame));
    } catch {
      // Some viewers of attachments let nobody change an address; the page works without.
    }
    return undefined;
  }
  /** Brings all cards that have just come, or gone, above the bar with the buttons, which lies over a narrow page. */
  function reveal() {
    const floor = document.querySelector(".controls").getBoundingClientRect().top;
    const boxes = [...$("table").querySelectorAll(".new, .ghost")].map((one) => one.parentNode.getBoundingClientRect()); // which does not move
    if (!boxes.length || floor >= innerHeight) return;
    const [top, bottom] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
    if (bottom > floor) scrollBy({ top: bottom - floor + 6 });
    else if (top < 0) scrollBy({ top: top - 6 });
  }
  function say(text) {
    $("live").textContent = text;
  }
  /** One line on or back; over the end of a hand into the next one, and of a log into the next log. */
  function step(by) {
    if (!log().hands.length) return skip(by);
    const next = at.frame + by;
    if (next >= 0 && next < frames(hand()).length) return go(at.log, at.hand, next);
    return skip(by, by > 0 ? 0 : Infinity);
  }
  function skip(by, frameAt = null) {
    let [logAt, handAt] = [at.log, at.hand + by];
    while (handAt < 0 || handAt >= LOGS[logAt].hands.length) {
      logAt += by;
      if (logAt < 0 || logAt >= LOGS.length) return say(by > 0 ? "This is the end." : "This is the beginning.");
      handAt = by > 0 ? 0 : LOGS[logAt].hands.length - 1;
    }
    return go(logAt, handAt, frameAt ?? start(LOGS[logAt].hands[handAt]));
  }
  function listHands() {
    const count = log().hands.map(() => 0);
    for (const [one] of log().findings) count[one] += 1;
    const games = new Set(log().hands.map((one) => one.game)).size > 1;
    fill($("hand"), log().hands.map((one, index) => make("option", { value: index },
      `${one.game ? `${games ? `Game ${one.game}, hand` : "Hand"} ${one.number}` : "Not played"}${count[index] ? ` \u2013 ${many(count[index], "finding")}` : ""}`)));
  }
  function listViews() {
    const players = hand().players;
    if (!["open", "hidden"].includes(view) && Number(view) >= players.length) view = "open";
    $("view").replaceChildren(make("option", { value: "open" }, "open"), make("option", { value: "hidden" }, "hidden"),
      ...players.map((player, seat) => make("option", { value: seat }, `as ${player} sees them`)));
    $("view").value = view;
  }
  function look(as) {
    view = as;
    go(at.log, at.hand, at.frame);
  }
  function lookNext() {
    const options = [...$("view").options].map((one) => one.value);
    look(options[(options.indexOf(view) + 1) % options.length]);
    say(`Hands: ${$("view").selectedOptions[0].textContent}`);
  }

  // --- light and dark ---------------------------------------------------------------------------------------------
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  function paint(theme) {
    if (theme) root.dataset.theme = theme;
    $("theme").setAttribute("aria-pressed", String(isDark()));
  }
  function swap() {
    paint(isDark() ? "light" : "dark");
    remember("meldref-theme", root.dataset.theme);
  }
  function remember(key, value) {
    try {
      localStorage.setItem(key, value);
    } catch {
      // Nothing can be kept here.
    }
  }

  // --- search -----------------------------------------------------------------------------------------------------
  function search() {
    const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const verdict = $("verdicts").value;
    const rows = [...document.querySelectorAll("#index tbody tr")];
    let found = 0;
    for (const one of rows) {
      const text = one.textContent.toLowerCase();
      one.hidden = !words.every((word) => text.includes(word)) || (verdict !== "" && !one.querySelector(`.verdict.${verdict}`));
      found += one.hidden ? 0 : 1;
    }
    $("matches").textContent = words.length || verdict ? `${found} of ${rows.length}` : "";
  }

  // --- taking a place along -----------------------------------------------------------------------------------------
  async function copied(button, write) {
    const words = button.textContent;
    try {
      await write();
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not allowed here";
    }
    setTimeout(() => { button.textContent = words; }, 2000);
  }
  const copyLink = () => copied($("copy-link"), () =>
    navigator.clipboard.writeText(location.href.replace(/#.*/s, "") + link(at.log, at.hand, at.frame)));
  const copyPicture = () => copied($("copy-picture"), async () => {
    const image = await pictureOf(table(hand(), frame().state));
    await navigator.clipboard.write([new ClipboardItem({ "image/png": image })]);
  });
  /** The table as a picture, with the hands as they are shown. */
  async function pictureOf(now) {
    const [wide, step, high] = [760, 27, 60];
    const rows = hand().players.map((player, seat) => [`${player}  ${now.points[seat]}`,
      known(now.hands[seat]) ? [...now.hands[seat]].map((card) => [visible(seat) ? card : "?"]) : []]);
    rows.push(["pile", known(now.pile) ? [...now.pile].slice(-20).map((card) => [card]) : []]);
    for (const meld of now.melds) if (meld.cards.length) rows.push([`m${meld.number}`, meld.cards.map(({ card, role }) => [card, role])]);
    const style = getComputedStyle(document.documentElement);
    const picture = svg("svg", { xmlns: "http://www.w3.org/2000/svg", width: wide, height: rows.length * high + 12, viewBox: `0 0 ${wide} ${rows.length * high + 12}`, "font-family": "sans-serif" },
      document.querySelector(".sprite svg").cloneNode(true), svg("rect", { width: "100%", height: "100%", rx: 10, fill: style.getPropertyValue("--cloth-2") }));
    rows.forEach(([words, cards], place) => {
      const y = place * high + 10;
      picture.append(svg("text", { x: 14, y: y + 28, fill: "#fff", "font-size": 14 }, [...words].slice(0, 18).join("")));
      cards.forEach(([card, role = card], index) => {
        const suit = suitOf(card);
        const x = 160 + (index * Math.min(step, (wide - 210) / Math.max(cards.length, 1)));
        picture.append(svg("rect", { x, y, width: 34, height: 48, rx: 3, fill: "#fffdf6", stroke: "#8d8778", "stroke-width": 0.5 }),
          svg("use", { href: faceOf(card), x, y, width: 34, height: 48, color: suit ? style.getPropertyValue(`--suit-${suit}`) : "#fff" }));
        if (role !== card) picture.append(svg("text", { x: x + 3, y: y + 45, fill: style.getPropertyValue("--suit-k"), "font-size": 12, "font-weight": 700 }, `=${face(role).rank}`));
      });
    });
    const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" }));
    try {
      const image = new Image();
      image.src = url;
      await image.decode();
      const canvas = make("canvas", { width: wide * 2, height: (rows.length * high + 12) * 2 });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      return await new Promise((done) => { canvas.toBlob(done, "image/png"); });
    } finally {
      URL.revokeObjectURL(url);
    }
  }
  let touched = null;
  function swiped({ changedTouches: [end] }) {
    if (!touched) return;
    const [along, down] = [end.clientX - touched.clientX, end.clientY - touched.clientY];
    if (Math.abs(along) > 60 && Math.abs(along) > 2 * Math.abs(down)) step(along < 0 ? 1 : -1);
    touched = null;
  }

  // --- beginning --------------------------------------------------------------------------------------------------
  const KEYS = {
    ArrowRight: () => step(1), ArrowLeft: () => step(-1),
    Home: () => go(at.log, at.hand, 0), End: () => go(at.log, at.hand, Infinity),
    n: () => jump(1), p: () => jump(-1), v: lookNext, d: swap, "/": () => $("search").focus(),
  };
  function pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const typing = event.target.closest("input, select, textarea");
    if (typing && !(typing.id === "slide" && event.key.length === 1)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = event.shiftKey && key.startsWith("Arrow") ? { ArrowRight: () => skip(1), ArrowLeft: () => skip(-1) }[key] : KEYS[key];
    if (!action || (key === "/" && LOGS.length < 2)) return;
    if (key.length === 1 && !$("letters").checked) return;
    event.preventDefault();
    action();
  }
  function begin() {
    if (!LOGS.length) return;
    $("tools").hidden = false;
    $("finder").hidden = LOGS.length < 2;
    document.querySelector("#index .wide").hidden = LOGS.length < 2;
    for (const [id, action] of Object.entries({
      first: KEYS.Home, back: KEYS.ArrowLeft, forward: KEYS.ArrowRight, last: KEYS.End, next: KEYS.n, theme: swap,
      "copy-link": copyLink, "copy-picture": copyPicture,
    })) $(id).addEventListener("click", action);
    $("slide").addEventListener("input", () => go(at.log, at.hand, Number($("slide").value)));
    $("hand").addEventListener("change", () => go(at.log, Number($("hand").value), start(log().hands[Number($("hand").value)])));
    $("view").addEventListener("change", () => look($("view").value));
    $("others").addEventListener("toggle", listFindings);
    $("search").addEventListener("input", search);
    $("verdicts").addEventListener("change", search);
    $("search").addEventListener("keydown", (event) => {
      if (event.key === "Enter") document.querySelector("#index tbody tr:not([hidden]) a")?.click();
    });
    $("table").addEventListener("touchstart", ({ touches }) => { touched = touches.length === 1 ? touches[0] : null; }, { passive: true });
    $("table").addEventListener("touchend", swiped, { passive: true });
    $("letters").addEventListener("change", () => remember("meldref-letters", $("letters").checked ? "on" : "off"));
    addEventListener("keydown", pressed);
    addEventListener("resize", drawCharts);
    addEventListener("hashchange", () => go(...fromLink()));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => paint());
    try {
      paint(localStorage.getItem("meldref-theme"));
      $("letters").checked = localStorage.getItem("meldref-letters") !== "off";
    } catch {
      paint();
    }
    go(...fromLink(), { quietly: true });
  }
  try {
    begin();
  } finally {
    $("reading").classList.remove("waiting");
  }
})();
