// Checks stored manifests: bytes against the hash recorded at publication, JSON against the contract, identity against
// the row. The verdict is cached by the immutable record.
import { messageOf } from "../../../shared/app-error.ts";
import { MrmsManifest } from "../../../shared/contract/manifest.ts";
import type { RevisionRecord } from "../../catalog/catalog.ts";
import type { Log } from "../../platform/effects.ts";
import { sha256Of } from "../../platform/sha256.ts";

export interface SoundManifest {
  readonly revision: RevisionRecord;
  readonly attribution: string;
  readonly disclosure: string;
  /** The manifest's layers as JSON text. */
  readonly layersJson: string;
}

/** Returns the manifest of a record; logs a damaged one once and returns undefined. */
export type CheckManifest = (revision: RevisionRecord) => SoundManifest | undefined;

export function createManifestCheck(log: Log): CheckManifest {
  const verdicts = new WeakMap<RevisionRecord, SoundManifest | "damaged">();
  return (revision) => {
    let verdict = verdicts.get(revision);
    if (verdict === undefined) {
      const problem = findProblem(revision);
      verdict = typeof problem === "string" ? "damaged" : toSound(revision, problem);
      verdicts.set(revision, verdict);
      if (typeof problem === "string") {
        log("error", "A stored manifest is damaged and is not served.", {
          eventId: revision.eventId,
          revisionId: revision.revisionId,
          problem,
        });
      }
    }
    return verdict === "damaged" ? undefined : verdict;
  };
}

function toSound(revision: RevisionRecord, { attribution, disclosure, layers }: MrmsManifest): SoundManifest {
  return { revision, attribution, disclosure, layersJson: JSON.stringify(layers) };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns the parsed manifest, or what is wrong with the stored bytes. */
function findProblem(revision: RevisionRecord): string | MrmsManifest {
  if (sha256Of(revision.manifest) !== revision.manifestSha256) return "its bytes do not match their hash";
  let json: unknown;
  try {
    json = JSON.parse(utf8.decode(revision.manifest));
  } catch (error) {
    return messageOf(error);
  }
  const result = MrmsManifest.safeParse(json);
  if (!result.success) {
    const issue = result.error.issues[0]!;
    return `${issue.path.join(".") || "it"}: ${issue.message}`;
  }
  const { eventId, revisionId, sequence } = result.data;
  const isOther =
    (eventId ?? revision.eventId) !== revision.eventId ||
    (revisionId ?? revision.revisionId) !== revision.revisionId ||
    (sequence ?? revision.sequence) !== revision.sequence;
  return isOther ? "it is the manifest of another revision" : result.data;
}
