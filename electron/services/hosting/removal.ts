// Removing repositories: the row first, the folder after it, and at the next start whatever a crash has left of either.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../../shared/app-error.ts";
import { syncFolder } from "../../platform/disk/sync-folder.ts";
import { moveFolder, removeFolder } from "./folders.ts";
import { folderOf, stagedFolderOf } from "./hosting-layout.ts";
import type { Store } from "./hosting-store.ts";

/**
 * Removes the folders of a repository whose row is gone. What the disk refuses (a file held open on Windows) is said in the log
 * and tried again at the next start.
 */
export async function removeFolders(store: Store, id: string): Promise<void> {
  const { layout, repositories, beforeRemoval, atStep, log } = store;
  try {
    await beforeRemoval(id);
    const gone = join(layout.stagingFolder, `${id}.gone`);
    // A move is one step: nobody meets a repository of which half is removed.
    await moveFolder(folderOf(layout, id), gone);
    atStep("moved out");
    await removeFolder(gone);
    await removeFolder(stagedFolderOf(layout, id));
    await syncFolder(layout.stagingFolder);
    atStep("folder removed");
    repositories.forgetCondemned(id);
  } catch (error) {
    log("warn", "The folder of a deleted repository is still there; the next start removes it", {
      id,
      reason: messageOf(error),
    });
  }
}

/**
 * Finishes what a crash has left: half-made repositories go, deletions end, staging is emptied. Git processes of an earlier host
 * must have ended before.
 */
export async function sweep(store: Store): Promise<void> {
  const { layout, repositories } = store;
  store.transaction(() => {
    // Their makers never had an answer, so nobody holds a token for them.
    for (const id of repositories.listUnfinished()) repositories.condemn(id, store.nowMs());
  });
  for (const name of await readdir(layout.stagingFolder)) {
    await removeFolder(join(layout.stagingFolder, name));
  }
  for (const id of repositories.listCondemned()) await removeFolders(store, id);
  await reportStrays(store);
}

/**
 * A folder without a row, or a row without a folder, is no crash's doing, as rows come before folders and go before them: an old
 * database was put back, or somebody moved folders. Both are left as they are, and said.
 */
async function reportStrays({ layout, repositories, log }: Store): Promise<void> {
  const present = new Set(await readdir(layout.gitFolder));
  for (const id of repositories.listCondemned()) present.delete(`${id}.git`);
  for (const id of repositories.listIds()) {
    if (!present.delete(`${id}.git`)) log("error", "The folder of a repository is missing", { id });
  }
  for (const name of present) log("warn", "A folder belongs to no repository", { name });
}
