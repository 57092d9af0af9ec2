// Watches a service as its viewers do, through sockets at every reader, and compares after each failure what it serves
// with what was published: no gap, no double, no missing frame, no changed byte under a URL, nothing acknowledged lost.
import { WebSocket } from "ws";
import type { Random } from "../../../electron/pipeline/demo/random.ts";
import { mapLimited } from "../../../electron/platform/locks/limit.ts";
import { sha256Of } from "../../../electron/platform/sha256.ts";
import { toPath } from "../../../shared/contract/operations.ts";
import { MrmsHistory, MrmsManifest } from "../../../shared/contract/index.ts";
import type { HostSlot, TrialService } from "./trial-service.ts";
import type { TrialWork } from "./trial-work.ts";

const patienceMs = 90_000;
const pauseMs = 20;
/** Older URLs that are read again after each failure. */
const rereadCount = 10;

interface StoredRow extends Record<string, unknown> {
  readonly event_id: string;
  readonly sequence: string;
  readonly revision_id: string;
  readonly manifest_sha256: string;
  readonly observed_at: string;
}

interface Heard {
  readonly sequence: number;
  readonly revisionId: string;
  readonly atMs: number;
}

/** Sockets of one event at one reader; opened again after each end. */
class Listener {
  readonly #slot: HostSlot;
  readonly eventId: string;
  readonly heard: Heard[] = [];
  readonly faults: string[] = [];
  #socket: WebSocket | undefined;
  #isClosed = false;

  constructor(slot: HostSlot, eventId: string) {
    this.#slot = slot;
    this.eventId = eventId;
    this.#open();
  }

  get latest(): number {
    return this.heard.at(-1)?.sequence ?? 0;
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.terminate();
  }

  #open(): void {
    const path = toPath("openStream", { eventId: this.eventId });
    const socket = new WebSocket(`${this.#slot.origin.replace("http", "ws")}${path}`);
    this.#socket = socket;
    let last = 0;
    socket.on("error", () => undefined);
    socket.on("message", (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Partial<Heard> & { lastRevision?: Heard };
      const notice = message.sequence === undefined ? message.lastRevision : (message as Heard);
      if (!notice) return;
      if (notice.sequence <= last) this.faults.push(`${this.eventId} heard ${notice.sequence} after ${last}`);
      last = notice.sequence;
      this.heard.push({ ...notice, atMs: performance.now() });
    });
    socket.on("close", () => {
      // The reader may be gone for a second.
      setTimeout(() => {
        if (!this.#isClosed) this.#open();
      }, 50);
    });
  }
}

export class TrialWitness {
  readonly #service: TrialService;
  readonly #work: TrialWork;
  readonly #random: Random;
  #listeners: readonly Listener[] = [];
  #rows: readonly StoredRow[] = [];
  /** Hashes of the bytes under each URL, as first served. */
  readonly #served = new Map<string, string>();
  readonly #known = new Set<string>();

  constructor(service: TrialService, work: TrialWork, random: Random) {
    this.#service = service;
    this.#work = work;
    this.#random = random;
  }

  /** Number of revisions that were checked. */
  get revisionCount(): number {
    return this.#known.size;
  }

  /** Opens sockets for the events of the round; those of other events are closed. */
  listen(): void {
    const { eventIds } = this.#work;
    if (this.#listeners[1]?.eventId === eventIds[1]) return;
    this.close();
    this.#listeners = this.#service.readers.flatMap((slot) =>
      eventIds.map((eventId) => new Listener(slot, eventId)),
    );
  }

