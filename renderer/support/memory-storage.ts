// Storage of a browser for tests, in memory.
import type { KeyValueStorage } from "../platform/stored-value.ts";

export function createMemory(
  entries: Record<string, string> = {},
): KeyValueStorage & { entries: Record<string, string> } {
  return {
    entries,
    getItem: (key) => entries[key] ?? null,
    setItem: (key, value) => {
      entries[key] = value;
    },
  };
}
