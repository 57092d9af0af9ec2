// Verifies the overlays kept with events: their facts are valid, and their bytes are those of their hash.
import { KeptOverlay } from "../../../shared/contract/overlays.ts";
import { messageOf } from "../../../shared/app-error.ts";
import { sha256Of } from "../../platform/sha256.ts";
import type { OverlayRow } from "../rows/catalog-rows.ts";
import { overlayPlace } from "./finding-places.ts";
import type { Findings } from "./findings.ts";

export async function verifyOverlays(
  rows: Iterable<OverlayRow> | AsyncIterable<OverlayRow>,
  findings: Findings,
): Promise<void> {
  for await (const row of rows) {
    const what = findOverlayFault(row);
    if (what !== undefined) findings.fault(overlayPlace(row.event_id, row.name, findings.catalog), what);
  }
}

/** Returns what is wrong with an overlay, in a sentence; undefined if it is sound. */
export function findOverlayFault({ name, sha256, document, content }: OverlayRow): string | undefined {
  let facts: unknown;
  try {
    facts = JSON.parse(document);
  } catch (error) {
    return `Its facts are not JSON: ${messageOf(error)}.`;
  }
  const { data, error } = KeptOverlay.safeParse(facts);
  if (error) return `Its facts violate their form: ${error.issues[0]!.message}.`;
  if (data.name !== name || data.sha256 !== sha256) return "Its facts are those of another overlay.";
  if (data.byteLength !== content.byteLength || sha256Of(content) !== sha256) {
    return "Its bytes do not match its hash.";
  }
  return undefined;
}
