// The view of a log: findings while it is written, the game beside it.
const VERDICTS = {
  clean: "clean: every move and every score is right", violations: "violations", undecided: "undecided",
  unreadable: "unreadable",
};
const PAUSE = 400; // milliseconds without a key

function makeLog(rules) {
  const findings = $("log-findings");
  let typed = 0; // how often the log was changed: what is older is given up
  let timer = 0;
  const judge = latest($("log-verdict"), async () => {
    clearTimeout(timer);
    if (!editor.text.trim()) {
      tell($("log-verdict"), "", "");
      findings.replaceChildren();
      $("log-page").hidden = true;
      return;
    }
    // While one types, little effort goes into explaining; that and the page of the game follow when one pauses.
    const told = await draft(true);
    if (told) timer = setTimeout(() => lookCloser(told.rushed), PAUSE);
  });

  function judgeAnew() {
    typed += 1;
    judge();
  }

  // The hands that were changed are judged and underlined first, then those behind them.
  async function draft(hasty) {
    const now = typed;
    let told = await ask("draft", { log: editor.text, rules: byRules(rules()), hasty });
    while (!told.done && typed === now) {
      editor.mark(told.marks, "log.rgn", told.judged);
      told = await ask("draft");
    }
    if (typed !== now) return null;
    const words = told.errors ? many(told.errors, "violation") : VERDICTS[told.verdict];
    tell($("log-verdict"), told.verdict,
      `${words} (${many(told.hands, "hand")}, ${many(told.turns, "turn")})${told.rushed ? ": looking closer…" : ""}`);
    editor.mark(told.marks, "log.rgn");
    redraw(findings, ...told.findings.map(item),
      ...told.open.map((one) => element("li", { text: `line ${one.line}: undecided: ${one.what}` })));
    return told;
  }

  async function lookCloser(rushed) {
    const now = typed;
    try {
      if (rushed) await draft(false);
      const told = await film("look", () => typed === now);
      if (!told) return;
      $("log-page").hidden = false;
      $("log-page").srcdoc = told.page;
    } catch (error) {
      tell($("log-verdict"), "unusable", error.message);
    }
  }

  // The page of the game, for some purpose; it is made in steps, and null if it is not wanted any more.
  async function film(purpose, wanted) {
    let told = await ask("film", { purpose, log: editor.text, rules: byRules(rules()) });
    while (!told.done && wanted()) told = await ask("film", { purpose });
    return told.done && wanted() ? told : null;
  }

  function item(finding) {
    const made = findingItem(finding, editor.show);
    for (const move of finding.help) {
      const written = Array.from(editor.text.split("\n")[finding.line - 1] ?? "");
      const old = written.slice(finding.column - 1, finding.end_column - 1).join("");
      if (old && move.split(" ")[0] === old.split(" ")[0] && move !== old) {
        made.append(element("button", { type: "button", text: `Write ${move} instead`, on: () => {
          const { line, column, end_column } = finding;
          const lines = editor.text.split("\n");
          lines[line - 1] = [...written.slice(0, column - 1), move, ...written.slice(end_column - 1)].join("");
          editor.write(lines.join("\n"));
        } }));
      }
    }
    made.append(element("button", { type: "button", text: "Try a move here", on: () => tryHere(finding.line) }));
    return made;
  }

  async function tryHere(line) {
    const stands = await ask("position", { log: editor.text, line, rules: byRules(rules()) });
    if (stands.position) views.move.take({ position: stands.position });
    else tell($("log-verdict"), "unusable", stands.findings[0]?.message ?? "no hand is being played there");
  }

  // The report's page offers to try a move once it knows that it stands in the playground.
  $("log-page").addEventListener("load", () => $("log-page").contentWindow.postMessage("meldref-playground", "*"));
  addEventListener("message", ({ source, data }) => {
    if (source === $("log-page").contentWindow && Number.isInteger(data?.tryLine)) tryHere(data.tryLine);
  });

  const editor = makeEditor(document.querySelector("[data-editor=log]"), "Log", {
    changed: (text) => { keep("log", text); judgeAnew(); },
    offer: null,
  });
  $("log-tidy").onclick = async () => {
    const told = await ask("fmt", { log: editor.text }).catch(() => null);
    if (told?.text != null) editor.write(told.text);
    else if (told) tell($("log-verdict"), "unusable", "a line cannot be read: correct it first, so nothing is lost");
  };
  $("log-save").onclick = () => download("log.rgn", editor.text);
  $("log-report").onclick = async () => {
    const told = await film("save", () => true).catch(() => null);
    if (told) download("report.html", told.page, "text/html");
  };
  $("log-open").onclick = () => $("log-file").click();
  $("log-file").onchange = async () => { const [file] = $("log-file").files; if (file) editor.write(await file.text()); };
  $("log-example").onclick = () => editor.write(EXAMPLES.log);
  return { editor, judge: judgeAnew, take: (data) => { if (typeof data.log === "string") editor.write(data.log); } };
}
