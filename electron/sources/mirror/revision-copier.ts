// Copies revisions of one event, one after the other in ascending sequence, while the frames of the next ones are on their way.
// A revision that cannot be used is tried a bounded number of times; then what follows it goes on without it.
import { setMaxListeners } from "node:events";
import type { MrmsLayer } from "../../../shared/contract/manifest.ts";
import type { StormEvent } from "../../../shared/contract/storm-event.ts";
import type { PublicationKind } from "../../../shared/revisions/publication.ts";
import type { RevisionChange } from "../../../shared/revisions/revision-change.ts";
import { isAppError } from "../../../shared/app-error.ts";
import type { AdoptDraft, Catalog } from "../../catalog/catalog.ts";
import { publishAgainWhileFramesVanish } from "../../catalog/frame-vanished.ts";
import type { EventHealth } from "./event-health.ts";
import type { FrameCopies } from "./frame-copies.ts";
import type { Candidate } from "./listings.ts";
import { isMirrorFault, MirrorFault } from "./mirror-fault.ts";
import type { MirrorLog } from "./mirror-log.ts";
import type { RemoteService } from "./remote-service.ts";
import { requireFitting, toAdoptDraft } from "./revision-draft.ts";

/** Revisions that are fetched at once, the one whose turn it is among them. */
const ahead = 4;
const maxAttempts = 6;
const batchSize = 24;

/**
 * - `done`: everything that is listed was dealt with, taken over or given up.
 * - `more`: the rest is for the next round, at once.
 * - `again`: something failed and is to be tried again after a while.
 */
export type RoundEnd = "done" | "more" | "again";

export interface CopierTools {
  readonly remote: RemoteService;
  readonly copies: FrameCopies;
  readonly catalog: Pick<Catalog, "adopt">;
  readonly log: MirrorLog;
  readonly now: () => Date;
}

export interface CopyOrder {
  readonly row: StormEvent;
  /** In ascending sequence. */
  readonly wanted: readonly Candidate[];
  readonly kinds: ReadonlyMap<number, PublicationKind>;
  /** The highest sequence that was ever held here; 0 for none. */
  readonly ourLatest: number;
}

/** A fault is a value here, so that what runs ahead fails in its turn. */
type Prepared = { readonly draft: AdoptDraft } | { readonly error: unknown };

export class RevisionCopier {
  readonly #eventId: string;
  readonly #tools: CopierTools;
  readonly #health: EventHealth;
  readonly #signal: AbortSignal;
  /** By sequence, how often a revision could not be used. */
  readonly #attempts = new Map<number, number>();
  #hasTrouble = false;

  constructor(eventId: string, tools: CopierTools, health: EventHealth, signal: AbortSignal) {
    this.#eventId = eventId;
    this.#tools = tools;
    this.#health = health;
    this.#signal = signal;
    // Every request of every revision under way listens to it.
    setMaxListeners(0, signal);
  }

  /** Whether the newest that is listed could not be used, so far or for good. */
  get hasTrouble(): boolean {
    return this.#hasTrouble;
  }

