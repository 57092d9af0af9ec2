// Where the contract is served from: what a test publishes into, damages and sends requests to.
import type { RevisionRecord } from "../../electron/catalog/catalog.ts";
import type { Stores } from "../../electron/catalog/stores/located-stores.ts";
import type { RunningHost } from "../../electron/support/host-process.ts";

export interface ContractPlace {
  readonly host: RunningHost;
  /** Stores of the test's own process, the publisher. */
  readonly stores: Stores;
  readonly directory: string;
  /** Replaces the stored bytes of a manifest, past the catalog, and its hash if one is given. */
  damageManifest(revision: RevisionRecord, bytes: Uint8Array, hash: string | undefined): void;
  /** Returns the path of a frame that the test is about to damage. */
  frameFile(frameId: string): string;
  /** Resolves when a reader can see the damage. */
  whenSeen(): Promise<void>;
  stop(): Promise<void>;
}
