// The lines of `echotop known`: each window as the known revisions show it.
import type { ProductId } from "../../../shared/contract/primitives.ts";
import { byWindow } from "../../../shared/revisions/known-at.ts";
import type { HistoryRevision } from "./event-history.ts";

export interface KnownLine {
  readonly observedAt: string;
  readonly publishedAt: string;
  readonly revisionId: string;
  readonly sequence: number;
  readonly layers: readonly {
    readonly id: ProductId;
    readonly observedAt: string;
    readonly frameId: string;
  }[];
}

/** Returns a line for each window, ascending. @param publishedMs leaves out what was published later */
export function toKnownLines(revisions: readonly HistoryRevision[], publishedMs = Infinity): KnownLine[] {
  const known = revisions.filter(({ publishedAt }) => Date.parse(publishedAt) <= publishedMs);
  return byWindow(known).map(({ observedAt, publishedAt, revisionId, sequence, layers }) => ({
    observedAt,
    publishedAt,
    revisionId,
    sequence,
    layers: layers.map(({ id, observedAt: layerObservedAt, frameId }) => ({
      id,
      observedAt: layerObservedAt,
      frameId,
    })),
  }));
}