  /**
   * Copies a batch of what is wanted: no event keeps the others waiting for as long as all of it may take.
   * @throws AppError `conflict` where the catalog refuses the event, `storage-failed`
   */
  async copy(order: CopyOrder): Promise<RoundEnd> {
    const { row, wanted, kinds, ourLatest } = order;
    const open = wanted.filter(({ sequence }) => (this.#attempts.get(sequence) ?? 0) < maxAttempts);
    const batch = open.slice(0, batchSize);
    const preparing: Promise<Prepared>[] = [];
    let newest = ourLatest;
    this.#health.pending = open.length;
    try {
      for (const [index, candidate] of batch.entries()) {
        while (preparing.length < Math.min(batch.length, index + ahead)) {
          preparing.push(this.#prepare(batch[preparing.length]!, row));
        }
        const outcome = await this.#take(candidate, await preparing[index]!, order);
        this.#signal.throwIfAborted();
        if (outcome === "again") return "again";
        this.#health.pending -= 1;
        if (outcome === "passed") continue;
        this.#noteTaken(outcome, { before: newest, kind: kinds.get(candidate.sequence) });
        newest = Math.max(newest, candidate.sequence);
      }
      if (open.length > batch.length) return "more";
      this.#hasTrouble = wanted.some(({ sequence }) => sequence > newest && this.#attempts.has(sequence));
      return "done";
    } finally {
      await Promise.allSettled(preparing);
    }
  }

  /** Says what is wrong with a listed revision, once. */
  complain(candidate: Candidate, message: string): void {
    const { revisionId, sequence, frame } = candidate;
    this.#health.noteFailure(frame?.layers ?? [], message);
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
    const { remote, copies } = this.#tools;
    const { revisionId, problem, manifestPath } = candidate;
    if (problem !== undefined) throw new MirrorFault("answer", problem);
    const answer = await remote.readManifest(row.id, revisionId, manifestPath);
    requireFitting(row.id, candidate, answer);
    const manifest = answer.value;
    const frameIds = await Promise.all(
      manifest.layers.map((layer) => this.#copyFrame(copies, layer, candidate)),
    );
    return toAdoptDraft({ mirrorOf: remote.baseUrl, event: row, candidate, manifest, frameIds });
  }

  async #copyFrame(
    copies: FrameCopies,
    layer: MrmsLayer,
    { revisionId, sequence }: Candidate,
  ): Promise<string> {
    const { frameId, byteLength } = await copies.copy(layer.imageUrl);
    if (byteLength === undefined) {
      this.#health.counts.duplicates += 1;
    } else {
      this.#health.counts.received += 1;
      this.#tools.log.note({
        eventId: this.#eventId,
        kind: "received",
        productId: layer.id,
        observedAt: layer.observedAt,
        locator: layer.imageUrl,
        byteLength,
        delayMs: this.#tools.now().getTime() - Date.parse(layer.observedAt),
        revisionId,
        sequence,
      });
    }
    return frameId;
  }

  async #take(
    candidate: Candidate,
    prepared: Prepared,
    { row, ourLatest }: CopyOrder,
  ): Promise<AdoptDraft | "again" | "passed"> {
    try {
      if ("error" in prepared) throw prepared.error;
      const { draft } = prepared;
      return await this.#adopt(candidate, draft, row);
    } catch (error) {
      return this.#settle(candidate, error, ourLatest);
    }
  }

  /** What a failure means for the revision. @throws the error itself, where it is not the revision's */
  #settle(candidate: Candidate, error: unknown, ourLatest: number): "again" | "passed" {
    const { sequence } = candidate;
    const isFault = isMirrorFault(error) || isAppError(error, "invalid-input");
    if (sequence <= ourLatest) {
      // It was withdrawn here, or passed over before. One try is enough, and the catalog may not want it.
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

  /** Frames that retention removed between their copying and the adoption are copied again. */
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

  #noteTaken(
    { event, revision, manifest }: AdoptDraft,
    { before, kind }: { readonly before: number; readonly kind: PublicationKind | undefined },
  ): void {
    const { log, now } = this.#tools;
    const { revisionId, sequence, observedAt } = revision;
    const missing = before === 0 ? 0 : sequence - before - 1;
    if (missing > 0) {
      this.#health.counts.gaps += missing;
      const which =
        missing === 1 ? `Sequence ${sequence - 1} is` : `Sequences ${before + 1} to ${sequence - 1} are`;
      log.note({
        eventId: event.id,
        kind: "gap",
        message: `${which} missing: not there any more, or not usable.`,
      });
    }
    this.#health.notePublished(manifest.layers, kind);
    log.note({
      eventId: event.id,
      kind: "published",
      observedAt,
      delayMs: now().getTime() - Date.parse(observedAt),
      revisionId,
      sequence,
      ...(kind !== undefined && kind !== "unknown" && { change: changes[kind] }),
    });
  }
}

const changes: Readonly<Record<Exclude<PublicationKind, "unknown">, RevisionChange>> = {
  new: "first",
  correction: "correction",
  completion: "completion",
  backfill: "backfill",
};
