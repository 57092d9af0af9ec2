// Ids of request records: UUIDs of version 7 (RFC 9562, section 5.7), which sort by time, even within a millisecond.
import { randomBytes } from "node:crypto";

/** `nowMs` is the clock, in ms since 1970; ids rise even if it goes back. */
export function createRecordIds(nowMs: () => number): () => string {
  // Fixed per run: the counter makes ids of one millisecond distinct.
  const tail = randomBytes(8);
  tail[0] = (tail[0]! & 0x3f) | 0x80;
  const hex = tail.toString("hex");
  const run = `${hex.slice(0, 4)}-${hex.slice(4)}`;
  let lastMs = 0;
  let count = 0;
  return () => {
    const ms = nowMs();
    if (ms > lastMs) {
      lastMs = ms;
      count = 0;
    } else if (count < 0xfff) count += 1;
    else {
      lastMs += 1;
      count = 0;
    }
    const time = lastMs.toString(16).padStart(12, "0");
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, "0")}-${run}`;
  };
}
