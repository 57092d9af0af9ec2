// The contract of the stores, with SQLite and files.
import { catalogContract } from "../contract/catalog-contract.ts";
import { directoryEngine } from "../support/directory-engine.ts";

catalogContract(directoryEngine);
