// Sends an answer through Node's response object, or on a bare socket if there is none.
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { isCurrent, type Answer } from "./answer.ts";

/** Sends the answer, or its 304. HEAD gets only the headers. */
export function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  if (isCurrent(request.headers["if-none-match"], answer.etag)) {
    response.writeHead(304, answer.notModifiedHeaders).end();
    return;
  }
  response.writeHead(answer.status, answer.headers);
  response.end(request.method === "HEAD" ? undefined : answer.body);
}

/** Writes the answer to a socket that has no response object, and ends it. */
export function endWithAnswer(socket: Duplex, answer: Answer): void {
  const lines = Object.entries({ ...answer.headers, connection: "close" }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const head = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ""}\r\n${lines.join("\r\n")}\r\n\r\n`;
  socket.once("finish", () => {
    socket.destroy();
  });
  socket.end(Buffer.concat([Buffer.from(head, "latin1"), answer.body]));
}
