// Renders the HTML pages of a briefing from its plan and the facts of its frames.
import { boundsContain } from "../../../shared/geo/bounds.ts";
import type { ProductId } from "../../../shared/contract/primitives.ts";
import { natureOf } from "../../../shared/revisions/event-origin.ts";
import type { BriefingMap, MapPlace } from "../stills/atlas/load-map.ts";
import { mostEventPlaces } from "./briefing-limits.ts";
import type { FrameFacts } from "../stills/frames/still-facts.ts";
import { toEventPage } from "./pages/event-page.ts";
import { createLinks } from "./pages/links.ts";
import { toRevisionPage, type RevisionView } from "./pages/revision-page.ts";
import type { BriefingPlan } from "./read-plan.ts";
import { summarize } from "./summary.ts";

export interface PagesRequest {
  readonly plan: BriefingPlan;
  readonly map: BriefingMap;
  /** Places that the stills name, most important first. */
  readonly places: readonly MapPlace[];
  readonly factsOf: (sequence: number, product: ProductId) => FrameFacts | undefined;
  readonly baseUrl: string | undefined;
}

/** Returns HTML by path from the event's folder. */
export function renderPages({ plan, map, places, factsOf, baseUrl }: PagesRequest): Map<string, string> {
  const { event, bounds } = plan;
  const nature = natureOf(event);
  const revisions = plan.revisions.map((revision): RevisionView => ({
    ...revision,
    layers: revision.layers.map((planned) => {
      const facts = factsOf(revision.sequence, planned.layer.id);
      return { ...planned, facts, summary: summarize(planned.layer.id, facts, map.places) };
    }),
  }));
  const shared = {
    label: event.label,
    latestSequence: event.latestSequence,
    links: createLinks(event.id, baseUrl),
  };
  const published = new Set(revisions.map(({ sequence }) => sequence));
  const pages = new Map<string, string>();
  revisions.forEach((revision, index) => {
    const page = toRevisionPage({
      ...shared,
      revision,
      previous: revisions[index - 1]?.sequence,
      next: revisions[index + 1]?.sequence,
      published,
    });
    pages.set(`r/${revision.sequence}/index.html`, page);
  });
  const inside = places.filter(({ longitude, latitude }) => boundsContain(bounds, longitude, latitude));
  pages.set(
    "index.html",
    toEventPage({ ...shared, nature, bounds, places: inside.slice(0, mostEventPlaces), revisions }),
  );
  return pages;
}
