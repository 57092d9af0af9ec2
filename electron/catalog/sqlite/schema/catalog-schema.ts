// The schema of catalog.sqlite: its numbered migrations, and the messages for a foreign or newer file.
import type { FileKind, Migration } from "../../../platform/sqlite/file-version.ts";
import { initial } from "./0001-initial.ts";
import { sources } from "./0002-sources.ts";
import { removals } from "./0003-removals.ts";
import { steps } from "./0004-steps.ts";
import { overlays } from "./0005-overlays.ts";

export const migrations: readonly Migration[] = [initial, sources, removals, steps, overlays];

export const catalogKind: FileKind = {
  /** "Echo" in ASCII. */
  applicationId: 0x4563686f,
  migrations,
  foreign: "The catalog.sqlite of this data directory belongs to another program.",
  newer: (version, newest) =>
    `This data directory has version ${version}, written by a newer Echotop; this one knows versions up to ${newest}.`,
};
