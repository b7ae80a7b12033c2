// Small helpers: elements, icons, movement, sheets.
type Child = Node | string | null | undefined | false;
type Attribute = string | number | boolean | undefined;
interface Given {
  cls?: string;
  /** Markup that the page drew itself; whatever a person or a file said goes through `escape` first. */
  html?: string;
  text?: string;
  on?: Record<string, (event: any) => void>;
  [attribute: string]: Attribute | Record<string, (event: any) => void>;
}

export const $ = <E extends HTMLElement = HTMLElement>(selector: string, root: ParentNode = document): E => root.querySelector(selector) as E;
export const $$ = <E extends HTMLElement = HTMLElement>(selector: string, root: ParentNode = document): E[] => [...root.querySelectorAll<E>(selector)];

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, given: Given = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const { cls, html, text, on = {}, ...attributes } = given;
  const node = document.createElement(tag);
  if (tag === "button" && !("type" in attributes)) node.setAttribute("type", "button");
  if (cls) node.className = cls;
  if (html !== undefined) node.innerHTML = html;
  if (text !== undefined) node.textContent = text;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const [name, listener] of Object.entries(on)) node.addEventListener(name, listener);
  node.append(...children.filter((child): child is Node | string => Boolean(child)));
  return node;
}

/** Puts children in the place of others, unless they look the same: what is read out or has the focus stays. */
export function fill(box: HTMLElement, ...children: Child[]): void {
  const made = el("div", {}, ...children);
  if (made.innerHTML !== box.innerHTML) box.replaceChildren(...made.childNodes);
}

/** A table that may be wider than the page: it scrolls by itself, also by the keyboard. */
export function scrolling(label: string, table: HTMLElement): HTMLElement {
  return el("div", { cls: "sheet-box", role: "region", tabindex: "0", "aria-label": label }, table);
}

export const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
export const icon = (name: string): string => `<svg class="i" aria-hidden="true"><use href="#i-${name}"/></svg>`;
export const calm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Moves what is redrawn from where it was: first, last, invert, play. `from` says where new elements come from. */
export function flip(root: HTMLElement, redraw: () => void, from: Map<string, DOMRect> = new Map()): void {
  const first = new Map($$("[data-id]", root).map((node) => [node.dataset.id as string, node.getBoundingClientRect()]));
  for (const [id, rect] of from) first.set(id, rect);
  const focused = focusKey(root);
  redraw();
  if (focused) ($(focused, root) ?? $(".hand button.card", root))?.focus({ preventScroll: true });
  if (calm()) return;
  for (const node of $$("[data-id]", root)) {
    const before = first.get(node.dataset.id as string);
    if (before?.width) glide(node, before);
  }
}

function focusKey(root: HTMLElement): string | null {
  const active = document.activeElement;
  if (!(active instanceof HTMLElement) || !root.contains(active)) return null;
  const name = ["id", "zone", "zone-button", "stock", "seat"].find((key) => active.hasAttribute(`data-${key}`));
  return name ? `[data-${name}="${CSS.escape(active.getAttribute(`data-${name}`) ?? "")}"]` : null;
}

function glide(node: HTMLElement, before: DOMRect): void {
  const after = node.getBoundingClientRect();
  const dx = before.left + before.width / 2 - after.left - after.width / 2;
  const dy = before.top + before.height / 2 - after.top - after.height / 2;
  if (Math.abs(dx) + Math.abs(dy) < 2) return;
  const own = getComputedStyle(node).transform;
  const end = own === "none" ? "" : own;
  const start = `translate(${dx}px,${dy}px) scale(${before.width / (after.width || 1)}) ${end}`;
  node.animate(
    [{ transform: start, zIndex: 5 }, { transform: end || "none", zIndex: 5 }],
    { duration: Math.min(460, 190 + Math.hypot(dx, dy) * 0.6), easing: "cubic-bezier(.2,.9,.25,1.06)" },
  );
}

let opener: Element | null = null;

/** A sheet over the page: from below on a phone, in the middle of a desk. */
export function openSheet(title: string, body: HTMLElement, { cls = "", onClose }: { cls?: string; onClose?: () => void } = {}): HTMLDialogElement {
  closeSheet();
  opener = document.activeElement;
  const dialog = el("dialog", { cls: `sheet ${cls}`, "aria-label": title });
  const close = el("button", { cls: "quiet round", "aria-label": "Close", html: icon("close"), on: { click: () => dialog.close() } });
  dialog.append(el("div", { cls: "sheet-head" }, el("h2", { text: title }), close), body);
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => {
    dialog.remove();
    onClose?.();
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function closeSheet(): void {
  $<HTMLDialogElement>("dialog.sheet")?.close();
}

/** Lets the arrow keys go from one element to the next, among those of the nearest `data-arrows`. */
export function arrows(root: HTMLElement, selector: string): void {
  root.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    const target = event.target;
    if (!step || !(target instanceof HTMLElement) || !target.matches(selector)) return;
    const all = $$(selector, target.closest<HTMLElement>("[data-arrows]") ?? root);
    const next = all[all.indexOf(target) + step];
    if (!next) return;
    next.focus();
    event.preventDefault();
    event.stopPropagation();
  });
}

/** What was kept on this device under a name; null where nothing was, or nothing may be. */
export function kept(name: string): string | null {
  try { return localStorage.getItem(`meldref-${name}`); } catch { return null; }
}

/** Keeps a text on this device; whether it does: a browser may keep nothing, and none keeps many megabytes. */
export function keep(name: string, text: string): boolean {
  try {
    localStorage.setItem(`meldref-${name}`, text);
    return true;
  } catch {
    return false;
  }
}
