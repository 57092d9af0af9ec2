// The key to the kinds of revisions on the timeline, with the number of each.
import type { ReactNode } from "react";
import type { PublicationKind } from "../../../../shared/revisions/publication.ts";
import { publicationsOf } from "../../../state/timeline/revisions.ts";
import { counted } from "../../../text/format.ts";
import { useViewerState } from "../../../viewer-context.ts";

const keyWords: readonly (readonly [PublicationKind, one: string, many: string])[] = [
  ["correction", "corrected frame", "corrected frames"],
  ["completion", "layer added", "layers added"],
  ["backfill", "late arrival", "late arrivals"],
  ["unknown", "older frame", "older frames"],
];

export function TimelineKey(): ReactNode {
  const publications = useViewerState((state) => publicationsOf(state.history.revisions));
  return (
    <p className="timeline-key caption">
      {keyWords.map(([kind, one, many]) => {
        const count = publications.filter((publication) => publication.kind === kind).length;
        return (
          count > 0 && (
            <span key={kind}>
              <span className={`kind-mark kind-${kind}`} aria-hidden="true" />
              {counted(count, one, many)}
            </span>
          )
        );
      })}
    </p>
  );
}
