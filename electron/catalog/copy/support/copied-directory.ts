// A data directory as a side of the contract of copies.
import type { CopiedPlace } from "../../contract/copy-contract.ts";
import { atDirectory } from "../../stores/located-stores.ts";
import { temporaryDirectory } from "../../support/drafts.ts";
import { verifyDirectory } from "../../verify/verify-directory.ts";

export const directoryPlace: CopiedPlace = {
  name: "a directory",
  create: async () => atDirectory(await temporaryDirectory()),
  findFaults: async (location) => {
    const { findings } = await verifyDirectory(location.kind === "directory" ? location.directory : "");
    return findings
      .filter(({ severity }) => severity === "fault")
      .map(({ where, what }) => `${where}: ${what}`);
  },
};
