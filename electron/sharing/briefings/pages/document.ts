// What every page of a briefing is around its content.
import { html, type Html } from "./html.ts";
import { styleElement } from "./page-style.ts";

export interface PageParts {
  readonly title: string;
  /** A sentence, for whoever lists the page. */
  readonly description: string;
  readonly canonical: string;
  readonly next?: string | undefined;
  readonly previous?: string | undefined;
  /** Navigation above the content, where there is any. */
  readonly navigation?: Html | undefined;
  readonly main: Html;
  readonly footer: Html;
}

/** By this a page of ours is known. */
export const generator = "Echotop briefing";

// Nothing in a page may run or send, whatever a label holds that got past the escaping.
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

export function toTimeElement(instant: string, words: string): Html {
  return html`<time datetime="${new Date(instant).toISOString()}">${words}</time>`;
}
