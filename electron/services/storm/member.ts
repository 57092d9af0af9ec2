// One open socket of a room: what it may send, how much may wait for it, and whether it is still alive.
import type { WebSocket } from "ws";
import { streamPing, streamPong } from "../../../shared/contract/messages.ts";

const pong = Buffer.from(streamPong);
const goingAway = 1001;

export class Member {
  readonly #socket: WebSocket;
  readonly #maxBufferedBytes: number;
  #heard = true;

  /** `onGone` is called once, when the socket is closed. */
  constructor(socket: WebSocket, maxBufferedBytes: number, onGone: (member: Member) => void) {
    this.#socket = socket;
    this.#maxBufferedBytes = maxBufferedBytes;
    socket.on("message", (data: Buffer, isBinary) => {
      this.#heard = true;
      // Whatever else a client says is none of the contract's business.
      if (!isBinary && data.toString("utf8") === streamPing) this.send(pong);
    });
    socket.on("pong", () => {
      this.#heard = true;
    });
    socket.on("error", () => {
      // The library closes the socket after an error of its peer; `close` follows and is what counts.
    });
    socket.on("close", () => {
      onGone(this);
    });
  }

  /** Sends UTF-8 text. A peer that does not read what it was sent is dropped: it will read the state when it comes back. */
  send(text: Buffer): void {
    if (this.#dropWhenSlow()) return;
    this.#socket.send(text, { binary: false });
  }

  /** Ends a socket that was silent since the last beat, and asks the others for a sign of life. */
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
