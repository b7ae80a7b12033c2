// Cards that are counted one by one: on the table, where some count differently by their place, or in the hand.

/** What the rules say of a card; keys as the service has them. */
export interface Value {
  card: string;
  copies: number;
  laid: number[];
  held: number;
}
/** Where a card is counted: on the table, by one of its values there, or in the hand. */
export type Counted = { place: "laid"; as: number } | { place: "held" };

/** The sum of what was tapped; each copy of a card is counted for itself. */
export function totalOf(cards: Value[], counted: Map<string, Counted>): number {
  const sum = (value: Value) => idsOf(value).reduce((points, id) => points + pointsOf(value, counted.get(id)), 0);
  return cards.reduce((points, value) => points + sum(value), 0);
}

/** A name for each copy of a card. */
export const idsOf = ({ card, copies }: Value): string[] => Array.from({ length: copies }, (_, copy) => `${card} ${copy}`);

/** What a card brings as it is counted. */
export function pointsOf(value: Value, counted: Counted | undefined): number {
  if (counted === undefined) return 0;
  return counted.place === "held" ? value.held : (value.laid[counted.as] ?? 0);
}

/** The next state of a card that is tapped: counted, counted otherwise, not counted. */
export function tapped({ laid }: Value, counted: Counted | undefined, place: "laid" | "held"): Counted | undefined {
  if (counted?.place !== place) return place === "held" ? { place } : { place, as: 0 };
  return counted.place === "laid" && counted.as + 1 < laid.length ? { place: "laid", as: counted.as + 1 } : undefined;
}
