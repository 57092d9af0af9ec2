// How the pages of a briefing name each other. Without a base address everything is relative and opens from a disk as well;
// with one, canonical, next and previous are absolute below it. A page's address is its folder's.
import type { ProductId } from "../../../../shared/contract/primitives.ts";

export interface Links {
  /** Where the page itself is, for `rel=canonical` of this and other pages. */
  readonly canonical: (page: "list" | "event" | "revision") => string;
  readonly list: (from: "event" | "revision") => string;
  /** From a revision's page. */
  readonly event: () => string;
  readonly revision: (sequence: number, from: "event" | "revision") => string;
  readonly still: (sequence: number, product: ProductId, from: "event" | "revision") => string;
}

export function createLinks(eventId: string, baseUrl: string | undefined): Links {
  const up = { event: "../", revision: "../../../" } as const;
  const address = (path: string, from: "event" | "revision"): string =>
    baseUrl === undefined ? `${up[from]}${path}index.html` : `${baseUrl}${path}`;
  return {
    canonical: (page) => {
      // The list is everybody's in the folder: it stays the same, whichever event was published last.
      if (page === "list") return "./";
      if (baseUrl !== undefined) return `${baseUrl}${eventId}/`;
      return page === "event" ? "./" : "../../";
    },
    list: (from) => address("", from),
    event: () => (baseUrl === undefined ? "../../index.html" : `${baseUrl}${eventId}/`),
    revision: (sequence, from) =>
      baseUrl === undefined
        ? `${from === "event" ? "r/" : "../"}${sequence}/index.html`
        : `${baseUrl}${eventId}/r/${sequence}/`,
    still: (sequence, product, from) =>
      from === "revision" ? `${product}.png` : `r/${sequence}/${product}.png`,
  };
}
