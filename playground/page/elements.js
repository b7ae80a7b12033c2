// Small parts that all views share.
function element(name, { text, on, ...given } = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== undefined) made.setAttribute(key, value);
  }
  if (text !== undefined) made.textContent = text;
  if (on) made.addEventListener("click", on);
  made.append(...children);
  return made;
}

// Draws an element anew. Where the focus was in it, it stays at the same place.
function redraw(host, ...children) {
  const stops = () => [...host.querySelectorAll("button, select, summary")];
  const at = stops().indexOf(document.activeElement);
  host.replaceChildren(...children);
  if (at >= 0) stops()[Math.min(at, stops().length - 1)]?.focus({ preventScroll: true });
}

// Makes the buttons of an element a group, which is one stop of the Tab key: arrows lead from one to another. Draws it anew.
function makeGroup(host) {
  const buttons = () => [...host.querySelectorAll("button")];
  const stopAt = (chosen) => buttons().forEach((one) => { one.tabIndex = one === chosen ? 0 : -1; });
  host.addEventListener("focusin", ({ target }) => stopAt(target));
  host.addEventListener("keydown", (event) => {
    const next = neighbour(buttons(), event.target, event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  return function draw(...children) {
    const at = Math.max(buttons().findIndex((one) => one.tabIndex === 0), 0);
    redraw(host, ...children);
    stopAt(buttons()[Math.min(at, buttons().length - 1)]);
  };
}

// The button to which an arrow leads: the one before or behind, or the nearest one of the row above or below.
function neighbour(buttons, from, key) {
  const at = buttons.indexOf(from);
  const along = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: buttons.length - 1 }[key];
  if (along !== undefined) return buttons[along];
  if (!["ArrowUp", "ArrowDown"].includes(key)) return undefined;
  const here = from.getBoundingClientRect();
  const away = (one) => {
    const box = one.getBoundingClientRect();
    const down = key === "ArrowDown" ? box.top - here.top : here.top - box.top;
    return down > here.height / 2 ? 1000 * down + Math.abs(box.left + box.right - here.left - here.right) : Infinity;
  };
  const [nearest] = [...buttons].sort((one, other) => away(one) - away(other));
  return away(nearest) < Infinity ? nearest : undefined;
}

const UNFINISHED = "not finished yet";

function tell(place, verdict, words) {
  place.className = `verdict ${verdict}`;
  place.textContent = words;
}

// What the library drew. It is parsed as a picture and nothing in it can run: scripts are taken out, and the
// page's policy allows none that it does not know.
function picture(place, svg) {
  place.replaceChildren();
  if (!svg) return;
  const drawn = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  drawn.querySelectorAll("script, foreignObject").forEach((bad) => bad.remove());
  place.append(document.importNode(drawn, true));
}

function findingItem(finding, show) {
  const word = finding.severity === "warning" ? "warning" : "line";
  return element("li", {}, element("button", {
    type: "button", text: `${word} ${finding.line}`, on: () => show?.(finding),
  }), ...findingParts(finding));
}

// What was found, the line it is about, the facts, and what its code means.
function findingParts({ heading, excerpt, column, end_column, facts, page }) {
  const characters = Array.from(excerpt);
  const [before, at, behind] = [[0, column - 1], [column - 1, end_column - 1], [end_column - 1]]
    .map((range) => characters.slice(...range).join(""));
  return [
    element("p", { class: "heading", text: heading }),
    ...(at ? [element("p", { class: "excerpt" }, before, element("mark", { text: at }), behind)] : []),
    element("ul", {}, ...facts.map((text) => element("li", { text }))),
    ...(page ? [element("details", {}, element("summary", { text: "What does this mean?" }),
      element("p", { text: page.means }), element("p", { text: `Why: ${page.why}` }))] : []),
  ];
}

function fillGames(game, option, rulesets) {
  const options = (type) => rulesets.filter((one) => one.type === type).map((one) => element("option", { value: one.id, text: one.name }));
  game.replaceChildren(...options("game"));
  game.value = "500-rummy";
  option.replaceChildren(element("option", { value: "", text: "none" }), ...options("option"));
}

const many = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

function download(name, text, type = "text/plain") {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = element("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function keep(name, text) {
  try { localStorage.setItem(`meldref.${name}`, text); } catch { /* a browser that keeps nothing */ }
}

function kept(name) {
  try { return localStorage.getItem(`meldref.${name}`); } catch { return null; }
}

// A link holds what was written in its fragment, which no browser sends to a server.
function packed(view, data) {
  const bytes = new TextEncoder().encode(JSON.stringify(data));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `${location.href.replace(/#.*/s, "")}#${view}=${text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
}

function unpacked(fragment) {
  const [, view, text] = /^#(log|rules|move)=([\w-]{1,200000})$/.exec(fragment) ?? [];
  if (!view) return null;
  try {
    const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
    const data = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return data && typeof data === "object" ? { view, data } : null;
  } catch {
    state("The link is damaged: nothing was taken from it.");
    return null;
  }
}

async function copy(button, text) {
  const name = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    location.hash = text.split("#")[1];
    button.textContent = "It is in the address bar";
  }
  setTimeout(() => { button.textContent = name; }, 2000);
}
