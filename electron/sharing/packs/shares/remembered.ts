// State of sharing between runs, in two small files next to the packs: which events are shared, and where others came
// from. They contain no token.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { EventId, Instant } from "../../../../shared/contract/primitives.ts";
import { replaceFile } from "../../../platform/disk/replace-file.ts";
import { systemCode } from "../../../platform/disk/storage-error.ts";
import { createMutex } from "../../../platform/locks/mutex.ts";

const Share = z.strictObject({
  eventId: EventId,
  /** Null before the first push. */
  lastPushedAt: Instant.nullable(),
  /** Highest sequence of the shared copy; 0 before the first push. */
  pushedSequence: z.int().min(0),
});
export type Share = z.infer<typeof Share>;

const Source = z.strictObject({
  eventId: EventId,
  /** A pairing code. */
  address: z.string(),
  lastGotAt: Instant.nullable(),
});
export type Source = z.infer<typeof Source>;

/** A list of records, one an event. Reads its file once; a change is on disk when it resolves. */
export interface Remembered<Entry extends { readonly eventId: string }> {
  list(): Promise<readonly Entry[]>;
  find(eventId: string): Promise<Entry | undefined>;
  put(entry: Entry): Promise<void>;
  remove(eventId: string): Promise<void>;
}

export function rememberShares(directory: string): Remembered<Share> {
  return createRemembered(join(directory, "packs", "shares.json"), Share);
}

export function rememberSources(directory: string): Remembered<Source> {
  return createRemembered(join(directory, "packs", "sources.json"), Source);
}

function createRemembered<Entry extends { readonly eventId: string }>(
  file: string,
  schema: z.ZodType<Entry>,
): Remembered<Entry> {
  const File = z.strictObject({ schemaVersion: z.literal(1), entries: z.array(schema) });
  let loaded: Promise<Map<string, Entry>> | undefined;
  const mutex = createMutex();
  const read = async (): Promise<Map<string, Entry>> => {
    const text = await readFile(file, "utf8").catch((error: unknown) => {
      if (systemCode(error) === "ENOENT") return undefined;
      throw error;
    });
    const entries = text === undefined ? [] : File.parse(JSON.parse(text)).entries;
    return new Map(entries.map((entry) => [entry.eventId, entry]));
  };
  const load = (): Promise<Map<string, Entry>> => {
    loaded ??= read();
    // A repaired file is read at the next attempt.
    loaded.catch(() => (loaded = undefined));
    return loaded;
  };
  /** Applies one change at a time and writes the whole file. */
  const change = async (edit: (entries: Map<string, Entry>) => void): Promise<void> => {
    const entries = await load();
    await mutex(async () => {
      const next = new Map(entries);
      edit(next);
      const content = { schemaVersion: 1, entries: [...next.values()] };
      await replaceFile(file, `${JSON.stringify(content, null, 2)}\n`);
      edit(entries);
    });
  };
  return {
    list: async () => [...(await load()).values()],
    find: async (eventId) => (await load()).get(eventId),
    put: (entry) => change((entries) => entries.set(entry.eventId, entry)),
    remove: (eventId) => change((entries) => entries.delete(eventId)),
  };
}
