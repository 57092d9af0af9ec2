// Links between the pages of a briefing: relative, so that they also work from a disk, or absolute below a base
// address. A page's absolute address is its folder's.
import { AppError } from "../../../../shared/app-error.ts";
import type { ProductId } from "../../../../shared/contract/primitives.ts";

export interface Links {
  /** Address of the canonical page, seen from this kind of page. */
  readonly canonical: (page: "list" | "event" | "revision") => string;
  readonly list: (from: "event" | "revision") => string;
  /** Link from a revision's page. */
  readonly event: () => string;
  readonly revision: (sequence: number, from: "event" | "revision") => string;
  readonly still: (sequence: number, product: ProductId, from: "event" | "revision") => string;
}

/**
 * Returns the address with a slash at its end. @throws AppError `invalid-input` unless it is a plain http or https
 * address
 */
export function toBaseUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
  if (!isHttp || [url.username, url.password, url.search, url.hash].some((part) => part !== "")) {
    throw new AppError(
      "invalid-input",
      "The base address must be a plain http or https address, such as https://brief.example/storms/.",
    );
  }
  return url.href.endsWith("/") ? url.href : `${url.href}/`;
}

export function createLinks(eventId: string, baseUrl: string | undefined): Links {
  const up = { event: "../", revision: "../../../" } as const;
  const address = (path: string, from: "event" | "revision"): string =>
    baseUrl === undefined ? `${up[from]}${path}index.html` : `${baseUrl}${path}`;
  return {
    canonical: (page) => {
      // The list must not depend on which event was published last.
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
