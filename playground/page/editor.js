// A field for text whose faults are underlined while it is written: a text area over a copy that has the marks.
function makeEditor(host, label, { changed, offer }) {
  const back = element("pre", { "aria-hidden": "true" });
  const area = element("textarea", {
    "aria-label": label, spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
  });
  const offers = element("ul", { class: "offers", "aria-label": "What may follow", hidden: true });
  host.append(back, area, offers);
  let marks = [];
  let painted = []; // for each line its text, its marks and its element

  // Only lines that changed are painted again.
  function paint() {
    const byLine = new Map();
    for (const mark of marks) byLine.set(mark.line, [...(byLine.get(mark.line) ?? []), mark]);
    const wanted = area.value.split("\n").map((text, index) => ({ text, marks: byLine.get(index + 1) ?? [] }));
    const [first, last] = alike(painted, wanted, (old, now) => old.text === now.text && old.marks.length === now.marks.length
      && old.marks.every((mark, at) => mark.column === now.marks[at].column && mark.end_column === now.marks[at].end_column
        && mark.severity === now.marks[at].severity));
    const after = painted[painted.length - last]?.drawn ?? null;
    for (const gone of painted.slice(first, painted.length - last)) gone.drawn.remove();
    painted = wanted.map((line, index) => {
      if (index < first) return painted[index];
      const fromEnd = wanted.length - index;
      return fromEnd <= last ? painted[painted.length - fromEnd] : { ...line, drawn: drawn(line) };
    });
    const fresh = document.createDocumentFragment();
    for (const line of painted.slice(first, painted.length - last)) fresh.append(line.drawn);
    back.insertBefore(fresh, after);
  }

  function drawn({ text, marks }) {
    const line = element("div");
    const characters = Array.from(text);
    let at = 0;
    for (const { from, to, severity } of marks.map((mark) => range(mark, characters.length)).sort((a, b) => a.from - b.from)) {
      if (from < at) continue;
      line.append(characters.slice(at, from).join(""),
        element("mark", { class: severity, text: characters.slice(from, to).join("") }));
      at = to;
    }
    line.append(characters.slice(at).join("") + "\n");
    return line;
  }

  // Marks stay with their lines until the next verdict; those of lines that were changed go.
  function moveMarks() {
    const before = painted.map((line) => line.text);
    const now = area.value.split("\n");
    const [first, last] = alike(before, now, (old, line) => old === line);
    const by = now.length - before.length;
    marks = marks.flatMap((mark) => (mark.line <= first ? [mark]
      : mark.line > before.length - last ? [{ ...mark, line: mark.line + by }] : []));
  }

  // A finding that is about no place of its line is about the whole line.
  function range(mark, length) {
    const whole = mark.end_column <= mark.column;
    return {
      from: whole ? 0 : Math.min(mark.column - 1, length),
      to: whole ? length : Math.min(mark.end_column - 1, length),
      severity: mark.severity,
    };
  }

  function scroll() {
    back.scrollTop = area.scrollTop;
    back.scrollLeft = area.scrollLeft;
  }

  function show({ line, column }) {
    const before = area.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    area.focus();
    area.setSelectionRange(before + Math.max(column - 1, 0), before + Math.max(column - 1, 0));
    const height = parseFloat(getComputedStyle(area).lineHeight) || 20;
    area.scrollTop = Math.max(0, (line - 6) * height);
  }

  function insert(from, text) {
    const at = area.selectionStart;
    area.setRangeText(text, at - from.length, at, "end");
    area.dispatchEvent(new Event("input"));
  }

  const showOffers = makeGroup(offers);
  const complete = latest(offers, async () => {
    const list = (await offer(area.value.slice(0, area.selectionStart)).catch(() => [])).slice(0, 40);
    offers.hidden = !list.length;
    showOffers(...list.map((one) => element("li", {}, element("button", {
      type: "button", text: one.about ? `${one.text.trim()}  ${one.about}` : one.text.trim(),
      on: () => { insert(one.from, one.text); offers.hidden = true; area.focus(); },
    }))));
  });

  area.addEventListener("input", () => { moveMarks(); offers.hidden = true; paint(); changed(area.value); });
  area.addEventListener("scroll", scroll);
  area.addEventListener("keydown", (event) => {
    const asks = offer && event.ctrlKey && event.key === " ";
    const chooses = event.key === "ArrowDown" && !offers.hidden;
    if (!asks && !chooses) return;
    event.preventDefault();
    if (asks) complete();
    else offers.querySelector("button").focus();
  });
  host.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || offers.hidden) return;
    offers.hidden = true;
    area.focus();
  });
  host.addEventListener("dragover", (event) => event.preventDefault());
  host.addEventListener("drop", async (event) => {
    const file = event.dataTransfer?.files?.[0];
    if (!file) return;
    event.preventDefault();
    write(await file.text());
  });

  function write(text) {
    area.value = text;
    area.dispatchEvent(new Event("input"));
  }

  return {
    area, show, write, complete,
    get text() { return area.value; },
    // Marks what was found in lines up to some line; behind it, all stays as it was.
    mark(findings, file, upTo = Infinity) {
      marks = [...findings.filter((one) => !one.file || one.file === file), ...marks.filter((one) => one.line > upTo)];
      paint();
    },
  };
}

// How many items two lists have alike at their beginnings, and how many of the rest at their ends.
function alike(one, other, same) {
  const most = Math.min(one.length, other.length);
  let first = 0;
  while (first < most && same(one[first], other[first])) first += 1;
  let last = 0;
  while (last < most - first && same(one[one.length - 1 - last], other[other.length - 1 - last])) last += 1;
  return [first, last];
}

// Edits as findings carry them: lines and columns from 1, the end exclusive.
function edited(text, edits) {
  const lines = text.split("\n");
  const place = (line, column) => lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
  const last = [...edits].sort((a, b) => b.line - a.line || b.column - a.column);
  for (const { line, column, end_line, end_column, text: added } of last) {
    text = text.slice(0, place(line, column)) + added + text.slice(place(end_line, end_column));
  }
  return text;
}
