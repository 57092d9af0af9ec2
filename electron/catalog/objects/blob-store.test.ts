// Blobs and frames over objects in a folder.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { createFolderObjectStore } from "./engines/folder-object-store.ts";
import type { ObjectStore } from "./object-store.ts";
import { testBlobStores } from "./support/blob-contract.ts";

let folder: string;
let objects: ObjectStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "echotop-blobs-"));
  objects = createFolderObjectStore({ folder });
});
afterAll(() => rm(folder, { recursive: true }));

testBlobStores(() => objects);
