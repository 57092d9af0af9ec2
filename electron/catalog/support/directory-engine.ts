// SQLite and files as an engine of the contract.
import type { CatalogEngine } from "../contract/catalog-engine.ts";
import { openReadableStores, openStores } from "../stores/open-stores.ts";
import { atDirectory } from "../stores/located-stores.ts";
import { verifyDirectory } from "../verify/verify-directory.ts";
import { temporaryDirectory } from "./drafts.ts";

export const directoryEngine: CatalogEngine = {
  name: "SQLite and files",
  async createPlace() {
    const directory = await temporaryDirectory();
    const clock = { nowMs: 0 };
    const options = { now: () => new Date(clock.nowMs), frameCacheByteLimit: 0 };
    return {
      open: () => openStores(atDirectory(directory), options),
      openReadable: () => openReadableStores(atDirectory(directory), options),
      setClock(nowMs) {
        clock.nowMs = nowMs;
        return Promise.resolve();
      },
      async findFaults() {
        const { findings } = await verifyDirectory(directory);
        return findings.filter(({ severity }) => severity === "fault").map(({ what }) => what);
      },
    };
  },
};
