// Durations in words.

const unitsMs: readonly (readonly [name: string, ms: number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
];

/** Returns the two largest units: "under a second", "about 3 s", "about 2 d 4 h". */
export function durationWords(ms: number): string {
  const largest = unitsMs.findIndex(([, unitMs]) => ms >= unitMs);
  const parts: string[] = [];
  let restMs = ms;
  for (const [name, unitMs] of largest < 0 ? [] : unitsMs.slice(largest, largest + 2)) {
    const count = Math.floor(restMs / unitMs);
    restMs -= count * unitMs;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return parts.length === 0 ? "under a second" : `about ${parts.join(" ")}`;
}
