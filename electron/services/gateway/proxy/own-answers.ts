// The gateway's own responses: redirects, refusals and failures. Nothing of the origin is in them.
import { shareRetryAfter } from "../../http/limited-server.ts";
import { proxyLimits } from "../gateway-limits.ts";
import type { OriginFailure } from "./origin.ts";
import { shareTaken, type Refusal } from "./front-checks.ts";

export interface OwnAnswer {
  readonly status: number;
  /** Names and values alternating. */
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

export function toRedirectAnswer(status: number, location: string): OwnAnswer {
  const headers = ["Location", location, "Cache-Control", proxyLimits.redirectCaching];
  return toAnswer(status, `See ${location}`, headers);
}

const refusalHeaders = ["Cache-Control", "no-store", "X-Content-Type-Options", "nosniff"];

export function toRefusalAnswer({ status, message }: Refusal): OwnAnswer {
  return toAnswer(status, message, refusalHeaders);
}

export const shareTakenAnswer = toAnswer(shareTaken.status, shareTaken.message, [
  ...refusalHeaders,
  ...["Retry-After", shareRetryAfter],
]);

const failures: Readonly<Record<OriginFailure, OwnAnswer>> = {
  unreachable: toRefusalAnswer({ status: 502, message: "The page's origin cannot be reached." }),
  timeout: toRefusalAnswer({ status: 504, message: "The page's origin did not answer in time." }),
  invalid: toRefusalAnswer({
    status: 502,
    message: "The page's origin gave an invalid response.",
  }),
};

export function toFailureAnswer(failure: OriginFailure): OwnAnswer {
  return failures[failure];
}

export const faultAnswer = toRefusalAnswer({ status: 500, message: "The request could not be answered." });
