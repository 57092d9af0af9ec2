// The way of a request, from the moment that it is known to be sound: planned, passed on, delivered, put on record. A real
// visitor's and an explanation's go the same way; they differ in where the answer ends.
import type { Readable } from "node:stream";
import { decodedEncodings } from "../canonical/body-decoder.ts";
import type { CrawlerVerifier } from "../crawlers/crawler-verdict.ts";
import type { ZoneSettings } from "../settings/zone-settings.ts";
import type { Client } from "./client-address.ts";
import { Delivery, type Outcome, type Sink } from "./delivery.ts";
import type { Feature } from "./feature.ts";
import { narrowEncodings, toOriginHeaders } from "./headers.ts";
import { Inquiry } from "./inquiry.ts";
import { toRedirectAnswer } from "./own-answers.ts";
import { makePlan, type Plan } from "./delivery-plan.ts";
import type { ServedZone } from "./served-zone.ts";
import type { Site } from "./site.ts";

export interface PipelineMeans {
  readonly served: ReadonlyMap<string, ServedZone>;
  readonly feature: Feature;
  readonly crawlers: Pick<CrawlerVerifier, "mayBeCrawler" | "verify">;
  readonly settings: Pick<ZoneSettings, "metadata">;
  readonly via: string;
  /** How long a page may take to show its head, in ms. */
  readonly lookMs: number;
}

export interface PipelineRequest {
  readonly site: Site;
  readonly method: string;
  readonly target: string;
  readonly headers: Inquiry["headers"];
  readonly rawHeaders: readonly string[];
  readonly client: Client;
}

/** What one request is made of, and what it needs to be told about. */
export interface Passage {
  readonly inquiry: Inquiry;
  /** A real visitor may be gone by the time that the plan is there. */
  readonly run: (run: Run) => PassageInHand | Promise<PassageInHand | undefined>;
}

export interface Run {
  readonly sink: Sink;
  /** Called when a body is wanted; undefined where the request has none. */
  readonly openBody: (() => Readable) | undefined;
  readonly isGone: () => boolean;
  readonly onPlan?: ((plan: Plan) => void) | undefined;
  /** Once, when it is known what becomes of the request. */
  readonly onDecided: (outcome: Outcome) => void;
}

/** A request that the origin has been asked for; undefined for one that was answered without. */
export type PassageInHand = Delivery | undefined;

const decodable = decodedEncodings.split(", ");

export function createPassage(request: PipelineRequest, means: PipelineMeans): Passage {
  const inquiry = new Inquiry({ ...request, address: request.client.address }, means);
  const { origin, redirects } = means.served.get(request.site.zone.id)!;
  const carryOut = (plan: Plan, run: Run): PassageInHand => {
    run.onPlan?.(plan);
    if (run.isGone()) return undefined;
    if (plan.kind === "redirect") {
      run.onDecided({ reason: plan.reason, status: plan.status, target: undefined });
      run.sink.answer(toRedirectAnswer(plan.status, plan.location));
      return undefined;
    }
    const isLooked = plan.kind === "look";
    const delivery = new Delivery({
      inquiry,
      reason: isLooked ? undefined : plan.reason,
      sink: run.sink,
      lookMs: means.lookMs,
      onDecided: run.onDecided,
    });
    const headers = toHeaders(request, means.via, isLooked);
    const { method, target } = request;
    delivery.start(origin.send({ method, target, headers, body: run.openBody?.() }, delivery));
    return delivery;
  };
  return {
    inquiry,
    run(run) {
      const plan = makePlan(inquiry, { redirects, feature: means.feature });
      return plan instanceof Promise ? plan.then((known) => carryOut(known, run)) : carryOut(plan, run);
    },
  };
}

/** Only who may be redirected is kept to encodings that can be read here. */
function toHeaders(
  { headers, rawHeaders, site, client }: PipelineRequest,
  via: string,
  isLooked: boolean,
): string[] {
  const accepted = isLooked ? headers["accept-encoding"] : undefined;
  return toOriginHeaders({
    rawHeaders,
    connection: headers.connection,
    site,
    client,
    via,
    acceptEncoding: typeof accepted === "string" ? narrowEncodings(accepted, decodable) : undefined,
  });
}
