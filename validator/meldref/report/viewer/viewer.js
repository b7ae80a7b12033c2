"use strict";
// Plays the games of a report. What the table looks like after each line was worked out by the referee and stands in
// #data; what was found, the lines of the logs and the score sheets stand in #reading. Nothing here knows a rule.
(() => {
  const $ = (id) => document.getElementById(id);
  const LOGS = JSON.parse($("data").textContent).logs;
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
    element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
    return element;
  }
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
    film.made = film.frames.split("|").map((text) => {
      const [head, ...edits] = text.split(" ");
      const [, where, turn, taken, blank] = /^(?:(\d+):)?(\d*)(?:\/(\d+))?(!?)$/.exec(head);
      line = where === undefined ? line + 1 : Number(where);
      const before = state;
      state = edits.length ? state.slice() : state;
      for (const edit of edits) change(state, edit);
      return { line, turn: turn ? Number(turn) : null, taken: Number(taken || 0), blank: Boolean(blank), state, before };
    });
    return film.made;
  }
  function change(state, edit) {
    let place = 0;
    const number = () => {
      if (edit[place] !== "~") return DIGITS.indexOf(edit[place++]);
      place += 3;
      return DIGITS.indexOf(edit[place - 2]) * DIGITS.length + DIGITS.indexOf(edit[place - 1]);
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
      mover: DIGITS.indexOf(state[0][0]), ending: Number(state[0][1]),
      floating: [...state[0].slice(2)].map((seat) => DIGITS.indexOf(seat)),
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
  function drawn(letter, { role = letter, owner = null, fresh = false, ghost = false } = {}) {
    const { rank, sign, kind } = face(letter);
    const card = make("span", { class: `card${letter === "?" ? " back" : ""}${fresh ? " new" : ""}${ghost ? " ghost" : ""}` },
      make("span", { class: `corner ${kind}` }, rank, make("i", {}, sign)));
    if (role !== letter) {
      const as = face(role);
      card.append(make("span", { class: "role" }, `=${as.rank}${as.sign}`));
    } else if (letter !== "?") card.append(make("span", { class: `pip ${kind}` }, sign));
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
    const facts = [now.points[seat] === "" ? "does not play" : many(Number(now.points[seat]), "point")];
    facts.push(known(cards) ? many(cards.length, "card") : "hand not known");
    if (film.dealer === seat) facts.push("dealer");
    if (now.floating.includes(seat)) facts.push("floating");
    const shown = known(cards) ? (visible(seat) ? cards : "?".repeat(cards.length)) : "";
    const fresh = then && dealt && visible(seat) ? freshOf(shown, then.hands[seat]) : [];
    const words = shown ? (visible(seat) ? inWords(shown) : many(shown.length, "card")) : facts[1];
    return make("section", { class: `seat${moves ? " moves" : ""}`, "aria-label": `${player}${moves ? ", to move" : ""}` },
      make("div", { class: "who" },
        make("span", { class: `chip seat-${seat % 8}`, "aria-hidden": "true" }, initials()[seat]),
        make("b", {}, name(player), moves ? make("span", { class: "turn" }, " \u25c0\ufe0e") : null),
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
    drawnCards.splice(stays, 0, ...gone.map((card) => drawn(card, { ghost: true })));
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
  /** The actions of a line with cards as cards. */
  function pretty(line) {
    const [who, rest, remark] = parts(line);
    const shown = [name(who)];
    let from = 0;
    for (const found of rest.matchAll(CARD)) {
      const suit = KINDS.indexOf(found[2]);
      shown.push(rest.slice(from, found.index), found[3] ? make("span", { class: "token j" }, "Jk")
        : make("span", { class: `token ${found[2]}` }, (found[1] === "T" ? "10" : found[1]) + SIGNS[suit]));
      from = found.index + found[0].length;
    }
    return [...shown, rest.slice(from), name(remark)];
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
    $("lines").replaceChildren(...frames(film).map((one, index) =>
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
  function drawFindings() {
    const found = findingsAt(at.log, at.hand, at.frame);
    $("here").replaceChildren(...(found.length ? found.map((index) => copy(item(index)))
      : [make("p", { class: "none-here" }, log().findings.length ? "Nothing was found at this line." : "Nothing is wrong in this log.")]
        .map((text) => make("li", { class: "nothing" }, text))));
    const places = log().findings;
    $("others").hidden = !places.length;
    $("others").firstElementChild.textContent = `All ${places.length} of this log`;
    if ($("others").open) listFindings();
  }
  function listFindings() {
    if ($("all").dataset.log === String(at.log)) return;
    $("all").dataset.log = String(at.log);
    $("all").replaceChildren(...log().findings.map(([inHand, inFrame], index) => {
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
    }
  }
  function chart(names, series, labels, cursor, caption, across) {
    const width = Math.max(280, Math.min(640, $("charts").clientWidth || 560));
    const [height, left, right, top, bottom] = [width > 420 ? 220 : 180, 36, 80, 12, 26];
    const values = series.flat().filter((value) => value !== null);
    const low = Math.min(0, ...values);
    const high = Math.max(1, ...values);
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
    const every = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((one) => labels.length / one <= width / 45);
    labels.forEach((label, place) => {
      if (label !== "" && Number(label) % every === 0 && label !== labels[place - 1] && x(place) < width - right - 4) picture.append(svg("text", { x: x(place), y: height - 8, "text-anchor": "middle", class: "tick" }, label));
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
      const rows = film.players.map((_, seat) => turns.map((place) => points(all[place].state)[seat] ?? 0));
      const labels = turns.map((place) => (all[place].turn === null ? "" : String(all[place].turn)));
      const cursor = turns.findLastIndex((place) => place <= at.frame);
      charts.push(chart(film.players, rows, labels, cursor, "Points on the table in this hand, turn by turn", "turn"));
    }
    const hands = log().hands.map((one, index) => ({ one, index })).filter(({ one }) => one.game === film.game && one.totals.length);
    if (hands.length > 1) {
      const rows = film.sides.map((_, side) => [0, ...hands.map(({ one }) => one.totals[side])]);
      const cursor = hands.findIndex(({ index }) => index === at.hand) + 1;
      charts.push(chart(film.sides, rows, ["", ...hands.map(({ one }) => String(one.number))], cursor || -1, "Totals of the game, hand by hand", "hand"));
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
    const { turn, line } = frames(film)[frameAt];
    const own = turn !== null && frames(film).findIndex((one) => one.turn === turn) === frameAt;
    return `#log=${logAt + 1}&hand=${handAt + 1}${own ? `&turn=${turn}` : `&line=${film.first + line}`}`;
  }
  function fromLink() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const number = (key) => (/^\d+$/.test(asked.get(key) || "") ? Number(asked.get(key)) : null);
    const logAt = clamp((number("log") ?? 1) - 1, LOGS.length - 1);
    const hands = LOGS[logAt].hands;
    if (!hands.length) return [logAt, 0, 0];
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
      Object.assign(drawnFor, { log: logAt, hand: handAt, view });
    }
    $("hand").value = String(handAt);
    $("slide").max = String(frames(hand()).length - 1);
    $("slide").value = String(at.frame);
    const text = seen(lines()[frame().line] || "").trim();
    $("slide").setAttribute("aria-valuetext", `${title()[1]}: ${spoken(text)}`);
    $("where").replaceChildren(LOGS.length > 1 ? name(`${log().name}: `) : "", title().join(", "));
    $("said").replaceChildren(make("span", { class: "plain" }, pretty(text)));
    drawTable();
    drawFindings();
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
    $("hand").replaceChildren(...log().hands.map((one, index) => make("option", { value: index },
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
    try {
      localStorage.setItem("meldref-theme", root.dataset.theme);
    } catch {
      // Nothing can be kept here.
    }
  }

  // --- search -----------------------------------------------------------------------------------------------------
  function search() {
    const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = [...document.querySelectorAll("#index tbody tr")];
    let found = 0;
    for (const one of rows) {
      const text = one.textContent.toLowerCase();
      one.hidden = !words.every((word) => text.includes(word));
      found += one.hidden ? 0 : 1;
    }
    $("matches").textContent = words.length ? `${found} of ${rows.length}` : "";
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
    })) $(id).addEventListener("click", action);
    $("slide").addEventListener("input", () => go(at.log, at.hand, Number($("slide").value)));
    $("hand").addEventListener("change", () => go(at.log, Number($("hand").value), start(log().hands[Number($("hand").value)])));
    $("view").addEventListener("change", () => look($("view").value));
    $("others").addEventListener("toggle", listFindings);
    $("search").addEventListener("input", search);
    addEventListener("keydown", pressed);
    addEventListener("resize", drawCharts);
    addEventListener("hashchange", () => go(...fromLink()));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => paint());
    try {
      paint(localStorage.getItem("meldref-theme"));
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
