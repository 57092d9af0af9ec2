// What a revision on the timeline is: both its times, its kind, its layers.
import type { ReactNode } from "react";
import type { Publication } from "../../../shared/revisions/publication.ts";
import { localIsUtc, localMinute, publicationDelay, utcClock, utcDay } from "../../text/format.ts";
import type { Revision } from "../../state/revisions.ts";
import { layerShortNames, publicationWords } from "../../text/state-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { toPublishedMs, usePublished } from "../controls/use-published.ts";

const widthOfTooltipPx = 280;

export interface TimelineTooltipProps {
  readonly revision: Revision;
  readonly publication: Publication | undefined;
  /** The block's middle, from the plot's left edge. */
  readonly xPx: number;
  /** Of the plot. */
  readonly widthPx: number;
}

export function TimelineTooltip({ revision, publication, xPx, widthPx }: TimelineTooltipProps): ReactNode {
  const { timeZone } = useViewer();
  const publishedMs = toPublishedMs(usePublished(revision));
  const superseded = useViewerState((state) =>
    publication?.supersedes === undefined
      ? undefined
      : state.history.revisions[publication.supersedes]?.sequence,
  );
  const { observedMs, sequence, layers } = revision;
  const leftPx = Math.min(Math.max(0, xPx - widthOfTooltipPx / 2), Math.max(0, widthPx - widthOfTooltipPx));
  return (
    <div
      className="timeline-tooltip"
      role="presentation"
      style={{ width: widthOfTooltipPx, translate: `${leftPx}px 0` }}
    >
      <p>
        <strong>Revision {sequence}</strong>
        {publication && (
          <span className={publication.kind === "correction" || publication.late ? "late" : "quiet"}>
            {publicationWords(publication.kind, { late: publication.late, superseded })}
          </span>
        )}
      </p>
      <dl>
        <dt>Observed</dt>
        <dd>
          {utcClock(observedMs)} UTC <span className="quiet">{utcDay(observedMs)}</span>
          {!localIsUtc(observedMs, timeZone) && (
            <span className="quiet local-line">{localMinute(observedMs, timeZone)}</span>
          )}
        </dd>
        <dt>Published</dt>
        <dd>
          {typeof publishedMs === "number" ? (
            <>
              {utcClock(publishedMs)} UTC{" "}
              <span className="quiet">{publicationDelay(observedMs, publishedMs)}</span>
            </>
          ) : (
            publishedMs
          )}
        </dd>
        <dt>Layers</dt>
        <dd>{layers.map((layer) => layerShortNames[layer.id]).join(", ") || "none"}</dd>
      </dl>
    </div>
  );
}
