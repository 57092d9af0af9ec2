// The facts about a revision's layer in its exported file, whatever the format.
import type { Instant, ProductId } from "../contract/primitives.ts";
import type { EventNature } from "../revisions/event-origin.ts";

export interface ExportedRevision {
  readonly event: { readonly id: string; readonly label: string; readonly nature: EventNature };
  readonly revisionId: string;
  readonly sequence: number;
  /** Undefined where the viewer does not know it. */
  readonly publishedAt: Instant | undefined;
  readonly attribution: string;
  readonly disclosure: string;
}

export interface ExportedLayer {
  readonly revision: ExportedRevision;
  readonly id: ProductId;
  readonly label: string;
  readonly observedAt: Instant;
  /** Name of the frame by its content. */
  readonly frameId: string;
  readonly caveat: string;
}
