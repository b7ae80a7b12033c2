// What a door is to the page.

export interface Door {
  /** Called each time that the door is opened, with what follows its name in the address. */
  open(rest: string): void;
}
/** Puts a door into its section, once, when it is opened for the first time. */
export type Mount = (root: HTMLElement) => Door;
