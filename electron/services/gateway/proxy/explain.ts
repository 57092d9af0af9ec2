// What would become of a request that nobody has made: it goes the way of a real one, to the origin and back, and what was
// decided on the way is told in sentences. Only the visitor is made up.
import { validateHeaderName, validateHeaderValue } from "node:http";
import { AppError } from "../../../../shared/app-error.ts";
import type { Explanation, ExplainRequest, Gateway } from "../gateway.ts";
import { toClient } from "./client-address.ts";
import type { Delivery, Outcome, Sink } from "./delivery.ts";
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
    const sink = new DeafSink();
    let plan: Plan | undefined;
    const inHand = await passage.run({
      sink,
      openBody: undefined,
      isGone: () => false,
      onPlan: (made) => {
        plan = made;
      },
      onDecided: resolve,
    });
    sink.attach(inHand);
    const outcome = await promise;
    const { reason, status, target } = outcome;
    return {
      zoneId: request.site.zone.id,
      reason,
      status,
      target: target ?? null,
      steps: toSteps(passage.inquiry, plan!, outcome),
    } satisfies Explanation;
  };
}

/** Wants nothing but to know how the answer begins, and lets go of the rest. */
class DeafSink implements Sink {
  #delivery: Delivery | undefined;
  #isOver = false;

  attach(delivery: Delivery | undefined): void {
    this.#delivery = delivery;
    if (this.#isOver) delivery?.cancel();
  }

  head(): void {
    this.#isOver = true;
    // Not within the origin's own call.
    queueMicrotask(() => this.#delivery?.cancel());
  }

  write(): boolean {
    return true;
  }

  writeLast(): boolean {
    return true;
  }

  end(): void {
    this.#isOver = true;
  }

  break(): void {
    this.#isOver = true;
  }

  answer(): void {
    this.#isOver = true;
  }
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
  const said: Record<string, string> = { "user-agent": asked.userAgent };
  if (asked.referer !== undefined) said.referer = asked.referer;
  for (const [name, value] of Object.entries(asked.headers ?? {})) said[name.toLowerCase()] = value;
  for (const [name, value] of Object.entries(said)) checkHeader(name, value);
  const headers = { ...said, host: site.authority };
  const rawHeaders = Object.entries(headers).flat();
  return { site, method: "GET", target: url.pathname + url.search, headers, rawHeaders, client };
}

/** Of bodies there are none, so that nothing may speak of one. */
const ofBodies: ReadonlySet<string> = new Set(["content-length", "transfer-encoding", "expect", "trailer"]);

function checkHeader(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch (error) {
    throw new AppError("invalid-input", "A header of the request to explain is none that HTTP can say.", {
      cause: error,
    });
  }
  if (ofBodies.has(name)) {
    throw new AppError("invalid-input", `A request without a body cannot have the header ${name}.`);
  }
}
