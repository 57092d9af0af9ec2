// The blocks of both orders: one path for each kind, however many blocks there are.
import type { ReactNode } from "react";
import { blockHeightPx, rows, toRectangles } from "../geometry/rows.ts";

/** Class names of a block's kind, such as `tl-correction tl-replaced`, with the left edges of its blocks. */
export type BlockKinds = ReadonlyMap<string, readonly number[]>;

/** Least width at which a kind has its shape: a completion is half filled, a late arrival is an outline. */
const shapedPx = 6;
/** Width of a block that a filter leaves out. */
const thinPx = 2;

/** Returns the kind of a block that is only a tick in its place; a correction stays one. */
export function toThin(kind: string): string {
  return kind === "tl-correction" ? "tl-thin tl-correction" : "tl-thin";
}

export function groupBlocks(blocks: readonly { readonly kind: string; readonly xPx: number }[]): BlockKinds {
  const kinds = new Map<string, number[]>();
  for (const { kind, xPx } of blocks) {
    const lefts = kinds.get(kind);
    if (lefts) lefts.push(xPx);
    else kinds.set(kind, [xPx]);
  }
  return kinds;
}

interface BlocksProps {
  readonly kinds: BlockKinds;
  readonly blockPx: number;
}

export function Blocks({ kinds, blockPx }: BlocksProps): ReactNode {
  return [...kinds].map(([kind, lefts]) => (
    <BlockPath key={kind} kind={kind} lefts={lefts} blockPx={blockPx} />
  ));
}

interface BlockPathProps {
  readonly kind: string;
  readonly lefts: readonly number[];
  readonly blockPx: number;
}

export function BlockPath({ kind, lefts, blockPx }: BlockPathProps): ReactNode {
  const isShaped = blockPx >= shapedPx;
  if (kind.startsWith("tl-thin")) {
    const widthPx = Math.min(thinPx, blockPx);
    const ticks = lefts.map((xPx) => xPx + Math.floor((blockPx - widthPx) / 2));
    const place = { topPx: rows.blockPx + 3, widthPx, heightPx: blockHeightPx - 6 };
    return <path className={`tl-block ${kind}`} d={toRectangles(ticks, place)} />;
  }
  const whole = {
    topPx: rows.blockPx,
    widthPx: blockPx,
    heightPx: blockHeightPx,
    radiusPx: isShaped ? 2 : 0,
  };
  if (!isShaped || !/tl-(completion|backfill|unknown|hidden)/.test(kind))
    return <path className={`tl-block ${kind}`} d={toRectangles(lefts, whole)} />;
  const outline = {
    ...whole,
    topPx: rows.blockPx + 0.5,
    widthPx: blockPx - 1,
    heightPx: blockHeightPx - 1,
  };
  const lower = { topPx: rows.blockPx + blockHeightPx / 2, widthPx: blockPx, heightPx: blockHeightPx / 2 };
  return (
    <g className={kind}>
      <path
        className="tl-outline"
        d={toRectangles(
          lefts.map((xPx) => xPx + 0.5),
          outline,
        )}
      />
      {kind.includes("tl-completion") && <path className="tl-half" d={toRectangles(lefts, lower)} />}
    </g>
  );
}
