// Repairs damaged revisions. Manifest, hash and rows hold the same facts three times: two that agree restore the third.
// If no two agree, the revision is withdrawn.
import { unionBounds } from "../../../shared/geo/bounds.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import type { Finding } from "../verify/findings.ts";
import { revisionPlace } from "../verify/finding-places.ts";
import { parseInstant, toInstant } from "../plans/instants.ts";
import { sha256Of } from "../../platform/sha256.ts";
import type { RepairContext } from "./repair-context.ts";
import {
  agree,
  composeAgain,
  createRowReader,
  readManifest,
  type DamagedRow,
  type SaidRevision,
} from "./repair-evidence.ts";
import { createWithdrawal } from "./repair-events.ts";
import { createLayerWriter } from "../sqlite/writing/revision-rows.ts";
import type { LayerRow } from "../rows/catalog-rows.ts";

interface Verdict {
  readonly isWithdrawn: boolean;
  readonly repaired: string;
}

export interface RepairedRevisions {
  readonly withdrawn: number;
  /** Frames that repaired revisions show, perhaps for the first time. */
  readonly frameIds: readonly string[];
}

export interface DamagedRevision {
  readonly eventId: string;
  readonly sequence: number;
  readonly faults: readonly Finding[];
}

/** Ignores revisions of a missing event. Reports each other one once. */
export async function repairRevisions(
  damaged: Iterable<DamagedRevision>,
  context: RepairContext,
): Promise<RepairedRevisions> {
  const { prepare, commit, report } = context;
  const rowOf = prepare<DamagedRow>(`
    SELECT r.id, r.event_id, r.sequence, r.revision_id, r.manifest, r.manifest_sha256, e.origin
      FROM revisions r JOIN events e ON e.id = r.event_id WHERE r.event_id = ? AND r.sequence = ?`);
  const frameIdsOf = prepare<{ frame_id: string }>("SELECT frame_id FROM revision_layers WHERE revision = ?");
  const repair = createRevisionRepair(context);
  const frameIds = new Set<string>();
  let withdrawn = 0;
  for (const { eventId, sequence, faults } of damaged) {
    const verdict = await commit(() => {
      const row = rowOf.first(eventId, sequence);
      const done = row && repair(row);
      if (row && done) for (const { frame_id } of frameIdsOf.all(row.id)) frameIds.add(frame_id);
      return done;
    });
    if (!verdict) continue;
    if (verdict.isWithdrawn) withdrawn += 1;
    report({
      severity: "fault",
      where: revisionPlace(eventId, sequence),
      what: faults.map(({ what }) => what).join(" "),
      repaired: verdict.repaired,
    });
  }
  return { withdrawn, frameIds: [...frameIds] };
}

/** Returns a function that repairs one revision, inside a write transaction. */
function createRevisionRepair(context: RepairContext): (row: DamagedRow) => Verdict {
  const { prepare, noteRepair } = context;
  const withdraw = createWithdrawal(context);
  const rewrite = createRowWriter(context);
  const readRows = createRowReader(prepare);
  const setManifest = prepare("UPDATE revisions SET manifest = ?, manifest_sha256 = ? WHERE id = ?");
  const done = (repaired: string): Verdict => {
    noteRepair();
    return { isWithdrawn: false, repaired };
  };
  return (row) => {
    const isExact = sha256Of(row.manifest) === row.manifest_sha256;
    const said = readManifest(row);
    if (isExact && said && rewrite(row, said)) return done("Its rows were restored from its manifest.");
    const recorded = readRows(row);
    const composed = recorded && composeAgain(row, recorded);
    if (composed?.sha256 === row.manifest_sha256) {
      setManifest.run(composed.bytes, composed.sha256, row.id);
      return done("Its manifest was restored, byte for byte.");
    }
    const sha256 = sha256Of(row.manifest);
    const isHash = /^[0-9a-f]{64}$/.test(row.manifest_sha256);
    if (sha256 === composed?.sha256 || (!isHash && recorded && said && agree(row, said, recorded))) {
      setManifest.run(row.manifest, sha256, row.id);
      return done("The hash of its manifest was restored: manifest and rows agree.");
    }
    const reason = "Its manifest is damaged and cannot be restored.";
    withdraw(row, reason);
    return {
      isWithdrawn: true,
      repaired: "It was withdrawn: its manifest cannot be restored. Its sequence stays used.",
    };
  };
}

/** Returns a function that restores a revision's rows from its manifest; false if another revision is in the way. */
function createRowWriter({ prepare }: RepairContext): (row: DamagedRow, said: SaidRevision) => boolean {
  const another = prepare(
    "SELECT 1 FROM revisions WHERE event_id = ? AND (sequence = ? OR revision_id = ?) AND id <> ?",
  );
  const identities = prepare<Pick<LayerRow, "product_id" | "frame_id" | "message_sha256" | "source_sha256">>(
    "SELECT product_id, frame_id, message_sha256, source_sha256 FROM revision_layers WHERE revision = ?",
  );
  const update = prepare(`
    UPDATE revisions SET sequence = ?, revision_id = ?, observed_at = ?, observation_window = ?, published_at = ?,
      west = ?, south = ?, east = ?, north = ? WHERE id = ?`);
  const removeLayers = prepare("DELETE FROM revision_layers WHERE revision = ?");
  const insertLayer = createLayerWriter(prepare);
  return ({ id, event_id: eventId }, { revisionId, sequence, publishedAtMs, layers }) => {
    if (another.first(eventId, sequence, revisionId, id)) return false;
    const known = identities.all(id);
    const [first, ...others] = layers;
    const bounds = unionBounds(first.bounds, ...others.map((layer) => layer.bounds));
    const observedAtMs = Math.max(...layers.map(({ observedAt }) => parseInstant(observedAt)));
    const window = observationWindow(toInstant(observedAtMs));
    update.run(sequence, revisionId, observedAtMs, window, publishedAtMs, ...bounds, id);
    removeLayers.run(id);
    for (const layer of layers) {
      const old =
        known.find(({ frame_id }) => frame_id === layer.frameId) ??
        known.find(({ product_id }) => product_id === layer.productId);
      insertLayer(
        id,
        { eventId, sequence },
        {
          ...layer,
          // If its row is lost, the message is unknown; the frame id stands for it.
          messageSha256: old?.message_sha256 ?? layer.frameId,
          sourceSha256: old?.source_sha256 ?? undefined,
        },
      );
    }
    return true;
  };
}
