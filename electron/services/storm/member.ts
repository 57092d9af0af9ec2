// One open socket of a room: answers pings, limits its buffer, and checks that it is alive.
import type { WebSocket } from "ws";
import { streamPing, streamPong } from "../../../shared/contract/messages.ts";

const pong = Buffer.from(streamPong);
const goingAway = 1001;

export class Member {
  readonly #socket: WebSocket;
  readonly #maxBufferedBytes: number;
  #heard = true;

  /** Calls `onGone` once, when the socket is closed. */
  constructor(socket: WebSocket, maxBufferedBytes: number, onGone: (member: Member) => void) {
    this.#socket = socket;
    this.#maxBufferedBytes = maxBufferedBytes;
    socket.on("message", (data: Buffer, isBinary) => {
      this.#heard = true;
      // The contract has no other client message.
      if (!isBinary && data.toString("utf8") === streamPing) this.send(pong);
    });
    socket.on("pong", () => {
      this.#heard = true;
    });
    socket.on("error", () => {
      // The library closes the socket after an error; `close` follows.
    });
    socket.on("close", () => {
      onGone(this);
    });
  }

  /** Sends UTF-8 text. Drops a peer that does not read; it reads the state when it reconnects. */
  send(text: Buffer): void {
    if (this.#dropWhenSlow()) return;
    this.#socket.send(text, { binary: false });
  }

  /** Ends a socket that was silent since the last beat; pings it otherwise. */
  beat(): void {
    if (this.#dropWhenSlow()) return;
    if (!this.#heard) {
      this.#socket.terminate();
      return;
    }
    this.#heard = false;
    this.#socket.ping();
  }

  close(): void {
    this.#socket.close(goingAway, "The service is closing.");
  }

  terminate(): void {
    this.#socket.terminate();
  }

  #dropWhenSlow(): boolean {
    if (this.#socket.bufferedAmount <= this.#maxBufferedBytes) return false;
    this.#socket.terminate();
    return true;
  }
}
