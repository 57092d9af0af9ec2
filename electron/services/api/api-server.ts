// The API service: REST below `/client/v4` and raw streams of its parts, on a loopback port and, for other machines
// of the network, over TLS. Parts come and go while it runs.
import { isIPv6 } from "node:net";
import { AppError } from "../../../shared/app-error.ts";
import type { Log } from "../../platform/effects.ts";
import { toHost, toHosts } from "../http/host-guard.ts";
import type { TlsIdentity } from "../http/limited-server.ts";
import { createApiApp } from "./api-app.ts";
import { apiTimeouts, type ApiTimeouts } from "./api-limits.ts";
import { createListening, type ApiAddress, type ApiListener } from "./api-listening.ts";
import type { ApiPart } from "./api-part.ts";
import { createPartRequests } from "./part-requests.ts";
import type { TokenStore } from "./token-rules.ts";

export interface ApiServerOptions {
  /** The parts until `setParts`; over TLS only the shared ones. */
  readonly parts: readonly ApiPart[];
  /** The caller closes it. */
  readonly tokens: Pick<TokenStore, "authenticate">;
  /** The only account: any other `:account` in a path is 404. Undefined accepts all. */
  readonly accountId?: string | undefined;
  readonly log: Log;
  readonly timeouts?: Partial<ApiTimeouts>;
}

export interface TlsAddress {
  /** Address to bind: `0.0.0.0` or one of this machine. */
  readonly address: string;
  readonly port: number;
  /** Remedy for a taken port, as the end of a sentence. */
  readonly advice?: string;
  /** Names or addresses that other machines use; only these are answered. The first is in the origin. */
  readonly hostNames: readonly string[];
  readonly certificate: TlsIdentity;
}

export interface ApiServer {
  /** Opens plain HTTP on 127.0.0.1; port 0 takes a free one. Throws `address-in-use`, and may then be called again. */
  listen(options: { readonly port: number; readonly advice?: string }): Promise<ApiAddress>;
  /** Throws as `listen` does, and `invalid-input` without a host name. May be called again after `closeTls`. */
  listenTls(options: TlsAddress): Promise<ApiAddress>;
  /** Closes only the TLS listener. Idempotent. */
  closeTls(): Promise<void>;
  /**
   * Replaces the parts; connections stay open. Resolves when the requests of removed parts have ended, within a bounded
   * time. The caller makes one change at a time. Throws if two parts claim the same address, and then changes nothing.
   */
  setParts(parts: readonly ApiPart[]): Promise<void>;
  /**
   * Accepts no new connections on both listeners, and lets running requests finish for at most `durationMs`. Resolves
   * when they have; then only `close` remains to be called.
   */
  drain(durationMs: number): Promise<void>;
  /** Closes both listeners and every connection within a bounded time. Idempotent. */
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
        // The guard has checked the name that the client used.
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
    async drain(durationMs) {
      await Promise.all([plain.drain(durationMs), tls.drain(durationMs)]);
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
