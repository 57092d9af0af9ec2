// What every part of hosting works with: the tables over one connection, the folders, the clock and the log.
import type { DatabaseSync } from "node:sqlite";
import type { Log } from "../../platform/effects.ts";
import { setDurability, transact, type Durability } from "../../platform/sqlite/transact.ts";
import { createAuditTable, type AuditTable } from "./audit-table.ts";
import type { RepositoryLayout } from "./hosting-layout.ts";
import { createNamespaceTable, createRepositoryTable } from "./repository-table.ts";
import type { NamespaceTable, RepositoryTable } from "./repository-table.ts";
import { createTokens, type Tokens } from "./repository-tokens.ts";

/** Instants at which a crash would leave something behind. */
export type LifecycleStep =
  "row written" | "filled" | "synced" | "moved in" | "row removed" | "moved out" | "folder removed";

export interface StoreOptions {
  readonly layout: RepositoryLayout;
  readonly now: () => Date;
  readonly log: Log;
  /** Ends what goes on in the folder of a repository whose row is gone; the folder goes when it resolves. */
  readonly beforeRemoval?: ((id: string) => Promise<void>) | undefined;
  /** Called between the steps of making and deleting a repository: for tests, which look at or stop what is half done. */
  readonly atStep?: ((step: LifecycleStep) => void) | undefined;
}

export interface Store {
  readonly layout: RepositoryLayout;
  readonly repositories: RepositoryTable;
  readonly namespaces: NamespaceTable;
  readonly tokens: Tokens;
  readonly audit: AuditTable;
  readonly log: Log;
  readonly beforeRemoval: (id: string) => Promise<void>;
  readonly atStep: (step: LifecycleStep) => void;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** `durable` unless said otherwise. */
  readonly transaction: <Result>(body: () => Result, durability?: Durability) => Result;
}

export function createStore(
  database: DatabaseSync,
  { layout, now, log, beforeRemoval = () => Promise.resolve(), atStep = () => undefined }: StoreOptions,
): Store {
  return {
    layout,
    repositories: createRepositoryTable(database),
    namespaces: createNamespaceTable(database),
    tokens: createTokens(database),
    audit: createAuditTable(database),
    log,
    beforeRemoval,
    atStep,
    nowMs: () => now().getTime(),
    transaction: (body, durability = "durable") => {
      setDurability(database, durability);
      return transact(database, body);
    },
  };
}
