// HTTP to one repository, in the form of isomorphic-git's `http` plugin: bearer token, no redirect, no proxy, bounded answers,
// bounded waiting. Threats: a token sent where it does not belong (another host, plain HTTP, another certificate), a service
// that answers without end or not at all, and words of it that steer a terminal.
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { GitHttpRequest, GitHttpResponse, HttpClient } from "isomorphic-git";
import { AppError, isAppError } from "../../../../shared/app-error.ts";
import { isLoopbackHost, type RemoteAddress } from "../../../../shared/packs/pairing-code.ts";
import { loadPinnedTrust } from "./pinned-certificate.ts";
import { harmless, linkError, statusError } from "./remote-error.ts";

export interface HttpLimits {
  /** The longest stretch in which nothing moves in either direction. */
  readonly idleMs: number;
  /** The longest body of an answer. */
  readonly maxBytes: number;
}

export const usualHttpLimits: HttpLimits = { idleMs: 60_000, maxBytes: 2 ** 28 };

/** Of a list of references: some hundred thousand, of which each takes many times its bytes once it is read. */
const mostListBytes = 2 ** 24;

export interface RemoteHttpOptions {
  readonly address: RemoteAddress;
  /** Sent as it is, as a bearer token. */
  readonly token: string | undefined;
  readonly signal: AbortSignal;
  readonly limits?: HttpLimits;
  /** Bytes of bodies, in and out, as they pass. */
  readonly onBytes?: (byteLength: number) => void;
}

export interface RemoteHttp extends HttpClient {
  /** Answers with status 200; anything else is thrown. URLs of another repository are refused. */
  request(request: GitHttpRequest): Promise<GitHttpResponse>;
  /** What broke an answer's body since this was last called: isomorphic-git takes a body that breaks for one that ends. */
  takeFault(): AppError | undefined;
  close(): void;
}

const userAgent = "git/echotop";

/** @throws AppError `invalid-input` for a token that no header can hold, or over plain HTTP beyond this machine */
export function createRemoteHttp(options: RemoteHttpOptions): RemoteHttp {
  const { address, token } = options;
  const base = new URL(address.url);
  if (token !== undefined && !/^[!-~]{1,4096}$/.test(token)) {
    throw new AppError("invalid-input", "The token is empty or holds characters that no token has.");
  }
  if (base.protocol !== "https:" && !isLoopbackHost(base.hostname)) {
    throw new AppError("invalid-input", "Plain HTTP is for this machine alone; the token was not sent.");
  }
  let agent: Promise<HttpAgent | HttpsAgent> | undefined;
  let fault: AppError | undefined;
  const note = (error: AppError): void => {
    fault ??= error;
  };
  const limits = options.limits ?? usualHttpLimits;
  return {
    async request(request) {
      if (!request.url.startsWith(`${address.url}/`)) {
        throw new AppError("invalid-input", "A request would go elsewhere than to the repository's address.");
      }
      agent ??= createAgent(base, options, limits);
      // A service that could not be reached may be there at the next attempt.
      agent.catch(() => (agent = undefined));
      const answer = await ask(request, { ...options, limits, agent: await agent });
      const { statusCode = 0 } = answer;
      if (statusCode !== 200) throw statusError(statusCode, await readWords(answer));
      return {
        url: request.url,
        method: request.method ?? "GET",
        statusCode,
        statusMessage: answer.statusMessage ?? "",
        headers: plainHeaders(answer),
        body: readBody(answer, { ...options, limits: limitsOf(request.url, limits) }, note),
      };
    },
    takeFault() {
      const taken = fault;
      fault = undefined;
      return taken;
    },
    close() {
      agent?.then(
        (made) => {
          made.destroy();
        },
        () => undefined,
      );
    },
  };
}

async function createAgent(
  base: URL,
  { address: { certificateSha256 }, signal }: RemoteHttpOptions,
  { idleMs }: HttpLimits,
): Promise<HttpAgent | HttpsAgent> {
  const usual = { keepAlive: true, maxSockets: 2 };
  if (base.protocol === "http:") return new HttpAgent(usual);
  if (certificateSha256 === undefined) return new HttpsAgent(usual);
  const host = base.hostname.replace(/^\[|\]$/g, "");
  const pinned = { host, port: Number(base.port === "" ? 443 : base.port), certificateSha256 };
  return new HttpsAgent({ ...usual, ...(await loadPinnedTrust(pinned, { timeoutMs: idleMs, signal })) });
}

function limitsOf(url: string, limits: HttpLimits): HttpLimits {
  const isList = new URL(url).pathname.endsWith("/info/refs");
  return isList ? { ...limits, maxBytes: Math.min(limits.maxBytes, mostListBytes) } : limits;
}

interface Asking extends RemoteHttpOptions {
  readonly limits: HttpLimits;
  readonly agent: HttpAgent | HttpsAgent;
}

/** Sends the request with its body and resolves when the answer begins. */
async function ask(
  { url, method = "GET", headers, body }: GitHttpRequest,
  { token, signal, limits, agent, onBytes }: Asking,
): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const pieces: Uint8Array[] = [];
  for await (const piece of body ?? []) pieces.push(piece);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const send = url.startsWith("https:") ? requestHttps : requestHttp;
  const outgoing = send(url, {
    method,
    agent,
    signal,
    headers: {
      ...headers,
      "user-agent": userAgent,
      // What was packed on the way would have to be bounded twice.
      "accept-encoding": "identity",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body ? { "content-length": pieces.reduce((sum, { byteLength }) => sum + byteLength, 0) } : {}),
    },
  });
  outgoing.setTimeout(limits.idleMs, () => outgoing.destroy(linkError("no-answer")));
  outgoing.on("response", resolve);
  outgoing.on("error", (error) => {
    if (signal.aborted) reject(signal.reason as Error);
    else reject(isAppError(error) ? error : linkError("unreachable", { cause: error }));
  });
  for (const piece of pieces) {
    // Written one by one, so that the count follows what the other side takes.
    outgoing.write(piece, () => onBytes?.(piece.byteLength));
  }
  outgoing.end();
  return promise;
}

async function* readBody(
  answer: IncomingMessage,
  { signal, limits: { maxBytes }, onBytes }: RemoteHttpOptions & { readonly limits: HttpLimits },
  note: (error: AppError) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let byteLength = 0;
  try {
    for await (const piece of answer as AsyncIterable<Uint8Array>) {
      byteLength += piece.byteLength;
      if (byteLength > maxBytes) throw linkError("too-large", { detail: `more than ${maxBytes} bytes` });
      onBytes?.(piece.byteLength);
      yield piece;
    }
  } catch (error) {
    signal.throwIfAborted();
    const broken = isAppError(error) ? error : linkError("cut-short", { cause: error });
    note(broken);
    throw broken;
  } finally {
    // What is not read to its end is not wanted.
    if (!answer.complete) answer.destroy();
  }
}

/** The beginning of a refusal's text, where it is text. */
async function readWords(answer: IncomingMessage): Promise<string | undefined> {
  if (!/^text\/plain\b/.test(answer.headers["content-type"] ?? "")) {
    answer.destroy();
    return undefined;
  }
  let words = "";
  try {
    for await (const piece of answer as AsyncIterable<Buffer>) {
      words += piece.toString("utf8");
      if (words.length > 1000) break;
    }
  } catch {
    // The status alone says enough.
    return undefined;
  }
  return harmless(words);
}

function plainHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
