// Cards under a finger: what is lifted follows it, places shine as their verdicts come, and what is refused glides back.
import type { Board, Lying } from "./board.ts";
import { $$, calm, el } from "./dom.ts";

/** What the table does with what is lifted and dropped. */
export interface Hands {
  /** Whether a card may be lifted now; a card of the pile comes with all that lie on it. */
  liftable(id: string, place: string): Lying[] | null;
  /** Cards were lifted: the places that take them are to shine. */
  lift(group: Lying[], fromPile: boolean): void;
  /** They were dropped on a place, or nowhere; whether they stay there. `before` is the card of the hand under the finger. */
  drop(group: Lying[], fromPile: boolean, zone: string | null, from: Map<string, DOMRect>, before: string | null): Promise<boolean>;
}
const FAR_ENOUGH = 7;
/** For how many milliseconds after a drag its click is not a tap. */
const NOT_A_TAP = 60;
let dragged = -Infinity;

export const justDragged = (): boolean => performance.now() - dragged < NOT_A_TAP;

/** Lets cards of a board be dragged. */
export function draggable(board: Board, hands: Hands): void {
  board.root.addEventListener("pointerdown", (event) => {
    const card = (event.target as HTMLElement).closest<HTMLElement>("button.card");
    const place = card?.dataset.place;
    if (!card || !place || event.button) return;
    const group = hands.liftable(card.dataset.id ?? "", place);
    if (group?.length) follow(event, card, group, place === "pile", board, hands);
  });
}

function follow(start: PointerEvent, card: HTMLElement, group: Lying[], fromPile: boolean, board: Board, hands: Hands): void {
  let drag: Lifted | null = null;
  const move = (event: PointerEvent): void => {
    if (!drag) {
      const [right, down] = [Math.abs(event.clientX - start.clientX), Math.abs(event.clientY - start.clientY)];
      if (Math.hypot(right, down) < FAR_ENOUGH) return;
      if (start.pointerType === "touch" && card.closest(".long") && right > down) return stop();
      drag = new Lifted(board, card, group, start);
      hands.lift(group, fromPile);
    }
    event.preventDefault();
    drag.to(event.clientX, event.clientY);
  };
  const stop = (): void => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
  };
  const end = async (event: PointerEvent): Promise<void> => {
    stop();
    if (!drag) return;
    dragged = performance.now();
    const at = event.type === "pointercancel" ? null : { x: event.clientX, y: event.clientY };
    const { zone, before, from } = drag.down(at);
    const stays = await hands.drop(group, fromPile, zone, from, before);
    if (stays) return;
    board.mark({ chosen: [], asked: null }, from);
    if (zone) for (const { id } of group) shake(board.card(id));
  };
  addEventListener("pointermove", move, { passive: false });
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

/** Cards in the air. The cards under the finger are not redrawn: a touch would be lost. */
class Lifted {
  private readonly layer = el("div", { cls: "drag" });
  private readonly nodes: HTMLElement[];
  private readonly copies: HTMLElement[];
  private readonly grip: { x: number; y: number };
  private over: HTMLElement | null = null;

  constructor(private readonly board: Board, card: HTMLElement, private readonly group: Lying[], start: PointerEvent) {
    for (const node of $$(".card.up", board.root)) node.classList.remove("up");
    this.nodes = group.map(({ id }) => board.card(id)).filter((node) => node !== null);
    const rect = card.getBoundingClientRect();
    const wide = card.offsetWidth;
    const lead = Math.max(0, this.nodes.indexOf(card));
    this.copies = this.nodes.map((node, at) => {
      const copy = node.cloneNode(true) as HTMLElement;
      copy.className = node.className.replace(/\b(up|must|hint)\b/g, "");
      copy.removeAttribute("data-id");
      copy.style.setProperty("width", `${wide}px`);
      copy.style.setProperty("left", `${(at - lead) * wide * 0.42}px`);
      copy.style.setProperty("--k", String(at - lead));
      this.layer.append(copy);
      node.classList.add("lifted");
      return copy;
    });
    this.grip = { x: Math.min(wide * 0.7, Math.max(wide * 0.3, start.clientX - rect.left)), y: card.offsetHeight * 0.62 };
    document.body.append(this.layer);
    board.root.classList.add("dragging");
  }

  to(x: number, y: number): void {
    this.layer.style.setProperty("transform", `translate(${x - this.grip.x}px,${y - this.grip.y}px)`);
    const now = this.zone(x, y);
    if (now === this.over) return;
    this.over?.classList.remove("over");
    now?.classList.add("over");
    this.over = now;
  }

  down(at: { x: number; y: number } | null): { zone: string | null; before: string | null; from: Map<string, DOMRect> } {
    this.over?.classList.remove("over");
    this.board.root.classList.remove("dragging");
    const from = new Map(this.group.map(({ id }, index) => [id, this.copies[index].getBoundingClientRect()]));
    this.layer.remove();
    for (const node of this.nodes) node.classList.remove("lifted");
    const target = at && this.zone(at.x, at.y);
    return { zone: target?.dataset.zone ?? null, before: at ? this.cardRightOf(at.x) : null, from };
  }

  private cardRightOf(x: number): string | null {
    const cards = $$(".hand .card", this.board.root).filter((node) => !this.nodes.includes(node));
    return cards.find((node) => node.getBoundingClientRect().left + node.offsetWidth / 2 > x)?.dataset.id ?? null;
  }

  private zone(x: number, y: number): HTMLElement | null {
    return $$("[data-zone]", this.board.root).find((node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect();
      const seen = node.closest(".melds")?.getBoundingClientRect();
      if (seen && (y < seen.top - 12 || y > seen.bottom + 12)) return false;
      return x > left - 10 && x < right + 10 && y > top - 12 && y < bottom + 12;
    }) ?? null;
  }
}

function shake(node: HTMLElement | null): void {
  if (!node || calm()) return;
  setTimeout(() => node.classList.add("refused"), 200);
}
