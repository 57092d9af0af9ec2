// A response on its way from the origin to the visitor: passed on chunk by chunk, or held back until its canonical
// link is known, and then released or replaced by a redirect. Serving and explaining both use it.
import { createHeadReader } from "../canonical/head-reader.ts";
import { proxyLimits } from "../gateway-limits.ts";
import type { Reason } from "../../../../shared/contract/gateway-reasons.ts";
import { toVisitorHeaders, valueOf } from "./headers.ts";
import { HeldBody } from "./held-body.ts";
import type { Inquiry } from "./inquiry.ts";
import { judgeAnswer, judgeFinding, type FindingJudgement } from "./judge.ts";
import type { OriginExchange, OriginFailure, OriginListener } from "./origin.ts";
import { toFailureAnswer, toRedirectAnswer, type OwnAnswer } from "./own-answers.ts";

/** The receiver of a response. */
export interface Sink {
  /** Names and values alternate. @throws if HTTP cannot carry them; then nothing has been sent */
  readonly head: (status: number, statusText: string, rawHeaders: readonly string[]) => void;
  /** Returns false if the receiver is full; then `Delivery.resume` follows when it has room. */
  readonly write: (bytes: Buffer) => boolean;
  /** Same as `write`, for bytes that no other code reads. */
  readonly writeLast: (bytes: Buffer) => boolean;
  readonly end: (rawTrailers: readonly string[]) => void;
  /** Ends the response so that nobody takes it for complete. */
  readonly break: () => void;
  /** Sends this response in place of all others. */
  readonly answer: (answer: OwnAnswer) => void;
}

/** The result of a request. */
export interface Outcome {
  readonly reason: Reason;
  /** Status that the visitor gets. */
  readonly status: number;
  /** The canonical page that the visitor is sent to; undefined without a redirect. */
  readonly target: string | undefined;
  /** The origin's response, if there was one. */
  readonly origin?: { readonly status: number; readonly contentType: string | undefined } | undefined;
  /** The canonical link that was found. */
  readonly href?: string | undefined;
}

export interface DeliveryParts {
  readonly inquiry: Inquiry;
  /** Why the response passes unchanged; undefined if its head is to be inspected. */
  readonly reason: Reason | undefined;
  readonly sink: Sink;
  /** Timeout for the head of a page, in ms. */
  readonly inspectMs: number;
  /** Called once, in the same tick in which the visitor's response begins. */
  readonly onDecided: (outcome: Outcome) => void;
}
type Phase = "waiting" | "inspecting" | "passing" | "over";

export class Delivery implements OriginListener {
  readonly #parts: DeliveryParts;
  #exchange: OriginExchange | undefined;
  #phase: Phase = "waiting";
  #status = 0;
  #statusText = "";
  #headers: readonly string[] = [];
  #held: HeldBody | undefined;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  /** Must be called before the origin can answer. */
  start(exchange: OriginExchange): void {
    this.#exchange = exchange;
  }

  /** Continues after the sink was full. */
  resume(): void {
    this.#exchange?.resume();
  }

  /** Ends the exchange because the visitor has left. */
  cancel(): void {
    this.#endInspection();
    this.#phase = "over";
    this.#exchange?.abort();
  }

  onHead(status: number, statusText: string, rawHeaders: readonly string[]): void {
    if (this.#phase === "over") return;
    const headers = toVisitorHeaders(rawHeaders);
    if (!headers) {
      this.#fail("invalid");
      return;
    }
    this.#status = status;
    this.#statusText = statusText;
    this.#headers = headers;
    const { reason, inspectMs } = this.#parts;
    if (reason !== undefined) {
      this.#pass(reason);
      return;
    }
    const judgement = judgeAnswer(status, headers);
    if (judgement.kind === "pass") {
      this.#pass(judgement.reason);
      return;
    }
    this.#phase = "inspecting";
    this.#held = new HeldBody(createHeadReader(judgement.into), {
      inspectMs,
      onFinding: (finding) => {
        this.#decide(judgeFinding(finding, this.#parts.inquiry));
      },
      onLate: () => {
        this.#decide({ kind: "pass", reason: "origin_broken" });
      },
      pause: () => this.#exchange?.pause(),
      resume: () => this.#exchange?.resume(),
    });
  }

  onData(bytes: Buffer): void {
    if (this.#phase === "passing") {
      if (!this.#parts.sink.writeLast(bytes)) this.#exchange!.pause();
    } else if (this.#phase === "inspecting") {
      this.#held!.write(bytes);
    }
  }

  onEnd(rawTrailers: readonly string[]): void {
    if (this.#phase === "inspecting") this.#held!.end(rawTrailers);
    else if (this.#phase === "passing") this.#end(rawTrailers);
  }

  onFailure(failure: OriginFailure): void {
    if (this.#phase === "waiting") {
      this.#fail(failure);
      return;
    }
    // A visitor without the gateway would have received the same part, and then no more.
    if (this.#phase === "inspecting") this.#pass("origin_broken");
    if (this.#phase === "passing") {
      this.#phase = "over";
      this.#parts.sink.break();
    }
  }

  #decide(judgement: FindingJudgement): void {
    if (this.#phase !== "inspecting") return;
    if (judgement.kind === "pass") this.#pass(judgement.reason, judgement.href);
    else this.#redirect(judgement);
  }

  #redirect({ target, href }: { readonly target: string; readonly href: string }): void {
    const received = this.#held!.heldBytes;
    this.#endInspection();
    this.#phase = "over";
    const { sink, onDecided } = this.#parts;
    onDecided({ reason: "redirected", status: 301, target, origin: this.#origin(), href });
    const rest = Number(valueOf(this.#headers, "content-length") ?? Infinity) - received;
    if (rest > proxyLimits.drainedBodyBytes) this.#exchange!.abort();
    else this.#exchange!.resume();
    sink.answer(toRedirectAnswer(301, target));
  }

  /** Sends the head and all that was held. */
  #pass(reason: Reason, href?: string): void {
    const held = this.#held;
    this.#endInspection();
    const { sink, onDecided } = this.#parts;
    try {
      sink.head(this.#status, this.#statusText, this.#headers);
    } catch {
      // The parser accepts some bytes that the standard forbids: the response cannot be passed on.
      this.#fail("invalid");
      return;
    }
    onDecided({ reason, status: this.#status, target: undefined, origin: this.#origin(), href });
    this.#phase = "passing";
    if (!held) return;
    let hasRoom = true;
    for (const bytes of held.held) hasRoom = sink.write(bytes);
    if (held.trailers) this.#end(held.trailers);
    else if (hasRoom) this.#exchange!.resume();
    else this.#exchange!.pause();
  }

  #end(rawTrailers: readonly string[]): void {
    this.#phase = "over";
    this.#parts.sink.end(rawTrailers);
  }

  #fail(failure: OriginFailure): void {
    this.#phase = "over";
    this.#exchange?.abort();
    const answer = toFailureAnswer(failure);
    this.#parts.onDecided({ reason: "origin_unreachable", status: answer.status, target: undefined });
    this.#parts.sink.answer(answer);
  }

  #endInspection(): void {
    this.#held?.close();
    this.#held = undefined;
  }

  #origin(): NonNullable<Outcome["origin"]> {
    return { status: this.#status, contentType: valueOf(this.#headers, "content-type") };
  }
}
