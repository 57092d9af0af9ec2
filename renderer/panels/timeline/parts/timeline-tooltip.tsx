// The tooltip of a revision on the timeline: its kind, both times, its layers.
import type { ReactNode } from "react";
import { publicationsOf, type Revision } from "../../../state/timeline/revisions.ts";
import { clockDay, otherTime, timeWithZone } from "../../../text/format.ts";
import { layerShortNames, publicationTones, publicationWords } from "../../../text/state-text.ts";
import { useViewerState } from "../../../viewer-context.ts";
import { usePublished } from "../../hooks/use-published.ts";

const tooltipWidthPx = 280;

export interface TimelineTooltipProps {
  readonly revision: Revision;
  /** Middle of the block, from the left edge of the plot. */
  readonly xPx: number;
  /** Width of the plot. */
  readonly widthPx: number;
}

export function TimelineTooltip({ revision, xPx, widthPx }: TimelineTooltipProps): ReactNode {
  const published = usePublished(revision);
  const revisions = useViewerState((state) => state.history.revisions);
  const publication = publicationsOf(revisions)[revisions.indexOf(revision)];
  const { observedMs, sequence, layers } = revision;
  const other = otherTime(observedMs);
  return (
    <div
      className="timeline-tooltip"
      role="presentation"
      style={{ width: tooltipWidthPx, translate: `${toTooltipLeft(xPx, widthPx)}px 0` }}
    >
      <p>
        <strong>Revision {sequence}</strong>
        {publication && (
          <span className={publicationTones[publication.kind]}>
            {publicationWords(publication, revision, revisions[publication.supersedes ?? -1])}
          </span>
        )}
      </p>
      <dl>
        <dt>Observed</dt>
        <dd>
          {timeWithZone(observedMs)} <span className="quiet">{clockDay(observedMs)}</span>
          {other !== undefined && <span className="quiet local-line">{other}</span>}
        </dd>
        <dt>Published</dt>
        <dd>
          {published.time} <span className="quiet">{published.delay}</span>
        </dd>
        <dt>Layers</dt>
        <dd>{layers.map((layer) => layerShortNames[layer.id]).join(", ") || "None"}</dd>
      </dl>
    </div>
  );
}

interface TimelineHintProps {
  readonly xPx: number;
  readonly widthPx: number;
  readonly children: ReactNode;
}

/** One line over a place without a revision. */
export function TimelineHint({ xPx, widthPx, children }: TimelineHintProps): ReactNode {
  return (
    <div
      className="timeline-tooltip"
      role="presentation"
      style={{ width: tooltipWidthPx, translate: `${toTooltipLeft(xPx, widthPx)}px 0` }}
    >
      {children}
    </div>
  );
}

function toTooltipLeft(xPx: number, widthPx: number): number {
  return Math.min(Math.max(0, xPx - tooltipWidthPx / 2), Math.max(0, widthPx - tooltipWidthPx));
}
