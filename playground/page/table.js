// A game on one device that is passed round: a hand is covered until the player whose turn it is says so.
function makeTable(rules) {
  let game = null;
  let seenBy = "";
  let last = ""; // what would be taken back

  const showMoves = makeGroup($("table-moves"));
  const composer = makeComposer($("table-words"), $("table-line"));
  const save = () => keep("table", JSON.stringify(game));

  async function sit(say = "", insist = false) {
    const told = await ask("sit", { ...game, rules: byRules(game.rules ?? ""), say, insist, seen_by: seenBy });
    const wrong = told.findings.filter((one) => one.severity === "error");
    if (say && told.written > 0) {
      game.lines = told.lines;
      save();
      if (told.mover !== seenBy) {
        seenBy = "";
        $("table-play").scrollIntoView();
        const covered = await sit();
        $("table-show").focus({ preventScroll: true });
        return covered;
      }
    }
    show(told, say, wrong);
    return told;
  }

  function show(told, say, wrong) {
    last = told.last;
    for (const button of document.querySelectorAll("[data-say]")) {
      button.hidden = button.dataset.say === "undo" ? !last : !told.possible.includes(button.dataset.say);
    }
    $("table-play").hidden = false;
    $("table-begin").open = false;
    picture($("table-picture"), told.svg);
    $("table-score").textContent = told.score;
    const mover = told.mover;
    $("table-show").hidden = !mover;
    $("table-show").textContent = seenBy ? "Hide my hand" : `I am ${mover}: show my hand`;
    $("table-show").onclick = () => {
      if (seenBy) $("table-line").value = ""; // what was tried names cards
      seenBy = seenBy ? "" : mover;
      sit();
    };
    if (wrong.length) {
      const verdict = told.unfinished ? "unfinished" : told.verdict;
      const why = { unfinished: UNFINISHED, unreadable: "that cannot be read" }[verdict] ?? "that is not legal";
      tell($("table-verdict"), verdict, told.written ? "written, and not legal" : `not written: ${why}`);
    } else if (say) {
      tell($("table-verdict"), "legal", told.written ? `written: ${told.told}` : "there is nothing to do here");
    } else {
      const before = last && `Last: ${last}. `;
      tell($("table-verdict"), "", mover ? `${before}It is ${mover}'s turn.${seenBy ? "" : " Pass the device."}` : "The hand is over.");
    }
    composer.show(told.words);
    $("table-why").replaceChildren(...told.findings.map((one) => element("div", { class: "why" }, ...findingParts(one))),
      ...(wrong.length && !told.written ? [element("button", { type: "button", text: "Write it all the same", on: () => sit(say, true) })] : []));
    showMoves(...told.moves.map((move) => element("li", {}, element("button", {
      type: "button", text: move, on: () => { $("table-line").value = move; $("table-line").focus(); },
    }))));
  }

  $("table-new").onsubmit = async (event) => {
    event.preventDefault();
    if (game && !confirm("The game under way is replaced. Download its log first if you want to keep it. Go on?")) return;
    const told = await ask("begin", {
      players: $("table-players").value.split(","), rules: byRules(rules(), $("table-game").value, $("table-option").value),
    });
    $("table-wrong").textContent = told.wrong.join("; ");
    if (!told.lines) return;
    game = { lines: told.lines, seed: crypto.getRandomValues(new Uint32Array(1))[0], rules: rules() };
    seenBy = "";
    save();
    await sit("deal");
    await sit();
  };
  const play = async () => {
    const told = await sit($("table-line").value.trim());
    if (told?.written !== 0) $("table-line").value = "";
  };
  $("table-say").onclick = play;
  $("table-line").addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); play(); } });
  document.querySelectorAll("[data-say]").forEach((button) => {
    button.onclick = () => {
      if (button.dataset.say === "undo" && !confirm(`Take back ${last}?`)) return;
      sit(button.dataset.say);
    };
  });
  $("table-save").onclick = () => game && download("log.rgn", game.lines.join("\n") + "\n");

  function games({ rulesets }) {
    fillGames($("table-game"), $("table-option"), rulesets);
  }

  function begin() {
    try {
      const last = JSON.parse(kept("table") ?? "null");
      if (!game && Array.isArray(last?.lines)) { game = last; sit(); }
    } catch { /* nothing to go on with */ }
  }

  return { games, begin };
}
