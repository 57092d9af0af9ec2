// Explains what a made-up request would get. It takes the way of a real one, to the origin and back, and its
// decisions are described in sentences.
import { validateHeaderName, validateHeaderValue } from "node:http";
import { AppError } from "../../../../shared/app-error.ts";
import type { ExplainRequest, Gateway } from "../gateway.ts";
import { toClient } from "./client-address.ts";
import type { Outcome, Sink } from "./delivery.ts";
import { toSteps } from "./explanation-steps.ts";
import { createPassage, type PipelineMeans, type PipelineRequest } from "./pipeline.ts";
import type { Plan } from "./delivery-plan.ts";
import type { Sites } from "./site.ts";

export interface ExplainMeans {
  readonly sites: Sites;
  readonly pipeline: PipelineMeans;
}

export function createExplain({ sites, pipeline }: ExplainMeans): Gateway["explain"] {
  return async (asked) => {
    const request = toRequest(asked, sites);
    const passage = createPassage(request, pipeline);
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    let plan: Plan | undefined;
    const ignore = (): void => undefined;
    const sink: Sink = {
      ...{ write: () => true, writeLast: () => true },
      ...{ head: ignore, end: ignore, break: ignore, answer: ignore },
    };
    const delivery = await passage.run({
      sink,
      openBody: undefined,
      isGone: () => false,
      onPlan: (made) => {
        plan = made;
      },
      onDecided: resolve,
    });
    const outcome = await promise;
    const { reason, status, origin, target = null } = outcome;
    // The rest of a page that would pass is not wanted.
    if (origin !== undefined && target === null) delivery?.cancel();
    const steps = toSteps(passage.inquiry, plan!, outcome);
    return { zoneId: request.site.zone.id, reason, status, target, steps };
  };
}

function toRequest(asked: ExplainRequest, sites: Sites): PipelineRequest {
  const url = URL.parse(asked.url);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new AppError("invalid-input", "The address to explain must be an absolute http or https URL.");
  }
  const site = sites.find(url.host);
  if (!site) throw new AppError("not-found", `No zone of the gateway answers to ${url.host}.`);
  const client = toClient(asked.address);
  if (!client) throw new AppError("invalid-input", "The visitor's address must be an IPv4 or IPv6 address.");
  const sent: Record<string, string> = { "user-agent": asked.userAgent };
  if (asked.referer !== undefined) sent.referer = asked.referer;
  for (const [name, value] of Object.entries(asked.headers ?? {})) sent[name.toLowerCase()] = value;
  for (const [name, value] of Object.entries(sent)) checkHeader(name, value);
  const headers = { ...sent, host: site.authority };
  const rawHeaders = Object.entries(headers).flat();
  return { site, method: "GET", target: url.pathname + url.search, headers, rawHeaders, client };
}

/** Headers about a body, which an explained request does not have. */
const bodyHeaders: ReadonlySet<string> = new Set([
  "content-length",
  "transfer-encoding",
  "expect",
  "trailer",
]);

function checkHeader(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch (cause) {
    throw new AppError("invalid-input", "A header of the request to explain is not valid HTTP.", { cause });
  }
  if (bodyHeaders.has(name)) {
    throw new AppError("invalid-input", `A request without a body cannot have the header ${name}.`);
  }
}
