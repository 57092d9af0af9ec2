// One value kept in the browser's local storage, checked against its schema on the way in. Storage that is full, switched
// off or damaged costs the person nothing but the memory of the last visit.
import type * as z from "zod";

export interface StoredValue<T> {
  /** Undefined when nothing usable is stored. */
  load(): T | undefined;
  save(value: T): void;
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
      } catch {
        // Quota or privacy mode: the view works, it is only not remembered.
      }
    },
  };
}

/** Local storage, or undefined where the browser forbids even naming it. */
export function findLocalStorage(): KeyValueStorage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}
