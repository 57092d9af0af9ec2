// One event's stream: its sockets, the newest notice that is true, and how far notices were passed on. Notices come from
// committed catalog rows alone, in rising sequence; none is passed on twice.
import type { StormRevisionReady, StreamReady } from "../../../shared/contract/messages.ts";
import type { Member } from "./member.ts";
import { maxNotices } from "./storm-limits.ts";

/** Reads notices after a sequence, ascending, the newest `limit` of them. */
export type ReadNotices = (afterSequence: number, limit: number) => Promise<readonly StormRevisionReady[]>;

export class Room {
  readonly eventId: string;
  readonly members = new Set<Member>();
  /** Sockets on their way in; a room with one of them is not empty. */
  arriving = 0;
  readonly #readNotices: ReadNotices;
  /** Of the newest revision that is there; a repair may withdraw it, and then the one before it is the newest. */
  #last: StormRevisionReady | undefined;
  /** The highest sequence that was ever the newest. */
  #reached = 0;
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
    const known = this.#last;
    // The newest one is asked for again, which tells whether it is still there.
    const notices = await this.#readNotices(known === undefined ? 0 : known.sequence - 1, maxNotices);
    for (const notice of notices) this.#pass(notice);
    if (known !== undefined && notices.length === 0) await this.#stepBack(known);
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
        this.#reached = this.#last?.sequence ?? 0;
      },
      (error: unknown) => {
        this.#begun = undefined;
        throw error;
      },
    );
    return this.#begun;
  }

  /** The newest revision was withdrawn. What is published meanwhile is left to the look that its commit leads to. */
  async #stepBack(withdrawn: StormRevisionReady): Promise<void> {
    const newest = (await this.#readNotices(0, 1)).at(-1);
    if (this.#last === withdrawn && (newest?.sequence ?? 0) < withdrawn.sequence) this.#last = newest;
  }

  #pass(notice: StormRevisionReady): void {
    if (notice.sequence <= this.#reached) return;
    this.#last = notice;
    this.#reached = notice.sequence;
    const text = Buffer.from(JSON.stringify(notice));
    for (const member of this.members) member.send(text);
  }
}
