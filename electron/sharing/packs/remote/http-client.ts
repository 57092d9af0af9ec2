// HTTP to one repository, as isomorphic-git's `http` plugin: bearer token, no redirects, no proxy, bounded responses,
// bounded waiting. Threats: a token sent to the wrong place (another host, plain HTTP, another certificate), a service
// that responds endlessly or not at all, and text from it with terminal control characters.
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { GitHttpRequest, GitHttpResponse, HttpClient } from "isomorphic-git";
import { AppError, isAppError } from "../../../../shared/app-error.ts";
import { isLoopbackHost } from "../../../../shared/packs/pairing-code.ts";
import { loadPinnedTrust } from "./pinned-certificate.ts";
import { harmless, linkError, statusError } from "./remote-error.ts";
import {
  defaultHttpLimits,
  mostRefListBytes,
  type HttpLimits,
  type RemoteOptions,
} from "./transfer-limits.ts";

/** The token is sent unchanged as a bearer token. */
export interface RemoteHttpOptions extends Pick<RemoteOptions, "address" | "token" | "signal" | "onBytes"> {
  readonly limits?: HttpLimits;
}

export interface RemoteHttp extends HttpClient {
  /** Resolves with a response of status 200 and throws any other. Refuses URLs of another repository. */
  request(request: GitHttpRequest): Promise<GitHttpResponse>;
  /** Returns the error that broke a body since the last call: isomorphic-git treats a broken body as a complete one. */
  takeFault(): AppError | undefined;
  close(): void;
}

const userAgent = "git/echotop";

/** @throws AppError `invalid-input` for a token that no header can hold, or for plain HTTP to another machine */
export function createRemoteHttp(options: RemoteHttpOptions): RemoteHttp {
  const { address, token } = options;
  const base = new URL(address.url);
  if (token !== undefined && !/^[!-~]{1,4096}$/.test(token)) {
    throw new AppError("invalid-input", "The token is empty or contains invalid characters.");
  }
  if (base.protocol !== "https:" && !isLoopbackHost(base.hostname)) {
    throw new AppError(
      "invalid-input",
      "Plain HTTP is allowed only on this machine; the token was not sent.",
    );
  }
  let agent: Promise<HttpAgent | HttpsAgent> | undefined;
  let fault: AppError | undefined;
  const note = (error: AppError): void => {
    fault ??= error;
  };
  const limits = options.limits ?? defaultHttpLimits;
  return {
    async request(request) {
      if (!request.url.startsWith(`${address.url}/`)) {
        throw new AppError("invalid-input", "A request would go to another address than the repository's.");
      }
      agent ??= createAgent(base, options, limits);
      // A service that was unreachable may be reachable at the next attempt.
      agent.catch(() => (agent = undefined));
      const response = await send(request, { ...options, limits, agent: await agent });
      const { statusCode = 0 } = response;
      const isList = new URL(request.url).pathname.endsWith("/info/refs");
      const maxBytes = isList ? Math.min(limits.maxBytes, mostRefListBytes) : limits.maxBytes;
      if (statusCode !== 200) throw statusError(statusCode, await readWords(response));
      return {
        url: request.url,
        method: request.method ?? "GET",
        statusCode,
        statusMessage: response.statusMessage ?? "",
        headers: Object.fromEntries(
          Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
        ),
        body: readBody(response, { ...options, limits: { ...limits, maxBytes } }, note),
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

interface SendOptions extends RemoteHttpOptions {
  readonly limits: HttpLimits;
  readonly agent: HttpAgent | HttpsAgent;
}

/** Sends the request with its body and resolves when the response begins. */
async function send(
  { url, method = "GET", headers, body }: GitHttpRequest,
  { token, signal, limits, agent, onBytes }: SendOptions,
): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const pieces: Uint8Array[] = [];
  for await (const piece of body ?? []) pieces.push(piece);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const open = url.startsWith("https:") ? requestHttps : requestHttp;
  const outgoing = open(url, {
    method,
    agent,
    signal,
    headers: {
      ...headers,
      "user-agent": userAgent,
      // A compressed body would need a second bound.
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
    // Written one by one, so that the count follows what the remote accepts.
    outgoing.write(piece, () => onBytes?.(piece.byteLength));
  }
  outgoing.end();
  return promise;
}

async function* readBody(
  response: IncomingMessage,
  { signal, limits: { maxBytes }, onBytes }: RemoteHttpOptions & { readonly limits: HttpLimits },
  note: (error: AppError) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let byteLength = 0;
  try {
    for await (const piece of response as AsyncIterable<Uint8Array>) {
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
    // A body that is not read to its end is dropped.
    if (!response.complete) response.destroy();
  }
}

/** Returns the beginning of a refusal's text, or undefined if it is not plain text. */
async function readWords(response: IncomingMessage): Promise<string | undefined> {
  if (!/^text\/plain\b/.test(response.headers["content-type"] ?? "")) {
    response.destroy();
    return undefined;
  }
  let words = "";
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      words += piece.toString("utf8");
      if (words.length > 1000) break;
    }
  } catch {
    // The status is enough.
    return undefined;
  }
  return harmless(words);
}
