// The page of a folder: which briefings are in it.
import { toMoment } from "../briefing-words.ts";
import { toDocument, toTimeElement } from "./document.ts";
import { html } from "./html.ts";

export interface ListedBriefing {
  readonly eventId: string;
  readonly label: string;
  readonly revisionPages: number;
  /** The first and the last observation that it shows. */
  readonly firstObservedAt: string;
  readonly lastObservedAt: string;
}

/** `briefings` in the order in which they are listed. */
export function toListPage(briefings: readonly ListedBriefing[]): string {
  const items = briefings.map(
    ({ eventId, label, revisionPages, firstObservedAt, lastObservedAt }) =>
      html`<tr>
        <th scope="row"><a href="${eventId}/index.html">${label}</a></th>
        <td>${toTimeElement(firstObservedAt, toMoment(firstObservedAt))}</td>
        <td>${toTimeElement(lastObservedAt, toMoment(lastObservedAt))}</td>
        <td class="number">${revisionPages}</td>
      </tr> `,
  );
  return toDocument({
    title: "Storm briefings",
    description: "Briefings of storms: hail size and radar reflectivity, in pictures and words.",
    canonical: "./",
    main: html`<h1>Storm briefings</h1>
      <p>
        Hail size and radar reflectivity of storms, in pictures and words. For situational awareness; not a
        warning source.
      </p>
      <section class="scroll" aria-labelledby="briefings" tabindex="0">
        <table>
          <caption id="briefings">
            The newest observation first; all times are UTC
          </caption>
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col">From</th>
              <th scope="col">To</th>
              <th scope="col" class="number">Revisions</th>
            </tr>
          </thead>
          <tbody>
            ${items}
          </tbody>
        </table>
      </section> `,
    footer: html`<p>Published with Echotop.</p> `,
  });
}
