// The page that lists the briefings of a folder.
import type { BriefingManifest } from "../briefing-manifest.ts";
import { toMoment } from "../briefing-words.ts";
import { toDocument, toTimeElement } from "./document.ts";
import { html } from "./html.ts";

/** `briefings` are in the order of the list. */
export function toListPage(briefings: readonly BriefingManifest[]): string {
  const items = briefings.map(
    ({ eventId, label, sequences, firstObservedAt, lastObservedAt }) =>
      html`<tr>
        <th scope="row"><a href="${eventId}/index.html">${label}</a></th>
        <td>${toTimeElement(firstObservedAt, toMoment(firstObservedAt))}</td>
        <td>${toTimeElement(lastObservedAt, toMoment(lastObservedAt))}</td>
        <td class="number">${sequences.length}</td>
      </tr> `,
  );
  return toDocument({
    title: "Storm briefings",
    description: "Storm briefings: hail size and radar reflectivity in pictures and words.",
    canonical: "./",
    main: html`<h1>Storm briefings</h1>
      <p>
        Hail size and radar reflectivity of storms in pictures and words. For situational awareness only: see
        the National Weather Service for official warnings.
      </p>
      <section class="scroll" aria-labelledby="briefings" tabindex="0">
        <table>
          <caption id="briefings">
            Newest observation first; all times are UTC
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
