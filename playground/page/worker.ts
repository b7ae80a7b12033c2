// Runs the library off the page's own thread. Everything it loads lies beside it, or came with the page; no other host
// is asked. The interpreter starts from a snapshot of its memory in which the library is imported; where that cannot be
// had, or comes too slowly, it starts plainly.
import { begin } from "./start.ts";

interface Asked { id: number; question: string; given: { encoded?: boolean } }

const answering = begin();
answering.then(() => postMessage({ ready: true }), (error) => postMessage({ failed: String(error) }));

onmessage = async ({ data }: MessageEvent<Asked>) => {
  const { id, question, given } = data;
  if (id === undefined) return;
  try {
    const { lines, addWorkbooks } = await answering;
    if (given.encoded) await addWorkbooks();
    const { answer, error } = JSON.parse(lines.reply(JSON.stringify({ id, question, arguments: given })));
    postMessage(error ? { id, failed: error.message } : { id, answer });
  } catch (error) {
    postMessage({ id, failed: String(error) });
  }
};
