// The contract of the stores: what each engine does, as tests through the interfaces.
import { describe } from "vitest";
import { adoptionContract } from "./adoption-contract.ts";
import type { CatalogEngine } from "./catalog-engine.ts";
import { changesContract } from "./changes-contract.ts";
import { eventContract } from "./event-contract.ts";
import { feedLogContract } from "./feed-log-contract.ts";
import { publicationContract } from "./publication-contract.ts";
import { readingContract } from "./reading-contract.ts";
import { republicationContract } from "./republication-contract.ts";
import { retentionContract } from "./retention-contract.ts";
import { overlaysContract } from "./overlays-contract.ts";
import { stepsContract } from "./steps-contract.ts";
import { storeContract } from "./store-contract.ts";

const parts = [
  publicationContract,
  eventContract,
  adoptionContract,
  republicationContract,
  retentionContract,
  readingContract,
  changesContract,
  feedLogContract,
  stepsContract,
  overlaysContract,
  storeContract,
];

/** Defines all tests of the contract for an engine. */
export function catalogContract(engine: CatalogEngine): void {
  describe(engine.name, () => {
    for (const define of parts) define(engine);
  });
}
