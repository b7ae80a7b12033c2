// Points as they are written.

/** A number with a minus sign that is as wide as a plus. */
export const shown = (points: number): string => (points < 0 ? `−${-points}` : String(points));
/** A number with its sign. */
export const signed = (points: number): string => (points > 0 ? `+${points}` : shown(points));
