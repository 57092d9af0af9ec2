// Answers the requests of real visitors: checks them, sends them through the pipeline, and records them.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { FairShare } from "../../http/fair-share.ts";
import { hasBody } from "../../http/request-body.ts";
import type { FindClient } from "./client-address.ts";
import type { Delivery } from "./delivery.ts";
import { checkFront } from "./front-checks.ts";
import { bodyOpenerOf } from "./listener.ts";
import { faultAnswer, shareTakenAnswer, toRefusalAnswer, type OwnAnswer } from "./own-answers.ts";
import { createPassage, type PipelineMeans } from "./pipeline.ts";
import { recordRequest, type RecordMeans } from "./record-request.ts";
import type { Sites } from "./site.ts";
import { VisitorSink } from "./visitor-sink.ts";

export interface ServingMeans extends RecordMeans {
  readonly sites: Sites;
  readonly findClient: FindClient;
  /** Limits requests in progress of each client, also of those behind a proxy. */
  readonly share: Pick<FairShare, "take" | "release">;
  readonly pipeline: PipelineMeans;
  readonly now: () => Date;
}

export function createServing(means: ServingMeans): RequestListener {
  const { sites, findClient, share, pipeline, report } = means;
  return (request, response) => {
    const admitted = checkFront(request, sites, pipeline.via);
    if ("status" in admitted) {
      refuse(request, response, toRefusalAnswer(admitted));
      return;
    }
    const arrivedAtMs = means.now().getTime();
    const { headers, rawHeaders, method = "" } = request;
    const forwardedFor = headers["x-forwarded-for"];
    const client = findClient(
      request.socket.remoteAddress ?? "",
      Array.isArray(forwardedFor) ? forwardedFor.join(", ") : forwardedFor,
    );
    if (!share.take(client.address)) {
      refuse(request, response, shareTakenAnswer);
      return;
    }
    const { site, target } = admitted;
    const passage = createPassage({ site, method, target, headers, rawHeaders, client }, pipeline);
    const sink = new VisitorSink(response);
    let inHand: Delivery | undefined;
    response.on("drain", () => {
      inHand?.resume();
    });
    response.once("close", () => {
      share.release(client.address);
      if (!response.writableFinished) inHand?.cancel();
    });
    const running = passage.run({
      sink,
      openBody: bodyOpenerOf(request, response),
      isGone: () => response.destroyed,
      onDecided: (outcome) => {
        recordRequest(passage.inquiry, outcome, arrivedAtMs, means);
      },
    });
    if (!(running instanceof Promise)) {
      inHand = running;
      return;
    }
    running.then(
      (known) => {
        inHand = known;
      },
      (error: unknown) => {
        report("error", "A request could not be answered.", { error });
        sink.answer(faultAnswer);
      },
    );
  };
}

/** Closes the connection if the request has a body: unread bytes could be taken for a request. */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, rawHeaders, body }: OwnAnswer,
): void {
  const closing = hasBody(request) ? ["Connection", "close"] : [];
  response.writeHead(status, [...rawHeaders, ...closing]);
  response.end(request.method === "HEAD" ? undefined : body);
}
