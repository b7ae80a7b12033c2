// What is dropped on the page, or opened with it, goes to the door that it belongs to.
import { type Given, takeDrops } from "./files.ts";
import { setHouse } from "./house.ts";
import { showLog } from "./log.ts";
import { showStandings } from "./standings.ts";

/** What kind of file it is, by its name and what it looks like: the referee reads it, and says if it is none of these. */
export function kindOf({ name, text }: Given): "rules" | "log" {
  if (/\.ya?ml$/i.test(name)) return "rules";
  if (/\.(rgn|log)$/i.test(name)) return "log";
  return /^\s*(id|name|extends|house_rules)\s*:/m.test(text) && !/^\s*\[/m.test(text) ? "rules" : "log";
}

/** Takes files into the page: rules and a log to their doors, several logs into standings. */
export function receive(files: Given[]): void {
  const rules = files.filter((file) => kindOf(file) === "rules");
  const logs = files.filter((file) => kindOf(file) === "log");
  if (rules[0]) setHouse(rules[0].text);
  if (logs.length > 1) void showStandings(logs);
  else if (logs[0]) showLog(logs[0].text);
  else if (rules[0]) location.hash = "#/rules";
}

/** Lets files be dropped anywhere. */
export const receiveDrops = (): void => takeDrops(receive);
