// The view of house rules.
function makeRules(changed) {
  let timer = 0;
  const check = latest($("rules-verdict"), async () => {
    if (!editor.text.trim()) {
      tell($("rules-verdict"), "", "");
      $("rules-findings").replaceChildren();
      $("rules-cases").replaceChildren();
      $("rules-page").hidden = true;
      return;
    }
    const told = await ask("check_rules", { text: editor.text });
    clearTimeout(timer);
    if (told.verdict !== "errors") timer = setTimeout(showRulebook, PAUSE);
    const count = told.findings.length;
    tell($("rules-verdict"), told.verdict, count ? many(count, "finding") : "these rules can be played");
    editor.mark(told.findings, "rules.yaml");
    redraw($("rules-findings"), ...told.findings.slice(0, 200).map(item));
    $("rules-cases").replaceChildren(...told.cases.map((one) => element("li", {
      class: one.passed ? "clean" : "errors", text: `${one.passed ? "passed" : "failed"}: ${one.name}`,
    }, ...(one.text ? [element("pre", { text: one.text })] : []))));
  });

  // The rulebook is as the rules were when they could be played; what has changed since then follows when one pauses.
  async function showRulebook() {
    const told = await ask("rulebook", { rules: byRules(editor.text) }).catch(() => ({}));
    if (!told.page) return;
    $("rules-page").hidden = false;
    $("rules-page").srcdoc = told.page;
  }

  function item(finding) {
    const made = findingItem(finding, editor.show);
    if (finding.edits.length) {
      made.append(element("button", {
        type: "button", text: "Fix this", on: () => editor.write(edited(editor.text, finding.edits)),
      }));
    }
    return made;
  }

  const editor = makeEditor(document.querySelector("[data-editor=rules]"), "Rules", {
    changed: (text) => { keep("rules", text); check(); changed(); },
    offer: async (before) => {
      const told = await ask("complete_rules", { before });
      return told.offers.map((one) => ({ ...one, from: told.from }));
    },
  });
  $("rules-save").onclick = () => download("rules.yaml", editor.text);
  $("rules-link").onclick = () => copy($("rules-link"), packed("rules", { rules: editor.text }));
  $("rules-clear").onclick = () => editor.write("");
  $("rules-complete").onclick = () => editor.complete();
  $("rules-open").onclick = () => $("rules-file").click();
  $("rules-file").onchange = async () => { const [file] = $("rules-file").files; if (file) editor.write(await file.text()); };
  $("rules-fix").onclick = async () => {
    const told = await ask("fix_rules", { text: editor.text }).catch(() => null);
    if (told) editor.write(told.text);
  };
  // A folder can also be dropped on its field.
  $("rules-logs").onchange = async () => {
    const chosen = [...$("rules-logs").files].filter((file) => /\.(rgn|txt)$/i.test(file.name));
    if (!chosen.length) {
      tell($("rules-verdict"), "errors", "there is no log (*.rgn) in this folder");
      return;
    }
    tell($("rules-verdict"), "", `Looking for the rules of ${many(chosen.length, "log")}…`);
    const logs = await Promise.all(chosen.map(async (file) => ({ name: file.name, text: await file.text() })));
    const told = await ask("infer", { logs }, 600_000).catch((error) => ({ wrong: error.message }));
    if (told.text) editor.write(told.text);
    else tell($("rules-verdict"), "errors", told.wrong ?? "no log here has a turn in it");
  };

  $("rules-compare").onclick = async () => {
    const shown = $("rules-differences");
    shown.hidden = false;
    shown.textContent = "Looking for a game that shows it…";
    const told = await ask("diff", { rules: byRules(editor.text), other: $("rules-other").value }, 30_000)
      .catch((error) => ({ text: error.message }));
    const example = told.example
      ? `\n\nLegal by ${told.example.legal_by === "rules" ? "rules.yaml" : $("rules-other").value}, and not by the other:\n\n${told.example.log}\n${[told.example.finding.heading, ...told.example.finding.facts].join("\n  ")}` : "";
    shown.textContent = told.text ? told.text + example : told.findings?.map((one) => one.heading).join("\n\n");
  };

  function wizard({ questions, recipes, rulesets }) {
    const games = rulesets.filter((one) => one.type === "game");
    const form = $("wizard-form");
    const field = (name, label, options) => element("p", {}, element("label", { text: `${label} ` },
      element("select", { name }, ...options.map((one) => element("option", { value: one.word, text: one.text })))));
    form.replaceChildren(
      element("p", {}, element("label", { text: "What do you call your game? " }, element("input", { name: "called", value: "Our house" }))),
      field("game", "Which game is yours nearest to?", games.map((one) => ({ word: one.id, text: one.name }))),
      ...questions.map((one) => one.answers.length
        ? field(`answer-${one.name}`, one.text, [{ word: "", text: "as in that game" }, ...one.answers])
        : element("p", {}, element("label", { text: `${one.text} ` }, element("input", { name: `answer-${one.name}`, inputmode: "numeric" })))),
      element("fieldset", {}, element("legend", { text: "Which of these do you play?" }), ...recipes.map((one) =>
        element("p", {}, element("label", {}, element("input", { type: "checkbox", name: "recipe", value: one.id }), ` ${one.text}`)))),
      element("p", {}, element("button", { type: "submit", class: "main", text: "Write the rules" })),
      element("p", { id: "wizard-wrong", class: "errors" }),
    );
    form.game.value = "500-rummy";
    form.onsubmit = async (event) => {
      event.preventDefault();
      const data = new FormData(form);
      const answers = Object.fromEntries([...data].filter(([key, value]) => key.startsWith("answer-") && value)
        .map(([key, value]) => [key.slice(7), value]));
      const told = await ask("new_rules", {
        game: data.get("game"), name: data.get("called"), answers, recipes: data.getAll("recipe"),
      });
      $("wizard-wrong").textContent = told.wrong.join("; ");
      if (told.text) { editor.write(told.text); $("wizard").open = false; }
    };
    $("rules-other").replaceChildren(...games.map((one) => element("option", { value: one.id, text: one.name })));
    $("rules-other").value = "500-rummy";
  }

  return { editor, wizard, take: (data) => { if (typeof data.rules === "string") editor.write(data.rules); } };
}
