// Copies revisions of one event in ascending sequence, and fetches the frames of the next ones meanwhile. An unusable
// revision is tried a limited number of times; then the following ones are copied without it.
import { setMaxListeners } from "node:events";
import { isAppError } from "../../../shared/app-error.ts";
import type { MrmsLayer } from "../../../shared/contract/manifest.ts";
import type { StormEvent } from "../../../shared/contract/storm-event.ts";
import type { RevisionChange } from "../../../shared/revisions/publication.ts";
import type { AdoptDraft, Catalog } from "../../catalog/catalog.ts";
import { publishAgainWhileFramesVanish } from "../../catalog/stores/frame-vanished.ts";
import type { Effects } from "../../platform/effects.ts";
import { HttpFailure, isHttpFailure } from "../fetching/http-failure.ts";
import type { EventHealth } from "./event-health.ts";
import type { FrameCopies } from "./frame-copies.ts";
import type { Candidate } from "./listings.ts";
import { maxAttempts, revisionsAtOnce, revisionsPerRound } from "./mirror-limits.ts";
import type { MirrorLog } from "./mirror-log.ts";
import type { RemoteService } from "./remote-service.ts";
import { requireFitting, toAdoptDraft } from "./revision-draft.ts";

/**
 * - `done`: everything listed was copied or given up.
 * - `more`: the next round continues at once.
 * - `again`: something failed and is retried after a delay.
 */
export type RoundEnd = "done" | "more" | "again";

export interface CopierTools {
  readonly remote: RemoteService;
  readonly copies: FrameCopies;
  readonly catalog: Pick<Catalog, "adopt">;
  readonly log: MirrorLog;
  readonly effects: Pick<Effects, "now">;
}

export interface CopyOrder {
  readonly row: StormEvent;
  /** In ascending sequence. */
  readonly wanted: readonly Candidate[];
  readonly changes: ReadonlyMap<number, RevisionChange | undefined>;
  /** Highest sequence ever stored; 0 for none. */
  readonly ourLatest: number;
}

/** An error is a value here, so that a revision fetched ahead fails only when it is next. */
type Prepared = { readonly draft: AdoptDraft } | { readonly error: unknown };

export class RevisionCopier {
  readonly #eventId: string;
  readonly #tools: CopierTools;
  readonly #health: EventHealth;
  readonly #signal: AbortSignal;
  /** Failed attempts by sequence. */
  readonly #attempts = new Map<number, number>();
  /** True if the newest listed revision is unusable so far. */
  hasTrouble = false;

  constructor(eventId: string, tools: CopierTools, health: EventHealth, signal: AbortSignal) {
    this.#eventId = eventId;
    this.#tools = tools;
    this.#health = health;
    this.#signal = signal;
    // Every request of every revision in progress listens to it.
    setMaxListeners(0, signal);
  }

