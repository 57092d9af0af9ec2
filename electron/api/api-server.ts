// The API listener: REST below `/client/v4` and raw streams of its parts, on a loopback port and, for other machines of the
// network, over TLS under names that it was given.
import type { IncomingMessage, RequestListener, Server } from "node:http";
import { isIPv6 } from "node:net";
import { AppError } from "../../shared/app-error.ts";
import type { Log } from "../effects.ts";
import { createHostGuard, toHost, toHosts, type Guard } from "../http/host-guard.ts";
import { bind, closeServer } from "../http/listening.ts";
import type { ApiPart } from "./api-part.ts";
import { createApiApp } from "./app.ts";
import { createFrontDoor, type FrontDoorOptions, type TlsIdentity } from "./front-door.ts";
import { usualPatience, type Patience } from "./patience.ts";
import type { PlatformTokens } from "./platform-tokens.ts";

export interface ApiServerOptions {
  readonly parts: readonly ApiPart[];
  /** Stays open when the server closes. */
  readonly tokens: Pick<PlatformTokens, "authenticate">;
  /** The one account that there is: any other `:account` in a path is 404. Undefined takes them all. */
  readonly accountId?: string | undefined;
  readonly log: Log;
  readonly patience?: Partial<Patience>;
}

export interface ApiAddress {
  /** `http://127.0.0.1:PORT` or `https://NAME:PORT`, without a trailing slash. */
  readonly origin: string;
  readonly port: number;
}

export interface TlsAddress {
  /** What to bind, `0.0.0.0` or one address of this machine. */
  readonly address: string;
  readonly port: number;
  /** What other machines call this one, names or addresses; the first is in the origin. Nothing else is answered. */
  readonly hostNames: readonly string[];
  readonly certificate: TlsIdentity;
}

export interface ApiServer {
  /** Plain HTTP, on 127.0.0.1 alone; port 0 takes a free one. Throws `address-in-use`, and may then be called again. */
  listen(options: { readonly port: number }): Promise<ApiAddress>;
  /** Throws as `listen` does, and `invalid-input` without a host name. Once it was closed it may listen again. */
  listenTls(options: TlsAddress): Promise<ApiAddress>;
  /** Ends the TLS listener alone. Idempotent. */
  closeTls(): Promise<void>;
  /** Ends both listeners and every connection within a bounded time. Idempotent. */
  close(): Promise<void>;
}

const nobody: Guard = createHostGuard({ hosts: [], scheme: "http" });

export function createApiServer({ patience, log, parts, tokens, accountId }: ApiServerOptions): ApiServer {
  const origins = new WeakMap<IncomingMessage, string>();
  const originOf = (request: IncomingMessage): string => origins.get(request)!;
  const app = createApiApp({ parts, tokens, accountId, originOf, log });
  const listener: RequestListener = (request, response) => {
    app.routing(request, response);
  };
  const raws = parts.flatMap(({ raw }) => (raw === undefined ? [] : [raw]));
  const door = { originOf, raws, listener, patience: { ...usualPatience, ...patience }, log };
  const plain = createListening(door, origins);
  const tls = createListening(door, origins);
  let closed: Promise<void> | undefined;
  const ready = async (): Promise<void> => {
    if (closed !== undefined) throw new AppError("conflict", "The service is closed.");
    await app.ready();
  };
  return {
    async listen({ port }) {
      await ready();
      return plain.open({ host: "127.0.0.1", port }, (bound) => ({
        hosts: toHosts({ address: "127.0.0.1", port: bound }, []),
        originFor: () => `http://127.0.0.1:${bound}`,
      }));
    },
    async listenTls({ address, port, hostNames, certificate }) {
      await ready();
      if (hostNames.length === 0)
        throw new AppError("invalid-input", "Sharing needs the name of this machine.");
      return tls.open({ host: address, port, tls: certificate }, (bound) => {
        const hosts = hostNames.map((name) => toHost(isIPv6(name) ? `[${name}]` : name, bound, "https"));
        // The client knows this machine by the name that it used, and the guard has found it to be one of ours.
        return { hosts, originFor: (host) => `https://${host ?? hosts[0]!}` };
      });
    },
    closeTls: () => tls.close(),
    close: () =>
      (closed ??= (async () => {
        await Promise.all([plain.close(), tls.close()]);
        await app.close();
      })()),
  };
}

interface Names {
  readonly hosts: readonly string[];
  /** The origin under which a request with this `Host` came; of the listener itself without one. */
  readonly originFor: (host?: string) => string;
}

interface Listening {
  open(
    options: { readonly host: string; readonly port: number; readonly tls?: TlsIdentity },
    toNames: (port: number) => Names,
  ): Promise<ApiAddress>;
  close(): Promise<void>;
}

/** One listener at a time, which may be closed and opened again. */
function createListening(
  door: Omit<FrontDoorOptions, "guard" | "tls">,
  origins: WeakMap<IncomingMessage, string>,
): Listening {
  let current: Server | undefined;
  return {
    async open({ host, port, tls }, toNames) {
      if (current !== undefined) throw new AppError("conflict", "The service listens already.");
      let guard = nobody;
      let names: Names | undefined;
      const server = createFrontDoor({
        ...door,
        guard: () => guard,
        originOf: (request) => {
          const origin = names!.originFor(request.headers.host);
          origins.set(request, origin);
          return origin;
        },
        ...(tls && { tls }),
      });
      current = server;
      try {
        const bound = await bind(server, { host, port });
        names = toNames(bound.port);
        guard = createHostGuard({ hosts: names.hosts, scheme: tls ? "https" : "http" });
        return { origin: names.originFor(), port: bound.port };
      } catch (error) {
        current = undefined;
        throw error;
      }
    },
    async close() {
      const server = current;
      current = undefined;
      if (server !== undefined) await closeServer(server);
    },
  };
}
