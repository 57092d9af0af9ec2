// The WebSocket hub: one room for each event with sockets. It reads the catalog after every commit, of this process or
// another, and announces nothing else.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { messageOf } from "../../../shared/app-error.ts";
import type { CatalogReader } from "../../catalog/catalog.ts";
import type { Log } from "../../platform/effects.ts";
import { endWithAnswer } from "../http/answer.ts";
import { createTextProblem } from "./wire-errors.ts";
import { Member } from "./member.ts";
import { Room } from "./room.ts";
import { hubLimits, type HubLimits } from "./storm-limits.ts";

const handshakeRefused = createTextProblem(400, "This is not a valid WebSocket handshake.", {
  "sec-websocket-version": "13",
});
const full = createTextProblem(503, "The service has no room for another stream.", { "retry-after": "30" });
const closing = createTextProblem(503, "The service is closing.");
const unreadable = createTextProblem(503, "The event's notices cannot be read now.", {
  "retry-after": "5",
});

export class Hub {
  readonly #catalog: CatalogReader;
  readonly #log: Log;
  readonly #limits: HubLimits;
  readonly #onSent: ((streams: number) => void) | undefined;
  readonly #rooms = new Map<string, Room>();
  readonly #arriving = new Set<Duplex>();
  readonly #server: WebSocketServer;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #stopListening: () => void;
  #socketCount = 0;
  #looking = false;
  #lookAgain = false;
  #isDraining = false;
  #closed: Promise<void> | undefined;
  #onEmpty: (() => void) | undefined;
  #endPause: (() => void) | undefined;

  /** `onSent` gets the number of sockets that each notice was sent to. */
  constructor(
    catalog: CatalogReader,
    log: Log,
    limits: HubLimits = hubLimits,
    onSent?: (streams: number) => void,
  ) {
    this.#catalog = catalog;
    this.#log = log;
    this.#limits = limits;
    this.#onSent = onSent;
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: limits.maxMessageBytes,
    });
    this.#server.on("wsClientError", (_error, socket) => {
      endWithAnswer(socket, handshakeRefused);
    });
    this.#heartbeat = setInterval(() => {
      for (const member of this.#members()) member.beat();
    }, limits.heartbeatMs);
    this.#heartbeat.unref();
    this.#stopListening = catalog.onChange(() => void this.#look());
  }

  /** Adopts a socket whose upgrade to this event's stream is allowed. */
  async open(eventId: string, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const refusal = this.#isDraining
      ? closing
      : this.#socketCount >= this.#limits.maxSockets
        ? full
        : undefined;
    if (refusal) {
      endWithAnswer(socket, refusal);
      return;
    }
    const room = this.#enter(eventId);
    const onError = (): void => {
      socket.destroy();
    };
    socket.on("error", onError);
    this.#arriving.add(socket);
    this.#socketCount += 1;
    room.arriving += 1;
    try {
      // The greeting must contain everything committed by now, announced or not.
      await room.catchUp();
      socket.off("error", onError);
      this.#switch(room, request, socket, head);
    } catch (error) {
      this.#log("error", `A stream could not be opened: ${messageOf(error)}`, { eventId, error });
      endWithAnswer(socket, unreadable);
    } finally {
      this.#arriving.delete(socket);
      room.arriving -= 1;
      this.#leave(room);
    }
  }

  /** Sockets that are open, or about to be. */
  get socketCount(): number {
    return this.#socketCount;
  }

  /**
   * Accepts no more sockets and closes those that are open (1001), one after the other over `durationMs`, so that their
   * viewers do not all return at once. Resolves when the last has been told.
   */
  async drain(durationMs: number): Promise<void> {
    this.#isDraining = true;
    // The streams on their way here have answers within milliseconds, and are closed by `close`.
    const members = [...this.#members()];
    const start = performance.now();
    for (const [index, member] of members.entries()) {
      const dueMs = (durationMs * (index + 1)) / members.length;
      const waitMs = dueMs - (performance.now() - start);
      // Timers are no finer: without a wait, several go in one turn.
      if (waitMs >= 1) await this.#pause(waitMs);
      if (this.#closed) return;
      member.close();
    }
  }

  /** Closes every socket (1001), and cuts those that do not answer in time. Idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** Does handshake, greeting and joining in one turn, so that no notice is missed. */
  #switch(room: Room, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.#isDraining) {
      endWithAnswer(socket, closing);
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      this.#socketCount += 1;
      const member = new Member(webSocket, this.#limits.maxBufferedBytes, () => {
        room.members.delete(member);
        this.#leave(room);
      });
      room.join(member);
    });
  }

  #enter(eventId: string): Room {
    const known = this.#rooms.get(eventId);
    if (known) return known;
    const room = new Room(eventId, this.#catalog, this.#onSent);
    this.#rooms.set(eventId, room);
    return room;
  }

  /** Accounts for a socket, arriving or open, that is gone. */
  #leave(room: Room): void {
    this.#socketCount -= 1;
    if (room.isEmpty) this.#rooms.delete(room.eventId);
    if (this.#socketCount === 0) this.#onEmpty?.();
  }

  *#members(): Generator<Member> {
    for (const room of this.#rooms.values()) yield* room.members;
  }

  /** Lets every room catch up; changes announced in the meantime cause another round. */
  async #look(): Promise<void> {
    this.#lookAgain = true;
    if (this.#looking) return;
    this.#looking = true;
    while (this.#lookAgain && !this.#closed) {
      this.#lookAgain = false;
      for (const room of [...this.#rooms.values()]) await this.#catchUp(room);
    }
    this.#looking = false;
  }

  async #catchUp(room: Room): Promise<void> {
    try {
      await room.catchUp();
    } catch (error) {
      // Nothing is lost: the next change or socket reads from the same sequence.
      this.#log("error", `Notices could not be read: ${messageOf(error)}`, { eventId: room.eventId, error });
    }
  }

  async #close(): Promise<void> {
    this.#isDraining = true;
    this.#endPause?.();
    clearInterval(this.#heartbeat);
    this.#stopListening();
    for (const socket of this.#arriving) socket.destroy();
    for (const member of this.#members()) member.close();
    if (this.#socketCount > 0) await this.#waitUntilEmpty();
    for (const member of [...this.#members()]) member.terminate();
    this.#server.close();
  }

  /** Waits, but not beyond the start of closing. */
  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(resolve, ms, undefined);
    this.#endPause = () => {
      resolve(undefined);
    };
    await promise;
    clearTimeout(timer);
  }

  async #waitUntilEmpty(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(resolve, this.#limits.closeGraceMs, undefined);
    this.#onEmpty = () => {
      resolve(undefined);
    };
    await promise;
    clearTimeout(timer);
  }
}
