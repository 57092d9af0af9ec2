// One round of following an event: reads its list of revisions, compares it with the stored ones, copies what is
// missing, and adopts the event's row.
import { AppError } from "../../../shared/app-error.ts";
import { historyLimit } from "../../../shared/contract/history.ts";
import type { StormRevisionReady } from "../../../shared/contract/messages.ts";
import type { StormEvent } from "../../../shared/contract/storm-event.ts";
import type { Catalog, EventRecord } from "../../catalog/catalog.ts";
import { isHttpFailure } from "../fetching/http-failure.ts";
import type { EventHealth } from "./event-health.ts";
import {
  chooseWanted,
  findBreak,
  findChanged,
  layersOf,
  toChanges,
  type Comparison,
} from "./known-history.ts";
import { toCandidates, type Candidate, type ListedHistory } from "./listings.ts";
import { maxNotices } from "./mirror-limits.ts";
import type { MirrorLog } from "./mirror-log.ts";
import type { RemoteService } from "./remote-service.ts";
import type { RevisionCopier, RoundEnd } from "./revision-copier.ts";

export interface EventCopyTools {
  readonly remote: RemoteService;
  readonly catalog: Pick<Catalog, "findEvent" | "listRevisions" | "adoptEvent" | "prune">;
  readonly log: MirrorLog;
  readonly copier: RevisionCopier;
  readonly health: EventHealth;
  /** Returns the event's current remote row; undefined if it is not listed or the list cannot be read. */
  readonly readRow: (eventId: string) => Promise<StormEvent | undefined>;
  /** Time before the newest observation that an operational feed keeps; undefined keeps everything. */
  readonly keepMs: number | undefined;
}

interface ReadHistory {
  readonly history: ListedHistory;
  readonly etag: string | undefined;
}

export class EventCopy {
  readonly #tools: EventCopyTools;
  readonly #eventId: string;
  /** ETag of the list of which every revision was copied or given up. */
  #etag: string | undefined;
  #mayBeNews = true;
  readonly #notices = new Map<number, StormRevisionReady>();

  constructor(eventId: string, tools: EventCopyTools) {
    this.#eventId = eventId;
    this.#tools = tools;
  }

  /** Makes the next round read the list of revisions. */
  expectNews(): void {
    this.#mayBeNews = true;
  }

