// The API listener: REST below `/client/v4` and raw streams of its parts, on a loopback port and, for other machines of the
// network, over TLS under names that it was given. Parts come and go while it runs.
import { isIPv6 } from "node:net";
import { AppError } from "../../../shared/app-error.ts";
import type { Log } from "../../platform/effects.ts";
import { toHost, toHosts } from "../http/host-guard.ts";
import type { TlsIdentity } from "../http/guarded-server.ts";
import { createApiApp } from "./api-app.ts";
import { apiTimeouts, type ApiTimeouts } from "./api-limits.ts";
import { createListening, type ApiAddress, type ApiListener } from "./api-listening.ts";
import type { ApiPart } from "./api-part.ts";
import { createPartRequests } from "./part-requests.ts";
import type { PlatformTokens } from "./platform-tokens.ts";

export interface ApiServerOptions {
  /** What is offered until `setParts`; over TLS those that say so alone. */
  readonly parts: readonly ApiPart[];
  /** Stays open when the server closes. */
  readonly tokens: Pick<PlatformTokens, "authenticate">;
  /** The one account that there is: any other `:account` in a path is 404. Undefined takes them all. */
  readonly accountId?: string | undefined;
  readonly log: Log;
  readonly timeouts?: Partial<ApiTimeouts>;
}

export interface TlsAddress {
  /** What to bind, `0.0.0.0` or one address of this machine. */
  readonly address: string;
  readonly port: number;
  /** As `bind` has it. */
  readonly advice?: string;
  /** What other machines call this one, names or addresses; the first is in the origin. Nothing else is answered. */
  readonly hostNames: readonly string[];
  readonly certificate: TlsIdentity;
}

export interface ApiServer {
  /** Plain HTTP, on 127.0.0.1 alone; port 0 takes a free one. Throws `address-in-use`, and may then be called again. */
  listen(options: { readonly port: number; readonly advice?: string }): Promise<ApiAddress>;
  /** Throws as `listen` does, and `invalid-input` without a host name. Once it was closed it may listen again. */
  listenTls(options: TlsAddress): Promise<ApiAddress>;
  /** Ends the TLS listener alone. Idempotent. */
  closeTls(): Promise<void>;
  /**
   * Offers these from the next request on; connections stay open. Resolves once the requests of parts that are gone have ended,
   * which is after a bounded time. One change at a time. Rejects for parts that cannot be offered together, and offers what it
   * did before.
   */
  setParts(parts: readonly ApiPart[]): Promise<void>;
  /** Ends both listeners and every connection within a bounded time. Idempotent. */
  close(): Promise<void>;
}

export function createApiServer(options: ApiServerOptions): ApiServer {
  const { tokens, accountId, log } = options;
  const timeouts = { ...apiTimeouts, ...options.timeouts };
  const requests = createPartRequests();
  const toOffer = (parts: readonly ApiPart[]): Offer => {
    const toApp = (those: readonly ApiPart[]): ApiListener =>
      createApiApp({ parts: those, tokens, accountId, timeouts, onAdmitted: requests.note, log });
    return { parts, plain: toApp(parts), tls: toApp(parts.filter(({ isShared }) => isShared)) };
  };
  let offer = toOffer(options.parts);
  const plain = createListening(() => offer.plain, timeouts);
  const tls = createListening(() => offer.tls, timeouts);
  const closeAll = async (): Promise<void> => {
    await Promise.all([plain.close(), tls.close()]);
  };
  let closed: Promise<void> | undefined;
  const checkOpen = (): void => {
    if (closed !== undefined) throw new AppError("conflict", "The service is closed.");
  };
  return {
    async listen({ port, advice }) {
      checkOpen();
      return plain.open({ host: "127.0.0.1", port, advice }, (bound) => ({
        hosts: toHosts({ address: "127.0.0.1", port: bound }, []),
        originFor: () => `http://127.0.0.1:${bound}`,
      }));
    },
    async listenTls({ address, port, advice, hostNames, certificate }) {
      checkOpen();
      if (hostNames.length === 0)
        throw new AppError("invalid-input", "Sharing needs the name of this machine.");
      return tls.open({ host: address, port, advice, tls: certificate }, (bound) => {
        const hosts = hostNames.map((name) => toHost(isIPv6(name) ? `[${name}]` : name, bound, "https"));
        // The client knows this machine by the name that it used, and the guard has found it to be one of ours.
        return { hosts, originFor: (host) => `https://${host ?? hosts[0]!}` };
      });
    },
    closeTls: () => tls.close(),
    async setParts(parts) {
      checkOpen();
      const gone = offer.parts.filter((part) => !parts.includes(part));
      offer = toOffer(parts);
      await Promise.all(gone.map((part) => requests.end(part)));
    },
    close: () => (closed ??= closeAll()),
  };
}

/** The parts on offer: all of them to this machine, the shared ones to others. */
interface Offer {
  readonly parts: readonly ApiPart[];
  readonly plain: ApiListener;
  readonly tls: ApiListener;
}
