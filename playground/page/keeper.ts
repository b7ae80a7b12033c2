// Keeps the page for use without a network: a service worker has a copy of all that was loaded.
declare const SINGLE_FILE: boolean;

/** For how many milliseconds the first copy is waited for before the page calls itself ready. */
const LONGEST = 4000;
let copying: Promise<void> | null = null;

/** Begins to make the copy, once; the promise is kept when it is there, or cannot be had. */
export function keepACopy(): Promise<void> {
  copying ??= copy();
  return Promise.race([copying, new Promise<void>((done) => { setTimeout(done, LONGEST); })]);
}

async function copy(): Promise<void> {
  if (SINGLE_FILE || !("serviceWorker" in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register("sw.js");
    if (registration && !registration.active) await navigator.serviceWorker.ready;
  } catch { /* without it the page works, but not offline */ }
}
