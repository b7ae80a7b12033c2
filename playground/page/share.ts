// A link with what is shown, and a picture of it.

/** What is shared of the table. */
export interface Shared {
  /** The question or the verdict, as a sentence. */
  text: string;
  /** The position as the data of a position file; with it the link opens the same table. */
  position: object | null;
  /** The cloth, to draw the picture from. */
  board: HTMLElement;
}

/** Opens the sheet on which a link and a picture are shared. */
export function openShare(shared: Shared): void {
  void shared;
}
