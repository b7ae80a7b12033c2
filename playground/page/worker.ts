// Runs the library off the page's own thread. Everything it loads lies beside it, or came with the page; no other host
// is asked. The interpreter starts from a snapshot of its memory in which the library is imported; where that cannot be
// had, or comes too slowly, it starts plainly.
import { begin } from "./start.ts";

interface Asked { id: number; question: string; given: object }
interface Lines { reply(message: string): string }

const lines: Promise<Lines> = begin();
lines.then(() => postMessage({ ready: true }), (error) => postMessage({ failed: String(error) }));

onmessage = async ({ data }: MessageEvent<Asked>) => {
  const { id, question, given } = data;
  if (id === undefined) return;
  try {
    const service = await lines;
    const { answer, error } = JSON.parse(service.reply(JSON.stringify({ id, question, arguments: given })));
    postMessage(error ? { id, failed: error.message } : { id, answer });
  } catch (error) {
    postMessage({ id, failed: String(error) });
  }
};