  close(): void {
    for (const listener of this.#listeners) listener.close();
  }

  /** Returns the time at which the last reader told of a revision. */
  async whenHeard(eventId: string, sequence: number): Promise<number> {
    const listeners = this.#listeners.filter((listener) => listener.eventId === eventId);
    await until(
      () => listeners.every(({ latest }) => latest >= sequence),
      `notice ${sequence} of ${eventId}`,
    );
    return Math.max(
      ...listeners.map(({ heard }) => heard.find((notice) => notice.sequence >= sequence)!.atMs),
    );
  }

  /** Waits until everything is published and told, and returns every fault. */
  async check(): Promise<string[]> {
    const { expected, eventIds } = this.#work;
    try {
      await until(async () => {
        this.#rows = await this.#readRows();
        return [...expected].every(([id, count]) => this.#countOf(id) >= count);
      }, "revision of all that was handed in");
      for (const id of eventIds) {
        const count = expected.get(id) ?? 0;
        if (count > 0) await this.whenHeard(id, count);
      }
    } catch (error) {
      return [(error as Error).message];
    }
    return [
      ...this.#checkRows(),
      ...this.#listeners.flatMap(({ faults }) => faults.splice(0)),
      ...(await this.#checkLists()),
      ...(await this.#checkNew()),
      ...(await this.#checkOld(rereadCount)),
    ];
  }

  /** Reads everything that was ever published from readers that have no copy of it. */
  async checkAll(): Promise<string[]> {
    await Promise.all(this.#service.readers.map((slot) => slot.replace()));
    return this.#checkOld(Infinity);
  }

  async #readRows(): Promise<readonly StoredRow[]> {
    try {
      return await this.#service.query<StoredRow>(
        `SELECT event_id, sequence, revision_id, manifest_sha256, observed_at FROM revisions ORDER BY id`,
      );
    } catch {
      // The server is starting.
      return [];
    }
  }

  #countOf(eventId: string): number {
    return this.#rows.filter((row) => row.event_id === eventId).length;
  }

  #checkRows(): string[] {
    const faults: string[] = [];
    for (const [eventId, count] of this.#work.expected) {
      const rows = this.#rows.filter((row) => row.event_id === eventId);
      const sequences = rows.map(({ sequence }) => Number(sequence)).toSorted((a, b) => a - b);
      if (sequences.some((sequence, index) => sequence !== index + 1)) faults.push(`${eventId} has a gap`);
      if (rows.length !== count) faults.push(`${eventId} has ${rows.length} revisions instead of ${count}`);
      const windows = new Set(rows.map(({ observed_at }) => observed_at)).size;
      if (windows !== rows.length) faults.push(`${eventId} has ${rows.length - windows} doubles`);
    }
    const stored = new Map(this.#rows.map((row) => [`${row.event_id} ${row.sequence}`, row]));
    for (const { eventId, sequence, revisionId, manifest } of this.#work.acknowledged) {
      const row = stored.get(`${eventId} ${sequence}`);
      if (row?.revision_id !== revisionId || row.manifest_sha256 !== sha256Of(manifest))
        faults.push(`${eventId} ${sequence} was acknowledged as ${revisionId}, and is ${row?.revision_id}`);
    }
    for (const { eventId, heard } of this.#listeners) {
      for (const { sequence, revisionId } of heard) {
        const row = stored.get(`${eventId} ${sequence}`);
        if (row?.revision_id !== revisionId)
          faults.push(`${eventId} ${sequence} was told as ${revisionId}, and is ${row?.revision_id}`);
      }
    }
    return faults;
  }

  /** Compares the lists of all readers with the rows. */
  async #checkLists(): Promise<string[]> {
    const faults: string[] = [];
    for (const eventId of this.#work.eventIds) {
      const rows = this.#rows.filter((row) => row.event_id === eventId).slice(-360);
      for (const { origin } of this.#service.readers) {
        const path = `${toPath("listRevisions", { eventId })}?limit=360`;
        const bytes = await read(`${origin}${path}`);
        const { frames } = MrmsHistory.parse(JSON.parse(bytes.toString()));
        const [listed, expected] = [
          frames.map(({ sequence, revisionId }) => `${sequence} ${revisionId}`),
          rows.map(({ sequence, revision_id }) => `${sequence} ${revision_id}`),
        ];
        if (listed.toSorted().join() !== expected.toSorted().join())
          faults.push(`a reader lists ${listed.length} of ${expected.length} revisions of ${eventId}`);
      }
    }
    return faults;
  }

  /** Reads manifest and frames of new revisions from every reader. */
  async #checkNew(): Promise<string[]> {
    const faults: string[] = [];
    for (const { event_id: eventId, revision_id: revisionId } of this.#rows) {
      const path = toPath("getRevisionManifest", { eventId, revisionId });
      if (this.#known.has(path)) continue;
      this.#known.add(path);
      for (const { origin } of this.#service.readers) {
        const bytes = await read(`${origin}${path}`);
        faults.push(...this.#compare(path, bytes));
        for (const { imageUrl } of MrmsManifest.parse(JSON.parse(bytes.toString())).layers) {
          const frame = await read(`${origin}${imageUrl}`);
          if (!imageUrl.endsWith(`/${sha256Of(frame)}.png`)) faults.push(`${imageUrl} has other bytes`);
          faults.push(...this.#compare(imageUrl, frame));
        }
      }
    }
    return faults;
  }

  async #checkOld(count: number): Promise<string[]> {
    const faults: string[] = [];
    const all = [...this.#served.keys()];
    const chosen =
      count < all.length
        ? Array.from({ length: count }, () => all[Math.floor(this.#random() * all.length)]!)
        : all;
    await mapLimited(chosen, 8, async (path) => {
      for (const { origin } of this.#service.readers)
        faults.push(...this.#compare(path, await read(`${origin}${path}`)));
    });
    return faults;
  }

  #compare(path: string, bytes: Buffer): string[] {
    const hash = sha256Of(bytes);
    const before = this.#served.get(path) ?? hash;
    this.#served.set(path, before);
    return before === hash ? [] : [`${path} has changed`];
  }
}

/** Waits for a condition. @throws Error after the patience */
export async function until(isReached: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const startedMs = performance.now();
  while (!(await isReached())) {
    if (performance.now() - startedMs > patienceMs)
      throw new Error(`no ${what} within ${patienceMs / 1_000} s`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Reads a URL again while its reader cannot be reached or has nothing to read from. */
async function read(url: string): Promise<Buffer> {
  let bytes: Buffer | undefined;
  let problem = "";
  await until(
    async () => {
      try {
        const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) });
        problem = `${answer.status}`;
        if (answer.ok) bytes = Buffer.from(await answer.arrayBuffer());
        return answer.ok;
      } catch (error) {
        problem = (error as Error).message;
        return false;
      }
    },
    `answer of ${new URL(url).pathname}`,
  ).catch((error: unknown) => {
    throw new Error(`${(error as Error).message} (${problem})`);
  });
  return bytes!;
}
