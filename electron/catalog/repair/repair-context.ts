// What every step of a repair works with: the catalog's connection, short transactions, and whom it tells.
import type { DatabaseSync } from "node:sqlite";
import type { DataDirectory } from "../files/data-directory.ts";
import { writeTransaction } from "../catalog-database.ts";
import type { Finding } from "../verify/findings.ts";
import type { FrameStore } from "../files/frame-store.ts";
import { prepare } from "../queries.ts";
import { repairStride } from "../snapshots.ts";
import type { StoredFiles } from "../files/stored-files.ts";

export interface RepairFinding extends Finding {
  /** What was done about it, as a sentence; null where it stays as it is. */
  readonly repaired: string | null;
}

/** What a source file holds, drawn as ingest draws it. */
export interface Redrawn {
  readonly png: Uint8Array;
  /** SHA-256 of the file as it was read, lower-case hexadecimal. */
  readonly sha256: string;
}

/** @throws AppError `source-invalid` for a file that cannot be read or drawn; the signal's reason */
export type Redraw = (path: string, signal: AbortSignal | undefined) => Promise<Redrawn>;

export interface RepairContext {
  readonly database: DatabaseSync;
  readonly folders: DataDirectory;
  readonly files: StoredFiles;
  readonly frames: FrameStore;
  readonly redraw: Redraw;
  readonly nowMs: number;
  readonly signal: AbortSignal | undefined;
  readonly tell: (finding: RepairFinding) => void;
  /** Runs `body` in a durable transaction of its own. @throws the signal's reason, before it begins */
  readonly commit: <Result>(body: () => Result) => Promise<Result>;
  /** To be called in a transaction that changes what was published: whoever keeps it in memory reads it again. */
  readonly noteRepair: () => void;
}

export type RepairMeans = Omit<RepairContext, "commit" | "noteRepair">;

export function createRepairContext(means: RepairMeans): RepairContext {
  const { database, signal } = means;
  return {
    ...means,
    noteRepair: () => {
      // Prepared when it is needed: the table may be damaged.
      prepare(database, `UPDATE catalog_state SET content_version = content_version + ${repairStride}`).run();
    },
    commit: async (body) => {
      signal?.throwIfAborted();
      // Others get their turn between two transactions.
      await new Promise(setImmediate);
      return writeTransaction(database, "durable", body);
    },
  };
}
