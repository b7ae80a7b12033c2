// What is dropped on the page, or opened with it, goes to the door that it belongs to.
import { el, openSheet } from "./dom.ts";
import { type Given, takeDrops } from "./files.ts";
import { replaceHouse } from "./house.ts";
import { showLog } from "./log.ts";
import { ask } from "./referee.ts";
import { showStandings } from "./standings.ts";

/** What a file became, as the service says. */
interface Taken {
  kind: "log" | "sheet" | "events" | "unreadable";
  log: string | null;
  doubts: { line: number; text: string }[];
  why: string;
}

/** Whether a file is one of rules, by its name and what it looks like. */
function isRules({ name, text, encoded }: Given): boolean {
  return !encoded && (/\.ya?ml$/i.test(name) || (/^\s*(extends|house_rules)\s*:/m.test(text) && !/^\s*\[/m.test(text)));
}

/** Takes files into the page: rules and one log to their doors, several logs and score sheets into standings. */
export async function receive(given: Given[]): Promise<void> {
  const isEmpty = ({ text }: Given): boolean => text.trim() === "";
  const files = given.filter((file) => !isEmpty(file));
  const rules = files.find(isRules);
  const others = files.filter((file) => !isRules(file));
  if (rules) replaceHouse(rules.text);
  if (rules && others.length === 0) location.hash = "#/rules";
  const taken = await Promise.all(others.map(async (file) => ({ file, told: await ask<Taken>("take_in", { ...file }) })));
  const empty = given.filter(isEmpty).map(({ name }) => `${name}: there is nothing in this file`);
  const doubts = [...empty, ...taken.flatMap(({ file, told }) => [...(told.why ? [`${file.name}: ${told.why}`] : []), ...told.doubts.map(({ line, text }) => `${file.name}, line ${line}: ${text}`)])];
  const logs = taken.flatMap(({ file, told }) => (told.log === null ? [] : [{ name: file.name, text: told.log, kind: told.kind }]));
  if (logs.length > 1 || logs[0]?.kind === "sheet") await showStandings(logs, doubts);
  else {
    if (logs[0]) showLog(logs[0].text);
    if (doubts.length) openSheet("About this file", el("ul", { cls: "open-list" }, ...doubts.map((text) => el("li", { text }))), { cls: "side-sheet" });
  }
}

/** Lets files be dropped anywhere. */
export const receiveDrops = (): void => takeDrops((files) => void receive(files));
