// Arcs between the versions of one window, from a correction or an added layer back to the revision that it replaced.
// Only those of the revisions pointed at and of the one on screen are drawn: many at once cannot be told apart.
import type { ReactNode } from "react";
import type { Publication } from "../../../../shared/revisions/publication.ts";
import type { Revision } from "../../../state/timeline/revisions.ts";
import { selectWantedSequence } from "../../../state/timeline/playhead.ts";
import { useViewer } from "../../../viewer-context.ts";
import { middleOf, slotOf, type TimelineGeometry } from "../geometry/published-layout.ts";
import { drawingHeightPx, rows } from "../geometry/rows.ts";
import type { TimelineHistory } from "../timeline-history.ts";
import { useShortcut } from "../../hooks/use-shortcut.ts";

/** Indices of a revision and of the one that it replaces or completes. */
export interface VersionLink {
  readonly from: number;
  readonly to: number;
}

/** Returns the links that begin or end at one of these revisions. */
export function linksAt(publications: readonly Publication[], touched: ReadonlySet<number>): VersionLink[] {
  return publications.flatMap(({ supersedes: from }, to) =>
    from !== undefined && (touched.has(from) || touched.has(to)) ? [{ from, to }] : [],
  );
}

interface RevisionArcsProps {
  readonly history: TimelineHistory;
  readonly geometry: TimelineGeometry;
  readonly widthPx: number;
  /** Indices of the revisions pointed at, and of the one on screen. */
  readonly touched: ReadonlySet<number>;
  readonly onPoint: (indices: readonly number[]) => void;
}

/** Over the slider, because an arc can be pressed: it leads to its other end. */
export function RevisionArcs({ history, geometry, widthPx, touched, onPoint }: RevisionArcsProps): ReactNode {
  const { store } = useViewer();
  const { all: revisions, publications, known } = history;
  const links = linksAt(publications.slice(0, known), touched).filter(
    ({ from, to }) => slotOf(geometry, from) && slotOf(geometry, to),
  );

  const { after } = useShortcut("flip");

  function follow({ from, to }: VersionLink): void {
    const isAtEnd = selectWantedSequence(store.getState()) === revisions[to]!.sequence;
    store.getState().flipTo(revisions[isAtEnd ? from : to]!.sequence);
  }

  return (
    <svg className="revision-arcs" width={widthPx} height={drawingHeightPx} aria-hidden="true">
      {links.map((link) => {
        const path = toPath(geometry, link);
        const isCorrection = publications[link.to]!.kind === "correction";
        return (
          <g key={link.to} className={isCorrection ? "tl-arc" : "tl-arc tl-arc-quiet"}>
            <path d={path} />
            <circle cx={Math.round(middleOf(geometry, link.from))} cy={arcFootPx} r={2.5} />
            <path
              className="tl-arc-hold"
              d={path}
              data-from={revisions[link.from]!.sequence}
              data-to={revisions[link.to]!.sequence}
              onPointerEnter={() => {
                onPoint([link.to]);
              }}
              onPointerLeave={() => {
                onPoint([]);
              }}
              onClick={() => {
                follow(link);
              }}
            >
              <title>{after(toTitle(revisions, link))}</title>
            </path>
          </g>
        );
      })}
    </svg>
  );
}

function toTitle(revisions: readonly Revision[], { from, to }: VersionLink): string {
  return `Revision ${revisions[from]!.sequence} to ${revisions[to]!.sequence}: press to flip`;
}

const arcFootPx = rows.blockPx - 2;

/** Returns an SVG path that rises above the blocks, higher the longer it is. */
function toPath(geometry: TimelineGeometry, { from, to }: VersionLink): string {
  const fromPx = Math.round(middleOf(geometry, from));
  const toPx = Math.round(middleOf(geometry, to));
  const heightPx = Math.min(26, 8 + (toPx - fromPx) * 0.12);
  // A cubic curve rises to three quarters of the height of its control points.
  const controlPx = arcFootPx - heightPx / 0.75;
  return `M${fromPx} ${arcFootPx}C${fromPx} ${controlPx} ${toPx} ${controlPx} ${toPx} ${arcFootPx}`;
}
