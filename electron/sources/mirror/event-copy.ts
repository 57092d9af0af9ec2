// One round of following an event: its list of revisions is read and held against what is here, what is missing is copied, and
// the event's row is taken over.
import { AppError } from "../../../shared/app-error.ts";
import { historyLimit } from "../../../shared/contract/history.ts";
import type { StormRevisionReady } from "../../../shared/contract/messages.ts";
import type { StormEvent } from "../../../shared/contract/storm-event.ts";
import type { Catalog, EventRecord } from "../../catalog/catalog.ts";
import type { EventHealth } from "./event-health.ts";
import { chooseWanted, findBreak, findChanged, layersOf, toKinds, type Comparison } from "./known-history.ts";
import { toCandidates, type Candidate, type ListedHistory } from "./listings.ts";
import { isMirrorFault } from "./mirror-fault.ts";
import type { MirrorLog } from "./mirror-log.ts";
import type { RemoteService } from "./remote-service.ts";
import type { RevisionCopier, RoundEnd } from "./revision-copier.ts";

const maxNotices = 100;

export interface EventCopyTools {
  readonly remote: RemoteService;
  readonly catalog: Pick<Catalog, "findEvent" | "listRevisions" | "adoptEvent" | "prune">;
  readonly log: MirrorLog;
  readonly copier: RevisionCopier;
  readonly health: EventHealth;
  /** The event's row as the other side has it now; undefined when it cannot tell, or has no such event in its list. */
  readonly readRow: (eventId: string) => Promise<StormEvent | undefined>;
  /** How much of an operational feed is kept; undefined keeps everything. */
  readonly keepMs: number | undefined;
}

interface ReadHistory {
  readonly history: ListedHistory;
  readonly etag: string | undefined;
}

export class EventCopy {
  readonly #tools: EventCopyTools;
  readonly #eventId: string;
  /** Of the list whose every revision was dealt with. */
  #etag: string | undefined;
  #mayBeNews = true;
  readonly #notices = new Map<number, StormRevisionReady>();

  constructor(eventId: string, tools: EventCopyTools) {
    this.#eventId = eventId;
    this.#tools = tools;
  }

  /** The next round has to read, whatever the event's row says. */
  expectNews(): void {
    this.#mayBeNews = true;
  }

  /** Whether the notice is of a sequence that was not heard of before. */
  hear(notice: StormRevisionReady): boolean {
    if (this.#notices.has(notice.sequence)) return false;
    this.#notices.set(notice.sequence, notice);
    for (const oldest of this.#notices.keys()) {
      if (this.#notices.size <= maxNotices) break;
      this.#notices.delete(oldest);
    }
    return true;
  }

  /**
   * Takes over what is new, or a part of it. @throws MirrorFault when the list cannot be read; AppError `conflict` when the event cannot be followed,
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
      // Without revisions of ours, that is how a service may put that an event is registered and has no data yet.
      if (answer === "gone" && isOurs) this.#noteGone();
      else await this.#takeRow(row);
      return "done";
    }
    const compared = await this.#compare(answer.history, row, held);
    // The row must not be older than the revisions: its window and bounds hold them.
    const newestId = compared.candidates.at(-1)?.revisionId;
    const isNewer = newestId !== undefined && newestId !== row.currentRevisionId;
    const newestRow = isNewer ? ((await this.#tools.readRow(this.#eventId)) ?? row) : row;
    const end = await this.#tools.copier.copy({
      row: newestRow,
      wanted: chooseWanted(compared, this.#tooOldMs(newestRow, compared)),
      kinds: toKinds(compared.candidates),
      ourLatest: compared.ourLatest,
    });
    if (end !== "done") return end;
    await this.#takeRow(newestRow);
    await this.#prune(newestRow);
    this.#etag = answer.etag;
    return end;
  }

  /** @throws AppError `conflict` for an event of our own */
  async #findHeld(): Promise<EventRecord | undefined> {
    const held = await this.#tools.catalog.findEvent(this.#eventId);
    if (!held || held.mirrorOf !== undefined) return held;
    throw new AppError(
      "conflict",
      `The event ${this.#eventId} was made here; the other side's event of that id is not followed.`,
    );
  }

  /** `unchanged` since every listed revision was dealt with; `gone` where there are none, or no more. */
  async #readHistory(): Promise<"unchanged" | "gone" | ReadHistory> {
    try {
      const answer = await this.#tools.remote.listRevisions(this.#eventId, this.#etag);
      return answer ? { history: answer.value, etag: answer.etag } : "unchanged";
    } catch (error) {
      if (!isMirrorFault(error, "gone")) throw error;
      return "gone";
    }
  }

  /** @throws AppError `conflict` when what is listed is not the history that was followed so far */
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
    for (const { frame } of candidates) if (frame) health.noteListed(frame.layers);
    for (const revision of revisions) health.noteHeld(layersOf(revision) ?? []);
    const problem = findBreak(compared);
    if (problem !== undefined) throw new AppError("conflict", problem);
    if (held && held.mirrorOf !== remote.baseUrl) this.#requireSame(compared);
    for (const candidate of findChanged(compared)) {
      copier.complain(
        candidate,
        "It says other things of a published revision than before; what is here stays.",
      );
    }
    return compared;
  }

  /**
   * The event was followed at another address: the service may have moved, or be another one with an event of this id.
   * @throws AppError `conflict` unless our newest revision is theirs
   */
  #requireSame({ candidates, revisions, ourLatest }: Comparison): void {
    const newest = revisions.at(-1);
    if (ourLatest === 0 || candidates.some(({ revisionId }) => revisionId === newest?.revisionId)) return;
    throw new AppError(
      "conflict",
      `The event ${this.#eventId} was followed at another address, where it was not this one; what is here stays.`,
    );
  }

  /**
   * The listed revisions by ascending sequence. Where the list leaves ids out, which it may, the notices and the latest
   * manifest name what they can.
   */
  async #nameCandidates(history: ListedHistory, row: StormEvent): Promise<readonly Candidate[]> {
    if ((history.eventId ?? this.#eventId) !== this.#eventId) {
      throw new AppError("conflict", "What it lists are the revisions of another event.");
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

  /** Observations before this would be removed again at once. */
  #tooOldMs({ kind }: StormEvent, { candidates }: Comparison): number {
    const { keepMs } = this.#tools;
    if (keepMs === undefined || kind !== "operational-feed") return -Infinity;
    const times = candidates.flatMap(({ frame }) => (frame ? [Date.parse(frame.observedAt)] : []));
    return Math.max(...times) - keepMs;
  }

  #noteGone(): void {
    const message = "The other side has no revisions of this event any more; what is here stays.";
    this.#tools.log.complain({ eventId: this.#eventId, kind: "gap", message });
  }

  /** Takes over the event's row where it differs from ours, data or not. */
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
    log.note({
      eventId: this.#eventId,
      kind: "pruned",
      message: `${revisions} revisions and ${frames} frames were older than what is kept.`,
    });
  }
}

/** `updatedAt` alone is no reason to write. */
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
