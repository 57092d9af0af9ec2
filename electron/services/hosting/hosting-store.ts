// Shared by all parts of hosting: the tables over one connection, the folders, the clock and the log.
import type { DatabaseSync } from "node:sqlite";
import type { Log } from "../../platform/effects.ts";
import { setDurability, transact, type Durability } from "../../platform/sqlite/transact.ts";
import { createAuditTable } from "./audit-table.ts";
import type { RepositoryLayout } from "./repository-folders.ts";
import { createNamespaceTable, createRepositoryTable } from "./repository-table.ts";
import { createTokenTable } from "./repository-tokens.ts";

/** Points at which a crash would leave something behind. */
export type LifecycleStep =
  | "row written"
  | "filled"
  | "synced"
  | "moved in"
  | "row removed"
  | "moved out"
  | "folder removed";

export interface StoreOptions {
  readonly now: () => Date;
  readonly log: Log;
  /** Ends the work in the folder of a deleted repository; the folder is removed when it resolves. */
  readonly beforeRemoval?: ((id: string) => Promise<void>) | undefined;
  /** Called with the id of a token that has been revoked. */
  readonly onRevoked?: ((tokenId: string) => void) | undefined;
  /** Called between the steps of creating and deleting a repository: tests inspect or interrupt them. */
  readonly atStep?: ((step: LifecycleStep) => void) | undefined;
}

export function createStore(database: DatabaseSync, layout: RepositoryLayout, options: StoreOptions) {
  const { now, log, beforeRemoval = () => Promise.resolve() } = options;
  const { onRevoked = () => undefined, atStep = () => undefined } = options;
  return {
    layout,
    log,
    beforeRemoval,
    onRevoked,
    atStep,
    repositories: createRepositoryTable(database),
    namespaces: createNamespaceTable(database),
    tokens: createTokenTable(database),
    audit: createAuditTable(database),
    /** Milliseconds since 1970. */
    nowMs: (): number => now().getTime(),
    transaction: <Result>(body: () => Result, durability: Durability = "durable"): Result => {
      setDurability(database, durability);
      return transact(database, body);
    },
  };
}

export type Store = ReturnType<typeof createStore>;
