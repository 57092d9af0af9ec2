// Carries a valid request through the gateway: decides, asks the origin, delivers, records. Real visitors and
// explanations take the same way; they differ in where the response goes.
import type { Readable } from "node:stream";
import { decodedEncodings } from "../canonical/body-decoder.ts";
import type { ZoneRedirects } from "../redirects/create-redirects.ts";
import type { Client } from "./client-address.ts";
import { Delivery, type DeliveryParts } from "./delivery.ts";
import type { Feature } from "./feature.ts";
import { narrowEncodings, toOriginHeaders } from "./headers.ts";
import { Inquiry, type InquiryMeans, type InquiryParts } from "./inquiry.ts";
import type { Origin } from "./origin.ts";
import { toRedirectAnswer } from "./own-answers.ts";
import { makePlan, type Plan } from "./delivery-plan.ts";

export interface ServedZone {
  readonly origin: Origin;
  /** Undefined if the zone has none. */
  readonly redirects: ZoneRedirects | undefined;
}

export interface PipelineMeans extends InquiryMeans {
  /** By the zone's id. */
  readonly served: ReadonlyMap<string, ServedZone>;
  readonly feature: Feature;
  /** Name of this gateway in `Via`. */
  readonly via: string;
  /** Timeout for the head of a page, in ms. */
  readonly inspectMs: number;
}

export interface PipelineRequest extends Omit<InquiryParts, "address"> {
  readonly rawHeaders: readonly string[];
  readonly client: Client;
}

/** Inputs of answering one request. */
export interface Run extends Pick<DeliveryParts, "sink" | "onDecided"> {
  /** Called when a body is wanted; undefined if the request has none. */
  readonly openBody: (() => Readable) | undefined;
  /** Returns true if the visitor left before the decision. */
  readonly isGone: () => boolean;
  readonly onPlan?: ((plan: Plan) => void) | undefined;
}

export interface Passage {
  readonly inquiry: Inquiry;
  /** Returns the delivery from the origin, or undefined if the origin was not asked. */
  readonly run: (run: Run) => Delivery | undefined | Promise<Delivery | undefined>;
}

const decodable = decodedEncodings.split(", ");

export function createPassage(request: PipelineRequest, means: PipelineMeans): Passage {
  const inquiry = new Inquiry({ ...request, address: request.client.address }, means);
  const { origin, redirects } = means.served.get(request.site.zone.id)!;
  const carryOut = (plan: Plan, run: Run): Delivery | undefined => {
    run.onPlan?.(plan);
    if (run.isGone()) return undefined;
    const { sink, onDecided } = run;
    if (plan.kind === "redirect") {
      onDecided({ reason: plan.reason, status: plan.status, target: undefined });
      sink.answer(toRedirectAnswer(plan.status, plan.location));
      return undefined;
    }
    const isInspected = plan.kind === "look";
    const reason = isInspected ? undefined : plan.reason;
    const delivery = new Delivery({ inquiry, reason, sink, inspectMs: means.inspectMs, onDecided });
    const headers = toHeaders(request, means.via, isInspected);
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

/** Narrows `Accept-Encoding` to encodings that can be decoded here, only for a page that is inspected. */
function toHeaders(
  { headers, rawHeaders, site, client }: PipelineRequest,
  via: string,
  isInspected: boolean,
): string[] {
  const accepted = isInspected ? headers["accept-encoding"] : undefined;
  const acceptEncoding = typeof accepted === "string" ? narrowEncodings(accepted, decodable) : undefined;
  return toOriginHeaders({ rawHeaders, connection: headers.connection, site, client, via, acceptEncoding });
}
