// What a client is told whose bytes never became a request: the parser gave up on them, or they did not come in time.
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Answer } from "./answer.ts";
import { endWithAnswer } from "./send.ts";

export interface MalformedHandler {
  /** To be called with each request, so that its answer is never interrupted by another. */
  noteAnswer(socket: Duplex, response: ServerResponse): void;
  /** The server's `clientError` listener. */
  readonly refuse: (error: NodeJS.ErrnoException, socket: Duplex) => void;
}

/** `createProblem` gives an answer the service's own form. */
export function createMalformedHandler(
  createProblem: (status: number, message: string) => Answer,
): MalformedHandler {
  const requestMalformed = createProblem(400, "This is not a well-formed HTTP request.");
  const answers: Readonly<Record<string, Answer>> = {
    HPE_HEADER_OVERFLOW: createProblem(431, "The request's headers are too large."),
    ERR_HTTP_REQUEST_TIMEOUT: createProblem(408, "The request did not arrive in time."),
  };
  const answering = new WeakMap<Duplex, ServerResponse>();
  return {
    noteAnswer(socket, response) {
      answering.set(socket, response);
    },
    refuse(error, socket) {
      const response = answering.get(socket);
      // An answer that is under way owns the socket: a second head in its middle would be read as its body. One that
      // waits for its turn has no socket yet, because an earlier one has it.
      const isTaken =
        response && !response.writableFinished && (response.headersSent || response.socket !== socket);
      const code = error.code ?? "";
      // Anything else is the connection's own end, or a TLS handshake that failed: nobody is left to be answered.
      const isHttp = code.startsWith("HPE_") || code.startsWith("ERR_HTTP_");
      if (!socket.writable || !isHttp || isTaken) {
        socket.destroy();
        return;
      }
      endWithAnswer(socket, answers[code] ?? requestMalformed);
    },
  };
}
