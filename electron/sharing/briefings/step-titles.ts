// The titles of a briefing's steps, as captions of the pages. The notes are the presenter's, and are not published.
import type { ProductId } from "../../../shared/contract/primitives.ts";
import { parseStoredSteps, type BriefingStep } from "../../../shared/views/briefing-steps.ts";
import type { BriefingSources } from "./briefing.ts";

export interface StepTitle {
  readonly title: string;
  /** Layers that the step shows. */
  readonly layers: readonly ProductId[];
}

type TitlesOf = (revision: { readonly sequence: number; readonly revisionId: string }) => StepTitle[];

/**
 * Returns a function that lists the titles of the steps that show a revision of the event, each once. A step that
 * follows the newest shows none for good. @throws AppError `stored-data-invalid`
 */
export async function readTitles(catalog: BriefingSources["catalog"], eventId: string): Promise<TitlesOf> {
  const record = await catalog.findSteps(eventId);
  const steps = record ? parseStoredSteps(record.document).steps : [];
  return ({ sequence, revisionId }) => {
    const titles = new Map<string, Set<ProductId>>();
    for (const { title, view } of steps) {
      const panes = view.panes.filter(
        ({ event, revision }) =>
          event.id === eventId &&
          revision?.sequence === sequence &&
          (revision.id === undefined || revision.id === revisionId),
      );
      if (panes.length === 0) continue;
      const layers = titles.get(title) ?? new Set();
      for (const id of panes.flatMap(visibleLayers)) layers.add(id);
      titles.set(title, layers);
    }
    return [...titles].map(([title, layers]) => ({ title, layers: [...layers] }));
  };
}

function visibleLayers({ layers }: BriefingStep["view"]["panes"][number]): ProductId[] {
  return layers.filter(({ visible }) => visible).map(({ id }) => id);
}
