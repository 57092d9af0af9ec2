// The page of an event: what, where and when, its newest picture, and its revisions. The canonical page of the
// briefing.
import type { Bounds } from "../../../../shared/contract/primitives.ts";
import { findPinnedFrame } from "../../../../shared/revisions/publication.ts";
import type { EventNature } from "../../../../shared/revisions/event-origin.ts";
import { products } from "../../../../shared/products/registry.ts";
import { wordsOf } from "../product-words.ts";
import { stillSize } from "../stills/look.ts";
import { describeChange, toDelay, toLatitude, toLongitude, toMoment } from "../briefing-words.ts";
import { toDocument, toFooter, toNotice, toTimeElement } from "./document.ts";
import { html, type Html } from "./html.ts";
import type { Links } from "./links.ts";
import { altOf, toCaption, type LayerView, type RevisionView } from "./revision-page.ts";

export interface EventPageRequest {
  readonly label: string;
  readonly nature: EventNature;
  readonly latestSequence: number;
  readonly bounds: Bounds;
  /** Main places inside, most important first. */
  readonly places: readonly { readonly name: string; readonly region: string }[];
  /** Ascending, at least one. */
  readonly revisions: readonly RevisionView[];
  readonly links: Links;
}

const natures: Readonly<Record<EventNature, string>> = {
  live: "A live feed",
  benchmark: "A recorded event",
  synthetic: "A synthetic event",
  replay: "A replay of an event",
  "synthetic-replay": "A replay of a synthetic event",
};

export function toEventPage(request: EventPageRequest): string {
  const { label, nature, revisions, links } = request;
  const pinned = findPinnedFrame(
    revisions.map(({ observedAt, sequence, layers }) => ({
      observedAt,
      sequence,
      layers: layers.map(({ layer }) => layer),
    })),
  );
  const newest = revisions[pinned ?? revisions.length - 1]!;
  const { first, last } = spanOf(revisions);
  return toDocument({
    title: `${label} · Storm briefing`,
    description: `${natures[nature]} of hail size and radar reflectivity, ${toSpan(first, last)}: ${revisions.length} ${revisions.length === 1 ? "revision" : "revisions"} with pictures and a summary.`,
    canonical: links.canonical("event"),
    navigation: html`<nav aria-label="Breadcrumb">
      <ol class="trail">
        <li><a href="${links.list("event")}">Briefings</a></li>
        <li aria-current="page">${label}</li>
      </ol>
    </nav> `,
    main: html`<h1>${label}</h1>
      ${toFacts(request, first, last)}${toNotice(newest.disclosure)}
      <section aria-labelledby="newest">
        <h2 id="newest">Newest picture: ${toMoment(newest.observedAt)}</h2>
        ${newestLayers(newest).map((layer) => toFigure(layer, newest, links))}
        <p>
          <a href="${links.revision(newest.sequence, "event")}"
            >Revision ${newest.sequence} with its legend and details</a
          >
        </p>
      </section>
      <section aria-labelledby="revisions">
        <h2 id="revisions">Revisions</h2>
        ${toRevisionTable(request)}
      </section>
      <section aria-labelledby="caveats">
        <h2 id="caveats">What these pictures can and cannot show</h2>
        ${products.map(({ id, label: name, caveat }) => html`<p><strong>${name}.</strong> ${caveat} ${wordsOf(id).reservation}</p> `)}
        <p>
          An empty area has no echo, or no radar coverage if it is hatched. A layer that was not received has
          no picture. These pages are for situational awareness only: see the National Weather Service for
          official warnings.
        </p>
      </section> `,
    footer: toFooter(newest.attribution),
  });
}

/** Returns hail first, if there is any: it is rarer. */
function newestLayers({ layers }: RevisionView): LayerView[] {
  return layers.toReversed();
}

function spanOf(revisions: readonly RevisionView[]): { first: string; last: string } {
  const times = revisions.map(({ observedAt }) => observedAt);
  const byTime = times.toSorted((a, b) => Date.parse(a) - Date.parse(b));
  return { first: byTime[0]!, last: byTime.at(-1)! };
}

function toSpan(first: string, last: string): string {
  return first === last ? toMoment(first) : `${toMoment(first)} to ${toMoment(last)}`;
}

function toFacts(
  { nature, bounds, places, revisions, latestSequence }: EventPageRequest,
  first: string,
  last: string,
): Html {
  const [west, south, east, north] = bounds;
  const box = `${toLatitude(south, 1)} to ${toLatitude(north, 1)}, ${toLongitude(west, 1)} to ${toLongitude(east, 1)}`;
  const near = places.map(({ name, region }) => `${name}, ${region}`).join("; ");
  const until = first === last ? undefined : html` to ${toTimeElement(last, toMoment(last))}`;
  return html`<dl class="facts">
    <div>
      <dt>What</dt>
      <dd>${natures[nature]}<small>Hail size (MESH) and composite reflectivity of MRMS</small></dd>
    </div>
    <div>
      <dt>When</dt>
      <dd>${toTimeElement(first, toMoment(first))}${until}<small>time of observation</small></dd>
    </div>
    <div>
      <dt>Where</dt>
      <dd>${box}${near === "" ? undefined : html`<small>${near}</small>`}</dd>
    </div>
    <div>
      <dt>Revisions</dt>
      <dd>${revisions.length} of ${latestSequence} published<small>by publication time</small></dd>
    </div>
  </dl> `;
}

function toFigure({ layer, summary }: LayerView, { sequence, titles }: RevisionView, links: Links): Html {
  const alt = altOf(layer.label, toMoment(layer.observedAt), summary);
  return html`<figure>
    <img
      src="${links.still(sequence, layer.id, "event")}"
      width="${stillSize.widthPx}"
      height="${stillSize.heightPx}"
      alt="${alt}"
    />
    <figcaption>${toCaption(titles, layer.id)}<strong>${layer.label}.</strong> ${summary}</figcaption>
  </figure> `;
}

function toRevisionTable({ revisions, links }: EventPageRequest): Html {
  const rows = revisions.map(({ sequence, observedAt, publishedAt, kind, supersedes, layers, titles }) => {
    const change = describeChange(kind, supersedes);
    const what = kind === "new" ? change.short : html`<span class="late">${change.short}</span>`;
    const name = html`<a href="${links.revision(sequence, "event")}">Revision ${sequence}</a>`;
    const steps = titles.map(({ title }) => html`<small>${title}</small>`);
    return html`<tr>
      <th scope="row">${name}${steps}</th>
      <td>${toTimeElement(observedAt, toMoment(observedAt))}</td>
      <td>
        ${toTimeElement(publishedAt, toMoment(publishedAt))}
        <span class="quiet">(${toDelay(observedAt, publishedAt)} later)</span>
      </td>
      <td>${what}</td>
      <td>${layers.map(({ layer }) => layer.label).join(", ")}</td>
    </tr> `;
  });
  return html`<section class="scroll" aria-labelledby="revision-list" tabindex="0">
    <table>
      <caption id="revision-list">
        By publication time
      </caption>
      <thead>
        <tr>
          <th scope="col">Sequence</th>
          <th scope="col">Observed</th>
          <th scope="col">Published</th>
          <th scope="col">Change</th>
          <th scope="col">Layers</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </section> `;
}
