// One value in the browser's storage, checked against its schema on load. If the storage is full, disabled or
// damaged, the value is not remembered, and nothing else changes.
import type * as z from "zod";

export interface StoredValue<T> {
  /** Returns undefined if no valid value is stored. */
  load(): T | undefined;
  /** Returns true if the value is remembered. */
  save(value: T): boolean;
}

export type KeyValueStorage = Pick<Storage, "getItem" | "setItem">;

export function createStoredValue<T>(
  key: string,
  schema: z.ZodType<T>,
  storage: KeyValueStorage | undefined,
): StoredValue<T> {
  return {
    load: () => {
      try {
        const text = storage?.getItem(key);
        if (!text) return undefined;
        const parsed = schema.safeParse(JSON.parse(text));
        return parsed.success ? parsed.data : undefined;
      } catch {
        return undefined;
      }
    },
    save: (value) => {
      try {
        storage?.setItem(key, JSON.stringify(value));
        return storage !== undefined;
      } catch {
        // The storage is full or disabled.
        return false;
      }
    },
  };
}

/** Returns undefined if the browser denies access to the storage. */
export function findStorage(name: "localStorage" | "sessionStorage"): KeyValueStorage | undefined {
  try {
    return window[name];
  } catch {
    return undefined;
  }
}
