// Publishes while parts of a service fail: drafts of two writers, files for its feed, and archives for its workers.
// A writer repeats what was not acknowledged, as every caller of the catalog does.
import { mkdirSync, renameSync } from "node:fs";
import { basename, join } from "node:path";
import { isAppError } from "../../../shared/app-error.ts";
import { windowMs } from "../../../shared/revisions/observation-window.ts";
import type { RevisionRecord } from "../../../electron/catalog/catalog.ts";
import { openStores } from "../../../electron/catalog/stores/open-stores.ts";
import { publishAgainWhileFramesVanish } from "../../../electron/catalog/stores/frame-vanished.ts";
import type { Stores } from "../../../electron/catalog/stores/located-stores.ts";
import { draftOf, findPicture } from "../../../electron/catalog/support/drafts.ts";
import { writeGribFile } from "../../../electron/support/grib-files.ts";
import { liveEvent, type TrialService } from "./trial-service.ts";

const writerCount = 2;
const draftsOfEach = 6;
const filesOfRound = 2;
/** Rounds of one pair of events. */
const roundsOfEvent = 20;
/** The newest file is observed this long before the start of the trial. */
const newestAgeMs = 10 * 60_000;
const patienceMs = 120_000;
const archiveStartMs = Date.UTC(2022, 4, 1, 20, 0, 39);
const archiveWindows = 12;

export class TrialWork {
  /** Revisions that `publish` has returned. */
  readonly acknowledged: RevisionRecord[] = [];
  /** Number of revisions that each event must have. */
  readonly expected = new Map<string, number>();
  readonly #service: TrialService;
  readonly #writers: readonly Stores[];
  readonly #making: string;
  readonly #oldestMs: number;
  #round = 0;
  #files = 0;

  private constructor(service: TrialService, writers: readonly Stores[], rounds: number) {
    this.#service = service;
    this.#writers = writers;
    this.#making = join(service.inbox, "..", "making");
    mkdirSync(this.#making);
    // A few rounds write one file more.
    this.#oldestMs = Date.now() - newestAgeMs - rounds * (filesOfRound + 1) * windowMs;
  }

  static async open(service: TrialService, rounds: number): Promise<TrialWork> {
    const open = (): Promise<Stores> => openStores(service.location, { now: () => new Date() });
    return new TrialWork(service, await Promise.all(Array.from({ length: writerCount }, open)), rounds);
  }

  /** Events that the writers and the feed publish into in this round. */
  get eventIds(): readonly string[] {
    const block = Math.floor(this.#round / roundsOfEvent);
    return [liveEvent, ...this.#writers.map((_, writer) => `storm-${block}-${writer}`)];
  }

  /** Publishes the drafts and files of one round. Rejects if the service does not recover. */
  async publishRound(): Promise<void> {
    const [, ...eventIds] = this.eventIds;
    for (let file = 0; file < filesOfRound; file += 1) this.writeFile();
    await Promise.all(
      eventIds.map((eventId, writer) => this.#publishDrafts(this.#writers[writer]!, eventId)),
    );
  }

  nextRound(): void {
    this.#round += 1;
  }

  /** Publishes one draft more into an event. Returns when it was acknowledged. */
  async publishOne(eventId: string): Promise<void> {
    const index = this.expected.get(eventId) ?? 0;
    const draft = draftOf(eventId, { seconds: index * 120, message: `${eventId} ${index}` });
    await this.#publish(this.#writers[0]!, draft);
    this.expected.set(eventId, index + 1);
  }

  /** Puts one file into the folder of the feed. */
  writeFile(): void {
    const own = this.#files++;
    const marks = [own % 12, Math.floor(own / 12) % 12, Math.floor(own / 144) % 12];
    const path = writeGribFile(this.#making, {
      product: "mrms-mesh",
      observedAt: new Date(this.#oldestMs + own * windowMs).toISOString(),
      values: (row, column) => ((row === 0 ? (marks[column] ?? 1) : row * 5 + column) % 12) * 5,
    });
    renameSync(path, join(this.#service.inbox, basename(path)));
    this.expected.set(liveEvent, own + 1);
  }

  /** Queues an archive of an event of its own for the workers. Returns the event. */
  async queueArchive(): Promise<string> {
    const eventId = `archive-${this.#round}`;
    const folder = join(this.#making, eventId);
    mkdirSync(folder);
    const at = (window: number): string =>
      new Date(archiveStartMs + (this.#round * archiveWindows + window) * windowMs).toISOString();
    for (let window = 0; window < archiveWindows; window += 1)
      writeGribFile(folder, { product: "mrms-mesh", observedAt: at(window), fill: 1 + window + this.#round });
    const names = ["--event", eventId, "--label", eventId];
    await this.#service.run("register", ...names, "--start", at(0), "--end", at(archiveWindows));
    await this.#service.run("fetch", "--event", eventId, "--source", `folder:${folder}`, "--queue");
    this.expected.set(eventId, archiveWindows);
    return eventId;
  }

  async close(): Promise<void> {
    await Promise.all(this.#writers.map((stores) => stores.close()));
  }

  async #publishDrafts(stores: Stores, eventId: string): Promise<void> {
    const first = this.expected.get(eventId) ?? 0;
    this.expected.set(eventId, first + draftsOfEach);
    for (let index = first; index < first + draftsOfEach; index += 1) {
      await this.#publish(stores, draftOf(eventId, { seconds: index * 120, message: `${eventId} ${index}` }));
    }
  }

  async #publish({ catalog, frames }: Stores, draft: ReturnType<typeof draftOf>): Promise<void> {
    const startedMs = performance.now();
    for (;;) {
      try {
        const { revision } = await publishAgainWhileFramesVanish(async () => {
          for (const { frameId } of draft.layers) await frames.put(findPicture(frameId)!);
          return catalog.publish(draft);
        });
        if (revision) this.acknowledged.push(revision);
        return;
      } catch (error) {
        const mayRecover = isAppError(error, "storage-unavailable") || isAppError(error, "storage-failed");
        if (!mayRecover || performance.now() - startedMs > patienceMs) throw error;
      }
    }
  }
}
