// The contract of copies, between two data directories.
import { copyContract, usedCopyContract } from "../contract/copy-contract.ts";
import { directoryPlace } from "./support/copied-directory.ts";

copyContract(directoryPlace, directoryPlace);
usedCopyContract(directoryPlace, directoryPlace);
