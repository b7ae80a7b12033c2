// Asks meldref from JavaScript: `node client.mjs`, where `meldref` is on the path.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export function startReferee(command = "meldref", ...words) {
  const process = spawn(command, [...words, "serve"], { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  let number = 0;
  createInterface({ input: process.stdout }).on("line", (line) => {
    const { id, answer, error } = JSON.parse(line);
    const { done, failed } = waiting.get(id);
    waiting.delete(id);
    if (error) failed(new Error(error.message));
    else done(answer);
  });
  process.on("error", (error) => waiting.forEach(({ failed }) => failed(error)));
  return {
    ask: (question, given = {}) => new Promise((done, failed) => {
      waiting.set(++number, { done, failed });
      process.stdin.write(`${JSON.stringify({ id: number, question, arguments: given })}\n`);
    }),
    end: () => process.stdin.end(),
  };
}

const referee = startReferee(...process.argv.slice(2));
let position = { players: ["Ann", "Bob"], hands: { Ann: "4d 9h 2h", Bob: "?*3" }, pile: "6s 4c Qs 4s 7h", stock: "?*30" };
for (const move of ["take 4c; discard 2h", "take 4c; meld 4c 4d 4s", "discard 2h", "draw ?; discard 5h"]) {
  const told = await referee.ask("legal", { position, move });
  console.log(`${move}: ${told.verdict}`);
  for (const finding of told.findings) console.log(`  ${finding.message}`);
  position = told.position ?? position;
}
const { moves } = await referee.ask("moves", { position });
console.log(moves.slice(0, 2).map((one) => one.move));
await referee.ask("legl").catch((error) => console.log(error.message));
referee.end();
