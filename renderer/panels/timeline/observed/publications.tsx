// The lane of publications: a tick at its own time for each, joined to its column; a correction is a long amber thread.
import { memo, type ReactNode } from "react";
import { blockHeightPx, rows } from "../geometry/rows.ts";
import type { ObservedDrawingProps } from "./observed-facts.ts";

/** Below this distance of columns only corrections and late arrivals keep their threads. */
const threadPitchPx = 8;
const footPx = rows.blockPx + blockHeightPx + 3;
const tickTopPx = rows.publicationPx - 5;

interface Thread {
  readonly tone: "quiet" | "correction" | "backfill" | "completion";
  readonly fromPx: number;
  readonly toPx: number;
  readonly isHidden: boolean;
}

export const Publications = memo(function Publications(props: ObservedDrawingProps): ReactNode {
  const { widthPx, geometry, history, arrived } = props;
  const threads = toThreads(props);
  const ticksOf = (tone: Thread["tone"], isHidden: boolean): string =>
    threads
      .filter((thread) => thread.tone === tone && thread.isHidden === isHidden)
      .map(({ toPx }) => `M${Math.round(toPx) + 0.5} ${tickTopPx}v10`)
      .join("");
  const drawn = threads.filter(
    ({ tone, isHidden }) => !isHidden && (tone !== "quiet" || geometry.pitchPx >= threadPitchPx),
  );
  const pathOf = (tone: Thread["tone"]): string =>
    drawn
      .filter((thread) => thread.tone === tone)
      .map(toCurve)
      .join("");
  const arrivedTick = geometry.axis.ticks.find(({ index }) => history.all[index]!.sequence === arrived);
  const late = drawn.filter(({ tone }) => tone === "correction");
  return (
    <>
      <line
        className="tl-base"
        x1={0}
        x2={widthPx}
        y1={rows.publicationPx + 0.5}
        y2={rows.publicationPx + 0.5}
      />
      {(["quiet", "completion", "backfill", "correction"] as const).map((tone) => (
        <g key={tone}>
          <path className={`tl-thread tl-thread-${tone}`} d={pathOf(tone)} />
          <path className={`tl-publication tl-publication-${tone}`} d={ticksOf(tone, false)} />
          <path className="tl-publication tl-publication-hidden" d={ticksOf(tone, true)} />
        </g>
      ))}
      {late.map(({ fromPx, toPx }) => (
        <circle key={toPx} className="tl-thread-foot" cx={fromPx} cy={footPx} r={2} />
      ))}
      {arrivedTick && (
        <circle className="tl-arrived" cx={Math.round(arrivedTick.xPx) + 0.5} cy={tickTopPx - 5} r={3} />
      )}
    </>
  );
});

function toThreads({ geometry, columns, history }: ObservedDrawingProps): Thread[] {
  const middles = new Map(
    columns.flatMap(({ indices, xPx }) =>
      indices.map((index) => [index, Math.round(xPx + geometry.blockPx / 2)] as const),
    ),
  );
  return geometry.axis.ticks.map(({ index, xPx }) => {
    const { kind } = history.publications[index]!;
    const isHidden = index >= history.known;
    const isMarked = !isHidden && (kind === "correction" || kind === "completion" || kind === "backfill");
    return { tone: isMarked ? kind : "quiet", fromPx: middles.get(index)!, toPx: xPx, isHidden };
  });
}

/** A straight slant is the ordinary delay; a late one leaves its column sideways. */
function toCurve({ tone, fromPx, toPx }: Thread): string {
  const toTopPx = tickTopPx + 1;
  if (tone === "quiet") return `M${fromPx} ${footPx}L${toPx} ${toTopPx}`;
  const bendPx = Math.min(26, Math.abs(toPx - fromPx) / 2) * Math.sign(toPx - fromPx);
  const middlePx = (footPx + toTopPx) / 2 + 1;
  return `M${fromPx} ${footPx}Q${fromPx} ${middlePx} ${fromPx + bendPx} ${middlePx}L${toPx - bendPx} ${middlePx}Q${toPx} ${middlePx} ${toPx} ${toTopPx}`;
}
