// A stored source file, for tests of its lifetime.
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createSourceStore } from "../files/file-source-store.ts";

/** Stores a text as a feed stores a file. Returns its SHA-256. */
export async function keepSource(directory: string, text: string): Promise<string> {
  const path = join(directory, randomUUID());
  await writeFile(path, text);
  return (await createSourceStore({ directory }).put(path)).sha256;
}
