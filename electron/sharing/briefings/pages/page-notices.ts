// What stands on every page: what the pictures are not, and whose they are.
import { html, type Html } from "./html.ts";

export function disclosureNotice(disclosure: string): Html {
  return html`<p class="notice">${disclosure}</p> `;
}

export function toFooter(attribution: string): Html {
  return html`<p>
      Source: ${attribution}. Boundaries: U.S. Census Bureau and Natural Earth. Places: GeoNames (CC BY 4.0).
    </p>
    <p>All times are UTC: a storm late in the evening belongs to the next day. Published with Echotop.</p> `;
}