  /** Remembers a notice. Returns true if its sequence is new. */
  hear(notice: StormRevisionReady): boolean {
    if (this.#notices.has(notice.sequence)) return false;
    this.#notices.set(notice.sequence, notice);
    if (this.#notices.size > maxNotices) this.#notices.delete(this.#notices.keys().next().value!);
    return true;
  }

  /**
   * Copies what is new, or a part of it.
   * @throws HttpFailure if the list cannot be read; AppError `conflict` if the event cannot be followed,
   * `storage-failed`
   */
  async advance(row: StormEvent): Promise<RoundEnd> {
    const { copier, health, log } = this.#tools;
    const held = await this.#findHeld();
    let end: RoundEnd = "again";
    try {
      const isCurrent = held !== undefined && row.currentRevisionId === held.currentRevisionId;
      if (isCurrent && !this.#mayBeNews) {
        await this.#takeRow(row);
        end = "done";
      } else {
        this.#mayBeNews = false;
        end = await this.#readAndCopy(row, held);
      }
      if (end === "done") {
        if (health.isFailing) log.forgive(this.#eventId);
        health.isFailing = copier.hasTrouble;
      }
      return end;
    } finally {
      if (end !== "done") {
        this.#mayBeNews = true;
        this.#etag = undefined;
      }
    }
  }

  async #readAndCopy(row: StormEvent, held: EventRecord | undefined): Promise<RoundEnd> {
    const answer = await this.#readHistory();
    if (answer === "unchanged" || answer === "gone") {
      const isOurs = held && (held.latestSequence > 0 || held.mirrorOf !== this.#tools.remote.baseUrl);
      // A service may also report a registered event without data as gone.
      if (answer === "gone" && isOurs) {
        const message = "The source no longer has revisions of this event; the local copy is unchanged.";
        this.#tools.log.complain({ eventId: this.#eventId, kind: "gap", message });
      } else await this.#takeRow(row);
      return "done";
    }
    const compared = await this.#compare(answer.history, row, held);
    // The row must not be older than the revisions: its window and bounds contain them.
    const newestId = compared.candidates.at(-1)?.revisionId;
    const isNewer = newestId !== undefined && newestId !== row.currentRevisionId;
    const newestRow = isNewer ? ((await this.#tools.readRow(this.#eventId)) ?? row) : row;
    const end = await this.#tools.copier.copy({
      row: newestRow,
      wanted: chooseWanted(compared, this.#tooOldMs(newestRow, compared)),
      changes: toChanges(compared.candidates),
      ourLatest: compared.ourLatest,
    });
    if (end !== "done") return end;
    await this.#takeRow(newestRow);
    await this.#prune(newestRow);
    this.#etag = answer.etag;
    return end;
  }

  /** @throws AppError `conflict` for an event that was created here */
  async #findHeld(): Promise<EventRecord | undefined> {
    const held = await this.#tools.catalog.findEvent(this.#eventId);
    if (!held || held.mirrorOf !== undefined) return held;
    throw new AppError(
      "conflict",
      `The event ${this.#eventId} was created here; the source's event with the same id is not followed.`,
    );
  }

  /** Returns `unchanged` since the last complete round, `gone` if there are no revisions. */
  async #readHistory(): Promise<"unchanged" | "gone" | ReadHistory> {
    try {
      const answer = await this.#tools.remote.listRevisions(this.#eventId, this.#etag);
      return answer ? { history: answer.value, etag: answer.etag } : "unchanged";
    } catch (error) {
      if (!isHttpFailure(error, "gone")) throw error;
      return "gone";
    }
  }

  /** @throws AppError `conflict` if the list does not continue the history followed so far */
  async #compare(
    history: ListedHistory,
    row: StormEvent,
    held: EventRecord | undefined,
  ): Promise<Comparison> {
    const { catalog, copier, health, remote } = this.#tools;
    const candidates = await this.#nameCandidates(history, row);
    const revisions = await catalog.listRevisions(this.#eventId, historyLimit.max);
    const theirLatest = Math.max(candidates.at(-1)?.sequence ?? 0, history.latestSequence ?? 0);
    const compared = { candidates, theirLatest, revisions, ourLatest: held?.latestSequence ?? 0 };
    for (const { frame } of candidates) if (frame) health.noteListedLayers(frame.layers);
    for (const revision of revisions) health.noteHeldLayers(layersOf(revision) ?? []);
    const problem = findBreak(compared);
    if (problem !== undefined) throw new AppError("conflict", problem);
    if (held && held.mirrorOf !== remote.baseUrl) this.#requireSame(compared);
    for (const candidate of findChanged(compared)) {
      copier.complain(candidate, "The source changed a published revision; the local copy is unchanged.");
    }
    return compared;
  }

  /**
   * Checks an event that was followed at another address: the service may have moved, or may be a different one.
   * @throws AppError `conflict` unless the newest stored revision is listed
   */
  #requireSame({ candidates, revisions, ourLatest }: Comparison): void {
    const newest = revisions.at(-1);
    if (ourLatest === 0 || candidates.some(({ revisionId }) => revisionId === newest?.revisionId)) return;
    throw new AppError(
      "conflict",
      `The event ${this.#eventId} was copied from another source, whose event differs; the local copy is unchanged.`,
    );
  }

  /**
   * Returns the listed revisions in ascending sequence. The list may omit ids; then notices and the latest manifest
   * supply them if they can.
   */
  async #nameCandidates(history: ListedHistory, row: StormEvent): Promise<readonly Candidate[]> {
    if ((history.eventId ?? this.#eventId) !== this.#eventId) {
      throw new AppError("conflict", "The source lists the revisions of another event.");
    }
    const { listed, problems } = toCandidates(history.frames);
    if (problems.length === 0) return listed;
    const { log, remote, health } = this.#tools;
    const named = new Map(listed.map((candidate) => [candidate.sequence, candidate]));
    for (const { sequence, revisionId, manifestUrl } of this.#notices.values()) {
      if (!named.has(sequence)) named.set(sequence, { sequence, revisionId, manifestPath: manifestUrl });
    }
    const { value: latest } = await remote.readLatestManifest(this.#eventId);
    const revisionId = latest.revisionId ?? row.currentRevisionId ?? undefined;
    const sequence = latest.sequence ?? history.latestSequence;
    if (revisionId !== undefined && sequence !== undefined && !named.has(sequence)) {
      named.set(sequence, { revisionId, sequence });
    }
    if (log.complain({ eventId: this.#eventId, kind: "failed", message: problems[0]! })) {
      health.counts.failed += 1;
    }
    return [...named.values()].sort((a, b) => a.sequence - b.sequence);
  }

  /** Returns the time before which retention would remove an observation at once. */
  #tooOldMs({ kind }: StormEvent, { candidates }: Comparison): number {
    const { keepMs } = this.#tools;
    if (keepMs === undefined || kind !== "operational-feed") return -Infinity;
    const times = candidates.flatMap(({ frame }) => (frame ? [Date.parse(frame.observedAt)] : []));
    return Math.max(...times) - keepMs;
  }

  /** Adopts the event's row if it differs from the stored one, even without revisions. */
  async #takeRow(row: StormEvent): Promise<void> {
    const held = await this.#tools.catalog.findEvent(this.#eventId);
    if (held && isSameRow(held, row)) return;
    await this.#tools.catalog.adoptEvent(this.#tools.remote.baseUrl, row);
  }

  async #prune({ kind }: StormEvent): Promise<void> {
    const { keepMs, catalog, log } = this.#tools;
    if (keepMs === undefined || kind !== "operational-feed") return;
    const { revisions, frames } = await catalog.prune(this.#eventId, keepMs);
    if (revisions === 0) return;
    const message = `${revisions} old revisions and ${frames} frames were removed.`;
    log.note({ eventId: this.#eventId, kind: "pruned", message });
  }
}

/** Compares rows except for `updatedAt`. */
function isSameRow(held: EventRecord, row: StormEvent): boolean {
  const instantOf = (text: string | null | undefined): number | undefined =>
    typeof text === "string" ? Date.parse(text) : undefined;
  return (
    held.kind === row.kind &&
    held.label === row.label &&
    held.status === row.status &&
    instantOf(held.startedAt) === instantOf(row.startedAt) &&
    instantOf(held.endedAt) === instantOf(row.endedAt) &&
    JSON.stringify(held.bounds) === JSON.stringify(row.bounds ?? null)
  );
}
