// A legend as a strip of equal cells, each a list item with its full label for a screen reader; short labels for the
// eye, and a mark at the probed value.
import type { ReactNode } from "react";
import { pickStripLabels } from "../../../shared/products/strip-labels.ts";
import type { LegendEntry, LegendMark } from "../../text/legend.ts";

/** Width of the strip in the left panel, and about that of a digit in caption size. */
const stripPx = 248;
const figurePx = 6.2;

export interface LegendStripProps {
  readonly label: string;
  readonly entries: readonly LegendEntry[];
  readonly mark: LegendMark | undefined;
  /** Width of the strip in CSS pixels; that in the left panel unless given. */
  readonly widthPx?: number;
}

export function LegendStrip({ label, entries, mark, widthPx = stripPx }: LegendStripProps): ReactNode {
  return (
    <div className="legend">
      <ol className="legend-strip" aria-label={label}>
        {entries.map((entry, index) => (
          <li
            key={`${index} ${entry.label}`}
            className={entry.threshold ? "legend-cell threshold" : "legend-cell"}
            data-hidden={entry.hidden}
            style={
              entry.background === undefined
                ? { backgroundColor: entry.color }
                : { background: entry.background }
            }
            title={toTitle(entry)}
          >
            <span className="unseen">{toTitle(entry)}</span>
          </li>
        ))}
      </ol>
      <div className="legend-figures" aria-hidden="true">
        {pickStripLabels(entries, widthPx, figurePx).map((index) => (
          <Figure key={index} entry={entries[index]!} index={index} count={entries.length} />
        ))}
      </div>
      {mark && (
        <span className="legend-mark" style={{ left: `${mark.position * 100}%` }} aria-hidden="true" />
      )}
    </div>
  );
}

function toTitle({ label, hidden, threshold }: LegendEntry): string {
  if (hidden) return `${label}, hidden`;
  return threshold ? `${label}, outlined on the map` : label;
}

/** Begins with its cell; the last one ends with the strip. */
function Figure({ entry, index, count }: { entry: LegendEntry; index: number; count: number }): ReactNode {
  const last = index === count - 1 && count > 1;
  return (
    <span
      className={entry.threshold ? "threshold" : undefined}
      style={last ? { right: 0 } : { left: `${(index / count) * 100}%` }}
    >
      {entry.shortLabel}
    </span>
  );
}
