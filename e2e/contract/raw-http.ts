// HTTP/1.1 over a bare socket, for requests that no well-behaved client sends.
import { connect } from "node:net";

export interface RawAnswer {
  readonly status: number;
  /** Headers by lower-case name; the last of a repeated one. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ExchangeOptions {
  /** True half-closes the connection after sending. */
  readonly halfClose?: boolean;
  /** Methods of the requests, in order, if HEAD is among them. */
  readonly methods?: readonly string[];
}

const timeoutMs = 10_000;

/** Returns every answer before the connection ends. Throws if it does not end, or breaks off inside an answer. */
export async function exchange(
  port: number,
  bytes: string | Uint8Array,
  { halfClose = false, methods = [] }: ExchangeOptions,
): Promise<RawAnswer[]> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error("The service did not end the connection.")));
  const data = typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes;
  if (halfClose) socket.end(data);
  else socket.write(data);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of socket) chunks.push(chunk as Buffer);
  } catch (error) {
    // The service may reset the connection after the answer.
    if ((error as NodeJS.ErrnoException).code !== "ECONNRESET") throw error;
  } finally {
    socket.destroy();
  }
  return parseAnswers(Buffer.concat(chunks), methods);
}

/** Sends bytes, half-closes, and reads until the service ends the connection. */
export async function sendAndLeave(port: number, bytes: Uint8Array): Promise<void> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error("The service did not end the connection.")));
  socket.end(bytes);
  socket.resume();
  await new Promise<void>((resolve, reject) => {
    socket.once("close", resolve);
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error);
    });
  });
}

function parseAnswers(bytes: Buffer, methods: readonly string[]): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  while (rest.byteLength > 0) {
    const headEnd = rest.indexOf("\r\n\r\n");
    if (headEnd < 0) throw new Error(`An answer broke off in its head: ${rest.toString("latin1")}`);
    const [statusLine, ...lines] = rest.toString("latin1", 0, headEnd).split("\r\n");
    const headers = Object.fromEntries(lines.map(toHeader));
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine!)?.[1]);
    const isBodyless = methods[answers.length] === "HEAD" || status === 304 || status < 200;
    const bodyEnd = headEnd + 4 + (isBodyless ? 0 : Number(headers["content-length"] ?? 0));
    if (rest.byteLength < bodyEnd) throw new Error("An answer broke off in its body.");
    answers.push({ status, headers, body: rest.toString("utf8", headEnd + 4, bodyEnd) });
    rest = rest.subarray(bodyEnd);
  }
  return answers;
}

function toHeader(line: string): [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
