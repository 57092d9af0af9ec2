// A legend as a strip of equal cells: each a list item whose whole label a screen reader has, short labels for the eye, and
// a mark where the probe stands.
import type { ReactNode } from "react";
import { pickStripLabels, type LegendEntry, type LegendMark } from "../legend.ts";

/** The strip's width inside the left panel, and about that of a figure in the caption size. */
const stripPx = 248;
const figurePx = 6.2;

export interface LegendStripProps {
  readonly label: string;
  readonly entries: readonly LegendEntry[];
  readonly mark: LegendMark | undefined;
}

export function LegendStrip({ label, entries, mark }: LegendStripProps): ReactNode {
  const labelled = new Set(pickStripLabels(entries, stripPx, figurePx));
  return (
    <div className="legend">
      <ol className="legend-strip" aria-label={label}>
        {entries.map((entry, index) => (
          <li
            key={`${index} ${entry.label}`}
            className={entry.threshold ? "legend-cell threshold" : "legend-cell"}
            title={entry.label}
          >
            <span className="legend-color" style={{ backgroundColor: entry.color }} aria-hidden="true" />
            <span className="unseen">{entry.label}</span>
            <span className="legend-figure" aria-hidden="true">
              {labelled.has(index) ? entry.shortLabel : ""}
            </span>
          </li>
        ))}
      </ol>
      {mark && (
        <span className="legend-mark" style={{ left: `${mark.position * 100}%` }} aria-hidden="true" />
      )}
    </div>
  );
}
