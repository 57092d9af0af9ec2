// A kept source file, for tests of what becomes of it.
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createSourceStore } from "../files/source-store.ts";

/** Keeps a text as a feed keeps a file. Returns its SHA-256. */
export async function keepSource(directory: string, text: string): Promise<string> {
  const path = join(directory, randomUUID());
  await writeFile(path, text);
  return (await createSourceStore({ directory }).put(path)).sha256;
}
