// The page of one revision: its times, a summary, and the still and legend of each layer.
import type { ProductId } from "../../../../shared/contract/primitives.ts";
import { getProduct, products } from "../../../../shared/products/registry.ts";
import type { FrameFacts } from "../../stills/frames/still-facts.ts";
import { toLegend, type Legend } from "../../stills/still-legend.ts";
import { wordsOf } from "../product-words.ts";
import type { PlannedLayer, PlannedRevision } from "../read-plan.ts";
import { stillSize } from "../stills/look.ts";
import { toArea } from "../summary.ts";
import { describeChange, toDelay, toMoment } from "../briefing-words.ts";
import { toDocument, toFooter, toNotice, toTimeElement } from "./document.ts";
import { html, type Html } from "./html.ts";
import type { Links } from "./links.ts";

export interface LayerView extends PlannedLayer {
  readonly facts: FrameFacts | undefined;
  /** Description in words. */
  readonly summary: string;
}

export interface RevisionView extends Omit<PlannedRevision, "layers"> {
  readonly layers: readonly LayerView[];
}

export interface RevisionPageRequest {
  readonly label: string;
  readonly latestSequence: number;
  readonly revision: RevisionView;
  /** Sequences of the pages before and after this one. */
  readonly previous: number | undefined;
  readonly next: number | undefined;
  /** Sequences that have a page. */
  readonly published: ReadonlySet<number>;
  readonly links: Links;
}

export function toRevisionPage(request: RevisionPageRequest): string {
  const { label, revision, previous, next, links } = request;
  const hrefOf = (sequence: number | undefined): string | undefined =>
    sequence === undefined ? undefined : links.revision(sequence, "revision");
  const moment = toMoment(revision.observedAt);
  const name = `Revision ${revision.sequence}: ${moment}`;
  const [missing, steps] = [missingLayers(revision), toSteps(request)];
  return toDocument({
    title: `${name} · ${label}`,
    description: `${label}, observed ${moment}. ${revision.layers.map(({ summary }) => summary).join(" ")}`,
    canonical: links.canonical("revision"),
    previous: hrefOf(previous),
    next: hrefOf(next),
    navigation: html`<nav aria-label="Breadcrumb">
      <ol class="trail">
        <li><a href="${links.list("revision")}">Briefings</a></li>
        <li><a href="${links.event()}">${label}</a></li>
        <li aria-current="page">Revision ${revision.sequence}</li>
      </ol>
    </nav> `,
    main: html`<h1>${name}</h1>
      ${toFacts(request)}${toNotice(revision.disclosure)}${steps}
      <section aria-labelledby="summary">
        <h2 id="summary">Summary</h2>
        ${revision.layers.map(({ layer, summary }) => html`<p><strong>${layer.label}.</strong> ${summary}</p> `)}${missing}
      </section>
      ${revision.layers.map((layer) => toLayerSection(layer, revision, links))}`,
    footer: toFooter(revision.attribution),
  });
}

function toSteps({ label, previous, next, links }: RevisionPageRequest): Html {
  const step = (sequence: number | undefined, rel: string, words: string): Html | undefined =>
    sequence === undefined
      ? undefined
      : html`<li>
          <a rel="${rel}" href="${links.revision(sequence, "revision")}">${words}: revision ${sequence}</a>
        </li> `;
  return html`<nav aria-label="Revisions">
    <ul class="steps">
      ${step(previous, "prev", "Previous")}${step(next, "next", "Next")}
      <li><a href="${links.event()}">All of ${label}</a></li>
    </ul>
  </nav> `;
}

function toFacts({ revision, latestSequence, published, links }: RevisionPageRequest): Html {
  const { observedAt, publishedAt, sequence, kind, supersedes, supersededBy } = revision;
  const change = describeChange(kind, supersedes);
  const replaced =
    supersededBy === undefined
      ? undefined
      : html`<div>
          <dt>Superseded</dt>
          <dd class="late">
            by
            ${
              published.has(supersededBy)
                ? html`<a href="${links.revision(supersededBy, "revision")}">revision ${supersededBy}</a>`
                : `revision ${supersededBy}`
            }<small>A later revision of the same time; this page shows what was known before.</small>
          </dd>
        </div> `;
  return html`<dl class="facts">
    <div>
      <dt>Observed</dt>
      <dd>${toTimeElement(observedAt, toMoment(observedAt))}</dd>
    </div>
    <div>
      <dt>Published</dt>
      <dd>
        ${toTimeElement(publishedAt, toMoment(publishedAt))}<small
          >${toDelay(observedAt, publishedAt)} after the observation</small
        >
      </dd>
    </div>
    <div>
      <dt>Sequence</dt>
      <dd>${sequence} of ${latestSequence}<small>by publication time</small></dd>
    </div>
    <div>
      <dt>Change</dt>
      <dd>${change.short}<small>${change.sentence}</small></dd>
    </div>
    ${replaced}
  </dl> `;
}

function missingLayers({ layers }: RevisionView): Html[] {
  return products
    .filter(({ id }) => !layers.some(({ layer }) => layer.id === id))
    .map(({ label }) => html`<p><strong>${label}.</strong> Not delivered with this revision.</p> `);
}

/** Returns the titles of the steps that show a layer, before the rest of its caption. */
export function toCaption(titles: RevisionView["titles"], product: ProductId): Html | undefined {
  const shown = titles.filter(({ layers }) => layers.includes(product)).map(({ title }) => title);
  return shown.length === 0 ? undefined : html`<span class="step">${shown.join(" · ")}</span> `;
}

function toLayerSection(view: LayerView, { sequence, titles }: RevisionView, links: Links): Html {
  const { layer, facts, summary } = view;
  const legend = toLegend(layer, getProduct(layer.id));
  const moment = toMoment(layer.observedAt);
  return html`<section aria-labelledby="${layer.id}">
    <h2 id="${layer.id}">${layer.label}</h2>
    <figure>
      <img
        src="${links.still(sequence, layer.id, "revision")}"
        width="${stillSize.widthPx}"
        height="${stillSize.heightPx}"
        alt="${altOf(layer.label, moment, summary)}"
      />
      <figcaption>
        ${toCaption(titles, layer.id)}${layer.description} Observed
        ${toTimeElement(layer.observedAt, moment)}. Where a pixel of the still covers several cells, it shows
        the highest.
      </figcaption>
    </figure>
    <p><strong>Caveat.</strong> ${layer.caveat} ${wordsOf(layer.id).reservation}</p>
    ${toLegendTable(layer.id, legend, facts)}
  </section> `;
}

export function altOf(label: string, moment: string, summary: string): string {
  return `Map of ${label}, observed ${moment}. ${summary}`;
}

function toLegendTable(product: ProductId, { entries, isOurs }: Legend, facts: FrameFacts | undefined): Html {
  const areas = isOurs ? facts?.stopAreasKm2 : undefined;
  const header = areas && html`<th scope="col" class="number">Area</th>`;
  const rows = entries.map(({ color, label, threshold }, index) => {
    const area = areas && html`<td class="number">${toArea(areas[index] ?? 0)}</td>`;
    const swatch = html`<span class="swatch" style="background:${color}"></span>`;
    const heading = threshold ? html`<strong>${label}</strong>` : label;
    return html`<tr>
      <th scope="row">${swatch}${heading}</th>
      ${area}
    </tr> `;
  });
  return html`<table aria-describedby="${product}-legend">
    <caption id="${product}-legend">
      Legend${areas && " with the area of each color"}
    </caption>
    <thead>
      <tr>
        <th scope="col">Color and value</th>
        ${header}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table> `;
}