  /**
   * Copies one batch of the wanted revisions.
   * @throws AppError `conflict` if the catalog refuses the event, `storage-failed`
   */
  async copy(order: CopyOrder): Promise<RoundEnd> {
    const { row, wanted, changes, ourLatest } = order;
    const open = wanted.filter(({ sequence }) => (this.#attempts.get(sequence) ?? 0) < maxAttempts);
    const batch = open.slice(0, revisionsPerRound);
    const preparing: Promise<Prepared>[] = [];
    let newest = ourLatest;
    this.#health.pending = open.length;
    try {
      for (const [index, candidate] of batch.entries()) {
        while (preparing.length < Math.min(batch.length, index + revisionsAtOnce)) {
          preparing.push(this.#prepare(batch[preparing.length]!, row));
        }
        const outcome = await this.#take(candidate, await preparing[index]!, order);
        this.#signal.throwIfAborted();
        if (outcome === "again") return "again";
        this.#health.pending -= 1;
        if (outcome === "passed") continue;
        this.#noteCopied(outcome, newest, changes.get(candidate.sequence));
        newest = Math.max(newest, candidate.sequence);
      }
      if (open.length > batch.length) return "more";
      this.hasTrouble = wanted.some(({ sequence }) => sequence > newest && this.#attempts.has(sequence));
      return "done";
    } finally {
      await Promise.allSettled(preparing);
    }
  }

  /** Logs a problem of a listed revision once. */
  complain(candidate: Candidate, message: string): void {
    const { revisionId, sequence, frame } = candidate;
    this.#health.noteFailedLayers(frame?.layers ?? [], message);
    if (this.#tools.log.complain({ eventId: this.#eventId, kind: "failed", revisionId, sequence, message })) {
      this.#health.counts.failed += 1;
    }
  }

  async #prepare(candidate: Candidate, row: StormEvent): Promise<Prepared> {
    try {
      return { draft: await this.#draft(candidate, row) };
    } catch (error) {
      return { error };
    }
  }

  async #draft(candidate: Candidate, row: StormEvent): Promise<AdoptDraft> {
    const { remote } = this.#tools;
    const { revisionId, problem, manifestPath } = candidate;
    if (problem !== undefined) throw new HttpFailure("invalid", problem);
    const answer = await remote.readManifest(row.id, revisionId, manifestPath);
    requireFitting(row.id, candidate, answer);
    const manifest = answer.value;
    const frameIds = await Promise.all(manifest.layers.map((layer) => this.#copyFrame(layer, candidate)));
    return toAdoptDraft({ mirrorOf: remote.baseUrl, event: row, candidate, manifest, frameIds });
  }

  async #copyFrame(layer: MrmsLayer, { revisionId, sequence }: Candidate): Promise<string> {
    const { copies, log, effects } = this.#tools;
    const { frameId, byteLength } = await copies.copy(layer.imageUrl);
    if (byteLength === undefined) {
      this.#health.counts.duplicates += 1;
      return frameId;
    }
    this.#health.counts.received += 1;
    log.note({
      eventId: this.#eventId,
      kind: "received",
      productId: layer.id,
      observedAt: layer.observedAt,
      locator: layer.imageUrl,
      byteLength,
      delayMs: effects.now().getTime() - Date.parse(layer.observedAt),
      revisionId,
      sequence,
    });
    return frameId;
  }

  async #take(
    candidate: Candidate,
    prepared: Prepared,
    { row, ourLatest }: CopyOrder,
  ): Promise<AdoptDraft | "again" | "passed"> {
    try {
      if ("error" in prepared) throw prepared.error;
      return await this.#adopt(candidate, prepared.draft, row);
    } catch (error) {
      return this.#settle(candidate, error, ourLatest);
    }
  }

  /** Decides what a failure means for the revision. @throws the error itself if it is not the revision's */
  #settle(candidate: Candidate, error: unknown, ourLatest: number): "again" | "passed" {
    const { sequence } = candidate;
    const isFault = isHttpFailure(error) || isAppError(error, "invalid-input");
    if (sequence <= ourLatest) {
      // It was withdrawn or skipped before. One attempt is enough, and the catalog may refuse it.
      if (!isFault && !isAppError(error, "conflict")) throw error;
      this.#attempts.set(sequence, maxAttempts);
      return "passed";
    }
    if (!isFault) throw error;
    const attempts = (this.#attempts.get(sequence) ?? 0) + 1;
    this.#attempts.set(sequence, attempts);
    this.#health.isFailing = true;
    this.complain(candidate, error.message);
    return attempts < maxAttempts ? "again" : "passed";
  }

  /** Copies frames again that retention removed before the adoption. */
  async #adopt(candidate: Candidate, draft: AdoptDraft, row: StormEvent): Promise<AdoptDraft | "passed"> {
    const { catalog, copies } = this.#tools;
    let offered = draft;
    const outcome = await publishAgainWhileFramesVanish(async () => {
      try {
        return await catalog.adopt(offered);
      } catch (error) {
        if (isAppError(error, "frame-missing")) {
          copies.forget();
          offered = await this.#draft(candidate, row);
        }
        throw error;
      }
    });
    return outcome === "adopted" ? offered : "passed";
  }

  #noteCopied(
    { event, revision, manifest }: AdoptDraft,
    before: number,
    change: RevisionChange | undefined,
  ): void {
    const { log, effects } = this.#tools;
    const { revisionId, sequence, observedAt } = revision;
    const missing = before === 0 ? 0 : sequence - before - 1;
    if (missing > 0) {
      this.#health.counts.gaps += missing;
      const which =
        missing === 1 ? `Revision ${sequence - 1} is` : `Revisions ${before + 1} to ${sequence - 1} are`;
      const message = `${which} missing: removed by the source, or not usable.`;
      log.note({ eventId: event.id, kind: "gap", message });
    }
    this.#health.noteRevision(manifest.layers, change);
    log.note({
      eventId: event.id,
      kind: "published",
      observedAt,
      delayMs: effects.now().getTime() - Date.parse(observedAt),
      revisionId,
      sequence,
      ...(change !== undefined && { change }),
    });
  }
}
