// Shared by all repair steps: the catalog's connection, short transactions, and reporting.
import type { DatabaseSync } from "node:sqlite";
import type { DataDirectory } from "../files/data-directory.ts";
import { writeTransaction } from "../sqlite/catalog-database.ts";
import type { Finding } from "../verify/findings.ts";
import type { FrameStore } from "../files/frame-store.ts";
import { repairStride } from "../sqlite/reading/snapshots.ts";
import type { StoredFiles } from "../files/stored-files.ts";
import { createPrepare, type Prepare } from "../sqlite/queries.ts";

export interface RepairFinding extends Finding {
  /** Result of the repair, in a sentence; null if the problem remains. */
  readonly repaired: string | null;
}

/** A frame rendered from a source file, as ingest renders it. */
export interface Redrawn {
  readonly png: Uint8Array;
  /** SHA-256 of the file as read, lower-case hexadecimal. */
  readonly sha256: string;
}

/** @throws AppError `source-invalid` if the file cannot be read or rendered; the signal's reason */
export type Redraw = (path: string, signal: AbortSignal | undefined) => Promise<Redrawn>;

export interface RepairContext {
  readonly prepare: Prepare;
  readonly folders: DataDirectory;
  readonly files: StoredFiles;
  readonly frames: FrameStore;
  readonly redraw: Redraw;
  readonly nowMs: number;
  readonly signal: AbortSignal | undefined;
  readonly report: (finding: RepairFinding) => void;
  /** Runs `body` in its own durable transaction. @throws the signal's reason before it begins */
  readonly commit: <Result>(body: () => Result) => Promise<Result>;
  /** Makes all processes reload published content. Call it in each transaction that changes some. */
  readonly noteRepair: () => void;
}

export function createRepairContext(
  database: DatabaseSync,
  means: Omit<RepairContext, "prepare" | "commit" | "noteRepair">,
): RepairContext {
  const prepare = createPrepare(database);
  return {
    ...means,
    prepare,
    noteRepair: () => {
      // Prepared late, because the table may be damaged.
      prepare(`UPDATE catalog_state SET content_version = content_version + ${repairStride}`).run();
    },
    commit: async (body) => {
      means.signal?.throwIfAborted();
      // Yields to the event loop between transactions.
      await new Promise(setImmediate);
      return writeTransaction(database, "durable", body);
    },
  };
}
