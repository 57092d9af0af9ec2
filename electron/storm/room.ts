// One event's stream: its sockets and the newest notice that they know of. Notices come from committed catalog rows
// alone, in rising sequence; what is not newer than the last one is suppressed.
import type { StormRevisionReady, StreamReady } from "../../shared/contract/messages.ts";
import type { Member } from "./member.ts";

/** Reads notices after a sequence, ascending, the newest `limit` of them. */
export type ReadNotices = (afterSequence: number, limit: number) => Promise<readonly StormRevisionReady[]>;

/** The most notices that one look at the catalog brings: far more than any feed publishes between two looks. */
const maxNotices = 1_000;

export class Room {
  readonly eventId: string;
  readonly members = new Set<Member>();
  /** Sockets on their way in; a room with one of them is not empty. */
  arriving = 0;
  readonly #readNotices: ReadNotices;
  #last: StormRevisionReady | undefined;
  #begun: Promise<void> | undefined;

  constructor(eventId: string, readNotices: ReadNotices) {
    this.eventId = eventId;
    this.#readNotices = readNotices;
  }

  get isEmpty(): boolean {
    return this.members.size === 0 && this.arriving === 0;
  }

  /** Reads what was committed since the last notice and passes it on. Overlapping calls neither lose nor double any. */
  async catchUp(): Promise<void> {
    await this.#begin();
    for (const notice of await this.#readNotices(this.#last?.sequence ?? 0, maxNotices)) this.#pass(notice);
  }

  /** Greets a socket and takes it in, in one go: what the greeting does not hold will be passed on to it. */
  join(member: Member): void {
    const ready: StreamReady = {
      type: "stream.ready",
      schemaVersion: 1,
      eventId: this.eventId,
      ...(this.#last && { lastRevision: this.#last }),
    };
    member.send(Buffer.from(JSON.stringify(ready)));
    this.members.add(member);
  }

  /** The first look takes the newest notice only: a room is no replay of what was before it. */
  #begin(): Promise<void> {
    this.#begun ??= this.#readNotices(0, 1).then(
      (notices) => {
        this.#last = notices.at(-1);
      },
      (error: unknown) => {
        this.#begun = undefined;
        throw error;
      },
    );
    return this.#begun;
  }

  #pass(notice: StormRevisionReady): void {
    if (notice.sequence <= (this.#last?.sequence ?? 0)) return;
    this.#last = notice;
    const text = Buffer.from(JSON.stringify(notice));
    for (const member of this.members) member.send(text);
  }
}
