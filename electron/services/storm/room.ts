// One event's stream: its sockets and its newest notice. Notices come only from committed catalog rows, in rising
// sequence, each once.
import type { StormRevisionReady, StreamReady } from "../../../shared/contract/messages.ts";
import type { CatalogReader } from "../../catalog/catalog.ts";
import type { Member } from "./member.ts";
import { maxNotices } from "./storm-limits.ts";

export class Room {
  readonly eventId: string;
  readonly members = new Set<Member>();
  /** Sockets before their greeting; a room with one is not empty. */
  arriving = 0;
  readonly #catalog: Pick<CatalogReader, "listNotices">;
  readonly #onSent: (streams: number) => void;
  /** Notice of the newest revision; a repair may withdraw it, and then the one before it is the newest. */
  #last: StormRevisionReady | undefined;
  /** Highest sequence announced or known at the start. */
  #reached = 0;
  #begun: Promise<void> | undefined;

  /** `onSent` gets the number of sockets that each notice was sent to. */
  constructor(
    eventId: string,
    catalog: Pick<CatalogReader, "listNotices">,
    onSent: (streams: number) => void = () => undefined,
  ) {
    this.eventId = eventId;
    this.#catalog = catalog;
    this.#onSent = onSent;
  }

  get isEmpty(): boolean {
    return this.members.size === 0 && this.arriving === 0;
  }

  /** Sends what was committed since the last notice. Overlapping calls neither lose nor repeat a notice. */
  async catchUp(): Promise<void> {
    await this.#begin();
    const known = this.#last;
    // The newest one is read again, to see if it still exists.
    const notices = await this.#catalog.listNotices(
      this.eventId,
      known === undefined ? 0 : known.sequence - 1,
      maxNotices,
    );
    for (const notice of notices) this.#pass(notice);
    if (known !== undefined && notices.length === 0) await this.#stepBack(known);
  }

  /** Greets a socket and adds it in one turn: it gets every notice after the greeting. */
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

  /** Reads only the newest notice: a room does not replay earlier ones. */
  #begin(): Promise<void> {
    this.#begun ??= this.#catalog.listNotices(this.eventId, 0, 1).then(
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

  /** Returns to an older notice when the newest was withdrawn. A new commit causes its own catch-up. */
  async #stepBack(withdrawn: StormRevisionReady): Promise<void> {
    const newest = (await this.#catalog.listNotices(this.eventId, 0, 1)).at(-1);
    if (this.#last === withdrawn && (newest?.sequence ?? 0) < withdrawn.sequence) this.#last = newest;
  }

  #pass(notice: StormRevisionReady): void {
    if (notice.sequence <= this.#reached) return;
    this.#last = notice;
    this.#reached = notice.sequence;
    const text = Buffer.from(JSON.stringify(notice));
    for (const member of this.members) member.send(text);
    this.#onSent(this.members.size);
  }
}
