// The reading of a point while a pair is compared: after, before, and their difference as a range.
import type { ReactNode } from "react";
import { changeColors } from "../../../shared/products/change-colors.ts";
import type { ProbeAnswer } from "../../map/scene.ts";
import { beforeId, selectComparison } from "../../state/change/change-scene.ts";
import { selectChangePair, type ChangePair } from "../../state/change/change-pair.ts";
import type { Probe } from "../../state/slices/picture-slice.ts";
import type { ViewerState } from "../../state/store.ts";
import { toChangeReading, type ChangeReading } from "../../text/change-text.ts";
import { findLegendMark, toLegend } from "../../text/legend.ts";
import { toProbeLine, type ProbeLine, type ProbeTone } from "../../text/probe-text.ts";
import { useViewerState } from "../../viewer-context.ts";

export interface ComparedLines {
  readonly after: ProbeLine;
  readonly before: ProbeLine;
  readonly change: ChangeReading | undefined;
}

/** Returns undefined unless a pair is on the map. */
export function toComparedLines(state: ViewerState, probe: Probe): ComparedLines | undefined {
  const shown = selectComparison(state)?.shown;
  const after = probe.readings.find(({ id }) => id === shown?.id);
  if (!shown || !after) return undefined;
  const overlay = probe.overlays.find(({ id }) => id === beforeId(shown.id));
  const before: ProbeAnswer = overlay ?? { kind: "loading" };
  const { hailUnits } = state;
  return {
    // The storm after is drawn in gray; its class has the color of the legend.
    after: { ...toProbeLine(after, hailUnits), color: legendColor(state, shown.after, after) },
    before: toProbeLine({ ...before, id: shown.id, frame: undefined }, hailUnits),
    change: toChangeReading(before, after, hailUnits),
  };
}

function legendColor(
  { palette, ownTables, theme, hailUnits }: ViewerState,
  layer: Parameters<typeof toLegend>[0],
  reading: Probe["readings"][number],
): string | undefined {
  const entries = toLegend(layer, { palette, ownTables, theme, hailUnits });
  return entries[findLegendMark(entries, reading)?.index ?? -1]?.color;
}

/** One sentence for a screen reader. */
export function spokenComparison({ after, before, change }: ComparedLines, pair: ChangePair): string {
  const words = [
    `After, revision ${pair.after.sequence}: ${after.primary}`,
    `before, revision ${pair.before.sequence}: ${before.primary}`,
    ...(change ? [`${change.words}, as exact as the classes allow`] : []),
  ];
  return `${words.join("; ").replaceAll("–", " to ")}.`;
}

const swatches: Readonly<Record<ChangeReading["kind"], string | undefined>> = {
  up: changeColors.up[1],
  down: changeColors.down[1],
  appeared: changeColors.up[1],
  vanished: changeColors.down[1],
  none: undefined,
  uncompared: undefined,
};

export function ChangeReadingLines({ lines }: { readonly lines: ComparedLines }): ReactNode {
  const pair = useViewerState(selectChangePair);
  const { after, before, change } = lines;
  if (!pair) return null;
  return (
    <div className="change-reading">
      <ReadingLine
        tone={after.tone}
        color={after.color}
        words={after.primary}
        about={`After · revision ${pair.after.sequence}`}
      />
      <ReadingLine
        tone={before.tone}
        color={before.color}
        words={before.primary}
        about={`Before · revision ${pair.before.sequence}`}
      />
      {change && (
        <ReadingLine
          tone="value"
          color={swatches[change.kind]}
          words={change.words}
          about={change.kind === "up" || change.kind === "down" ? "as exact as the classes allow" : undefined}
        />
      )}
    </div>
  );
}

interface ReadingLineProps {
  readonly tone: ProbeTone;
  readonly color: string | undefined;
  readonly words: string;
  readonly about: string | undefined;
}

function ReadingLine({ tone, color, words, about }: ReadingLineProps): ReactNode {
  return (
    <p className={`change-reading-line probe-${tone}`}>
      <span
        className="probe-swatch change-color"
        style={color === undefined ? undefined : { backgroundColor: color }}
        aria-hidden="true"
      />
      <strong>{words}</strong>
      {about !== undefined && <span className="quiet">{about}</span>}
    </p>
  );
}
