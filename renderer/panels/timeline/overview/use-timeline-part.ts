// The part of a long event that is drawn: the newest end, or what the person chose, until the playhead leaves it.
import { useMemo, useState } from "react";
import type { PlayOrder } from "../../../state/timeline/play-order.ts";
import { indexFrom, type Revision } from "../../../state/timeline/revisions.ts";
import { selectWantedRevision } from "../../../state/selectors.ts";
import { useViewerState } from "../../../viewer-context.ts";
import { isWithin, placeOf, startAround, toPart, toWhole, type Part } from "../geometry/timeline-part.ts";

export interface TimelinePart {
  readonly whole: Part;
  readonly part: Part;
  /** Draws the part that begins at this place. */
  readonly moveTo: (first: number) => void;
}

/** The start of the part; a place of published order is a sequence, because older pages shift the indices. */
interface Start {
  readonly order: PlayOrder;
  /** Undefined at the newest end. */
  readonly at: number | undefined;
  /** Sequence under the playhead when the part was chosen. */
  readonly wanted: number | undefined;
}

export function useTimelinePart(all: readonly Revision[], order: PlayOrder): TimelinePart {
  const wanted = useViewerState(selectWantedRevision);
  const [chosen, setStart] = useState<Start>({ order, at: undefined, wanted: undefined });
  const whole = useMemo(() => toWhole(all, order), [all, order]);
  const start = chosen.order === order ? chosen : { order, at: undefined, wanted: undefined };
  const first = start.at === undefined ? undefined : toPlace(all, order, start.at);
  const held = toPart(whole, first);
  // The part that the person moved stays, until the playhead moves too.
  const isFollowing = start.at === undefined || start.wanted !== wanted?.sequence;
  const wantedPlace = wanted && placeOf(all, order, wanted);
  const part =
    isFollowing && wantedPlace !== undefined && !isWithin(held, wantedPlace)
      ? toPart(whole, startAround(wantedPlace))
      : held;
  const toStart = ({ first: place, last }: Part): Start => ({
    order,
    at: last === whole.last ? undefined : toAnchor(all, order, place),
    wanted: wanted?.sequence,
  });
  if (part !== held || start !== chosen) setStart(toStart(part));
  return {
    whole,
    part: useMemo(() => ({ first: part.first, last: part.last }), [part.first, part.last]),
    moveTo: (target) => {
      setStart(toStart(toPart(whole, target)));
    },
  };
}

function toAnchor(all: readonly Revision[], order: PlayOrder, place: number): number | undefined {
  return order === "observed" ? place : all[place]?.sequence;
}

function toPlace(all: readonly Revision[], order: PlayOrder, anchor: number): number {
  return order === "observed" ? anchor : indexFrom(all, anchor);
}
