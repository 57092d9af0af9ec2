// Answers bytes that never became a request: they are not HTTP, too large, or too late.
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { endWithAnswer, type Answer } from "./answer.ts";

/** `createProblem` gives an answer the service's own form. */
export function createMalformedHandler(createProblem: (status: number, message: string) => Answer) {
  const requestMalformed = createProblem(400, "This is not a well-formed HTTP request.");
  const answers: Readonly<Record<string, Answer>> = {
    HPE_HEADER_OVERFLOW: createProblem(431, "The request's headers are too large."),
    ERR_HTTP_REQUEST_TIMEOUT: createProblem(408, "The request did not arrive in time."),
  };
  const answering = new WeakMap<Duplex, ServerResponse>();
  return {
    /** Remembers the answer of each request, so that no refusal interrupts it. */
    noteAnswer(socket: Duplex, response: ServerResponse): void {
      answering.set(socket, response);
    },
    /** The server's `clientError` listener. */
    refuse: (error: NodeJS.ErrnoException, socket: Duplex): void => {
      const response = answering.get(socket);
      // A running answer owns the socket: a second head inside it would be read as its body. A pipelined answer that
      // waits for an earlier one has no socket yet.
      const isTaken =
        response && !response.writableFinished && (response.headersSent || response.socket !== socket);
      const code = error.code ?? "";
      // Any other error is the end of the connection or a failed TLS handshake: nobody reads an answer.
      const isHttp = code.startsWith("HPE_") || code.startsWith("ERR_HTTP_");
      if (!socket.writable || !isHttp || isTaken) {
        socket.destroy();
        return;
      }
      endWithAnswer(socket, answers[code] ?? requestMalformed);
    },
  };
}
