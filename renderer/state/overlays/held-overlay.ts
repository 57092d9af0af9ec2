// An overlay of the viewer: what was read of a file, and how the person wants it shown. The same for all panes.
import { isTimed, type UntimedShapes } from "../../../shared/overlays/time-rule.ts";
import type { OverlayContent, TimeRule } from "../../../shared/overlays/overlay.ts";

export const overlayColors = ["teal", "pink", "orange", "blue", "lime", "white"] as const;
export type OverlayColor = (typeof overlayColors)[number];

/** Home of the bytes: `page` is a file that the person chose, which never leaves the page. */
export type OverlayPlace = "page" | "host";

/**
 * Author of the content. Official warnings and reports are never drawn over a storm that never happened, and made-up
 * ones never over a real storm; a file of the person's own may be.
 */
export type OverlayOrigin = "own" | "official" | "synthetic";

/** Address or folder that the host reads, as it was told last. */
export interface OverlayFeed {
  readonly id: string;
  readonly kind: "address" | "folder";
  /** Host of the address, or last part of the folder's path. */
  readonly place: string;
  /** False while the person has it not read. */
  readonly isRead: boolean;
  /** Why it was not reached the last time, in a sentence. */
  readonly problem: string | undefined;
}

export interface Overlay {
  readonly id: string;
  /** Name of the file, or of the source. */
  readonly name: string;
  readonly place: OverlayPlace;
  /** The event that the overlay is kept with; undefined if it lies over any. */
  readonly eventId: string | undefined;
  /** Undefined for a file. */
  readonly feed: OverlayFeed | undefined;
  readonly origin: OverlayOrigin;
  /** Meaning of shapes without times: those of a live source are about the present. */
  readonly untimed: UntimedShapes;
  readonly isOn: boolean;
  /** The rule that the person chose; undefined for the one that fits the content. */
  readonly rule: TimeRule | undefined;
  /** Color of what the file gives none. */
  readonly color: OverlayColor;
  /** False if `color` replaces the colors of the file. */
  readonly hasFileColors: boolean;
  /** The last content that was read; undefined until then. */
  readonly content: OverlayContent | undefined;
  /** Time of reading `content`. */
  readonly readAtMs: number | undefined;
  /** Why nothing could be read the last time, in a sentence. */
  readonly problem: string | undefined;
  /** Since when the source has not been reached; undefined while it is. */
  readonly unreachedSinceMs: number | undefined;
  /** False for a file that is gone when the page is closed. */
  readonly isKept: boolean;
}

/** Choices of a person for an overlay. */
export type OverlayChoice = Partial<Pick<Overlay, "isOn" | "rule" | "color" | "hasFileColors">>;

export type OverlayDraft = Pick<Overlay, "id" | "name"> & Partial<Overlay>;

export function toOverlay(draft: OverlayDraft, others: readonly Overlay[]): Overlay {
  return {
    place: "page",
    eventId: undefined,
    feed: undefined,
    origin: "own",
    untimed: "always",
    isOn: true,
    rule: undefined,
    color: findFreeColor(others),
    hasFileColors: true,
    content: undefined,
    readAtMs: undefined,
    problem: undefined,
    unreachedSinceMs: undefined,
    isKept: false,
    ...draft,
  };
}

/** Returns the color that the fewest overlays have. */
function findFreeColor(others: readonly Overlay[]): OverlayColor {
  const uses = (color: OverlayColor): number => others.filter((other) => other.color === color).length;
  const least = Math.min(...overlayColors.map(uses));
  return overlayColors.find((color) => uses(color) === least)!;
}

/** Kinds of content that rules and rows tell apart. */
export type OverlaySort = "warnings" | "reports" | "shapes";

export function sortOf({ format, shapes }: OverlayContent): OverlaySort {
  if (format === "nws-alerts" || format === "warnings" || shapes.some(({ warning }) => warning))
    return "warnings";
  return format === "reports-csv" || shapes.some(({ report }) => report) ? "reports" : "shapes";
}

/** Returns the rules that a person may choose from. Warnings and reports are never shown out of their time. */
export function rulesFor(content: OverlayContent): readonly TimeRule[] {
  const sort = sortOf(content);
  if (sort === "warnings") return [{ kind: "valid-at" }];
  const within = ([15, 30, 60] as const).map((minutes): TimeRule => ({ kind: "within", minutes }));
  if (sort === "reports") return within;
  const anyTime: readonly TimeRule[] = [{ kind: "always" }, { kind: "now" }];
  return content.shapes.some(isTimed) ? [{ kind: "valid-at" }, ...within, ...anyTime] : anyTime;
}
