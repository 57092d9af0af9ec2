// An answer on its way from the origin to the visitor: passed on piece by piece, or held back until the canonical link of
// its head is known, and then either released or cut off for a redirect. Serving and explaining both go through here.
import { createHeadReader } from "../canonical/head-reader.ts";
import type { Reason } from "../reason.ts";
import { toVisitorHeaders, valueOf } from "./headers.ts";
import { HeldBody } from "./held-body.ts";
import type { Inquiry } from "./inquiry.ts";
import { judgeAnswer, judgeFinding, type FindingJudgement } from "./judge.ts";
import type { OriginExchange, OriginFailure, OriginListener } from "./origin.ts";
import { toFailureAnswer, toRedirectAnswer, type OwnAnswer } from "./own-answers.ts";

/** Where an answer goes. */
export interface Sink {
  /** Names and values in turn. @throws where they are nothing that HTTP can say; then nothing has been sent. */
  readonly head: (status: number, statusText: string, rawHeaders: readonly string[]) => void;
  /** False when it has enough for now; `Delivery.resume` is to be called when it has not any more. */
  readonly write: (bytes: Buffer) => boolean;
  /** As `write`, of bytes that nobody else reads any more. */
  readonly writeLast: (bytes: Buffer) => boolean;
  readonly end: (rawTrailers: readonly string[]) => void;
  /** Ends it in a way that nobody takes for the end of a body. */
  readonly break: () => void;
  /** Instead of all the others. */
  readonly answer: (answer: OwnAnswer) => void;
}

/** What became of a request. */
export interface Outcome {
  readonly reason: Reason;
  /** Of the visitor's answer. */
  readonly status: number;
  /** The canonical page that the visitor is sent to. */
  readonly target: string | undefined;
  /** What the origin said, where it did. */
  readonly origin?: { readonly status: number; readonly contentType: string | undefined } | undefined;
  /** The canonical link that was found. */
  readonly href?: string | undefined;
}

export interface DeliveryParts {
  readonly inquiry: Inquiry;
  /** Why the answer passes as it is; undefined where it is to be looked into. */
  readonly reason: Reason | undefined;
  readonly sink: Sink;
  /** How long a page may take to show its head, in ms. */
  readonly lookMs: number;
  /** Called once, in the same turn in which the visitor's answer begins. */
  readonly onDecided: (outcome: Outcome) => void;
}

/** What is left of an answer that nobody wants is read to its end when it is short, for the sake of the connection. */
const mostDrainedBytes = 64 * 1024;

type Phase = "waiting" | "looking" | "passing" | "over";

export class Delivery implements OriginListener {
  readonly #parts: DeliveryParts;
  #exchange: OriginExchange | undefined;
  #phase: Phase = "waiting";
  #status = 0;
  #statusText = "";
  #headers: readonly string[] = [];
  #look: HeldBody | undefined;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  /** To be called before the origin can answer. */
  start(exchange: OriginExchange): void {
    this.#exchange = exchange;
  }

  /** The sink takes more. */
  resume(): void {
    this.#exchange?.resume();
  }

  /** The visitor has gone. */
  cancel(): void {
    this.#endLook();
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
    const { reason, lookMs } = this.#parts;
    if (reason !== undefined) {
      this.#pass(reason);
      return;
    }
    const judgement = judgeAnswer(status, headers);
    if (judgement.kind === "pass") {
      this.#pass(judgement.reason);
      return;
    }
    this.#phase = "looking";
    this.#look = new HeldBody(createHeadReader(judgement.into), {
      lookMs,
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
    } else if (this.#phase === "looking") {
      this.#look!.write(bytes);
    }
  }

  onEnd(rawTrailers: readonly string[]): void {
    if (this.#phase === "looking") this.#look!.end(rawTrailers);
    else if (this.#phase === "passing") this.#end(rawTrailers);
  }

  onFailure(failure: OriginFailure): void {
    if (this.#phase === "waiting") {
      this.#fail(failure);
      return;
    }
    // A direct visitor would have got what came, and then no more.
    if (this.#phase === "looking") this.#pass("origin_broken");
    if (this.#phase === "passing") {
      this.#phase = "over";
      this.#parts.sink.break();
    }
  }

  #decide(judgement: FindingJudgement): void {
    if (this.#phase !== "looking") return;
    if (judgement.kind === "pass") this.#pass(judgement.reason, judgement.href);
    else this.#redirect(judgement);
  }

  #redirect({ target, href }: { readonly target: string; readonly href: string }): void {
    const received = this.#look!.heldBytes;
    this.#endLook();
    this.#phase = "over";
    const { sink, onDecided } = this.#parts;
    onDecided({ reason: "redirected", status: 301, target, origin: this.#origin(), href });
    const rest = Number(valueOf(this.#headers, "content-length") ?? Infinity) - received;
    if (rest > mostDrainedBytes) this.#exchange!.abort();
    else this.#exchange!.resume();
    sink.answer(toRedirectAnswer(301, target));
  }

  /** Sends the head and whatever was held. */
  #pass(reason: Reason, href?: string): void {
    const look = this.#look;
    this.#endLook();
    const { sink, onDecided } = this.#parts;
    try {
      sink.head(this.#status, this.#statusText, this.#headers);
    } catch {
      // Bytes that the parser lets through and the standard does not: nothing of the answer can be passed on.
      this.#fail("invalid");
      return;
    }
    onDecided({ reason, status: this.#status, target: undefined, origin: this.#origin(), href });
    this.#phase = "passing";
    if (!look) return;
    let hasRoom = true;
    for (const bytes of look.held) hasRoom = sink.write(bytes);
    if (look.trailers) this.#end(look.trailers);
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

  #endLook(): void {
    this.#look?.close();
    this.#look = undefined;
  }

  #origin(): NonNullable<Outcome["origin"]> {
    return { status: this.#status, contentType: valueOf(this.#headers, "content-type") };
  }
}
