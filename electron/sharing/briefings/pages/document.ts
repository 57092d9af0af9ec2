// The frame of every page of a briefing: head, navigation, notices and footer.
import { html, type Html } from "./html.ts";
import { styleElement } from "./page-style.ts";

export interface PageParts {
  readonly title: string;
  /** One sentence for search results. */
  readonly description: string;
  readonly canonical: string;
  readonly next?: string | undefined;
  readonly previous?: string | undefined;
  readonly navigation?: Html | undefined;
  readonly main: Html;
  readonly footer: Html;
}

/** Identifies our pages. */
export const generator = "Echotop briefing";

// Blocks scripts and forms, in case a label gets past the escaping.
const policy = "script-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'";

export function toDocument(page: PageParts): string {
  const link = (rel: string, href: string | undefined): Html | undefined =>
    href === undefined ? undefined : html`<link rel="${rel}" href="${href}" /> `;
  return html`<!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${page.title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="generator" content="${generator}" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="description" content="${page.description}" />
        ${link("canonical", page.canonical)}${link("prev", page.previous)}${link("next", page.next)}${styleElement}
      </head>
      <body>
        <div class="page">
          ${page.navigation}
          <main>${page.main}</main>
          <footer>${page.footer}</footer>
        </div>
      </body>
    </html> `.text;
}

/** Returns the event's disclosure, such as that it is synthetic. */
export function toNotice(disclosure: string): Html {
  return html`<p class="notice">${disclosure}</p> `;
}

export function toFooter(attribution: string): Html {
  return html`<p>
      Source: ${attribution}. Boundaries: U.S. Census Bureau and Natural Earth. Places: GeoNames (CC BY 4.0).
    </p>
    <p>All times are UTC: a late evening storm belongs to the next day. Published with Echotop.</p> `;
}

export function toTimeElement(instant: string, words: string): Html {
  return html`<time datetime="${new Date(instant).toISOString()}">${words}</time>`;
}
