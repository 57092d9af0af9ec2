// What the gateway says by itself: redirects, and that there is no page to be had. Nothing of the origin is in it.
import type { OriginFailure } from "./origin.ts";
import { shareTaken, type Refusal } from "./front-checks.ts";

export interface OwnAnswer {
  readonly status: number;
  /** Names and values in turn. */
  readonly rawHeaders: string[];
  readonly body: Buffer;
}

function toAnswer(status: number, text: string, more: readonly string[]): OwnAnswer {
  const body = Buffer.from(`${text}\n`, "utf8");
  const rawHeaders = [
    ...more,
    ...["Content-Type", "text/plain; charset=utf-8", "Content-Length", String(body.byteLength)],
  ];
  return { status, rawHeaders, body };
}

/** Nobody may keep it: it is for this visitor, and a shared cache would send others along. */
export function toRedirectAnswer(status: number, location: string): OwnAnswer {
  return toAnswer(status, `See ${location}`, ["Location", location, "Cache-Control", "private, no-store"]);
}

const refusalHeaders = ["Cache-Control", "no-store", "X-Content-Type-Options", "nosniff"];

export function toRefusalAnswer({ status, message }: Refusal): OwnAnswer {
  return toAnswer(status, message, refusalHeaders);
}

/** In seconds. */
export const retryAfter = "5";
export const shareTakenAnswer = toAnswer(shareTaken.status, shareTaken.message, [
  ...refusalHeaders,
  ...["Retry-After", retryAfter],
]);

const failures: Readonly<Record<OriginFailure, OwnAnswer>> = {
  unreachable: toRefusalAnswer({ status: 502, message: "The page's origin cannot be reached." }),
  timeout: toRefusalAnswer({ status: 504, message: "The page's origin did not answer in time." }),
  invalid: toRefusalAnswer({
    status: 502,
    message: "The page's origin gave an answer that cannot be passed on.",
  }),
};

export function toFailureAnswer(failure: OriginFailure): OwnAnswer {
  return failures[failure];
}

export const faultAnswer = toRefusalAnswer({ status: 500, message: "The request could not be answered." });
