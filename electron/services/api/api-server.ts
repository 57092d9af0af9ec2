// The API listener: REST below `/client/v4` and raw streams of its parts, on a loopback port and, for other machines of the
// network, over TLS under names that it was given. Parts come and go while it runs.
import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import { AppError } from "../../../shared/app-error.ts";
import type { Log } from "../../platform/effects.ts";
import { toHost, toHosts } from "../http/host-guard.ts";
import { createListening, type ApiAddress } from "./api-listening.ts";
import type { ApiPart } from "./api-part.ts";
import type { ApiAppOptions } from "./api-app.ts";
import type { TlsIdentity } from "./api-front-door.ts";
import { createOffer, type Offer } from "./offer.ts";
import { createPartRequests } from "./part-requests.ts";
import { usualPatience, type Patience } from "./patience.ts";
import type { PlatformTokens } from "./platform-tokens.ts";

export interface ApiServerOptions {
  /** What is offered until `setParts`; over TLS those that say so alone. */
  readonly parts: readonly ApiPart[];
  /** Stays open when the server closes. */
  readonly tokens: Pick<PlatformTokens, "authenticate">;
  /** The one account that there is: any other `:account` in a path is 404. Undefined takes them all. */
  readonly accountId?: string | undefined;
  readonly log: Log;
  readonly patience?: Partial<Patience>;
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
  const origins = new WeakMap<IncomingMessage, string>();
  const originOf = (request: IncomingMessage): string => origins.get(request)!;
  const requests = createPartRequests();
  let offered = toOffered(options, { originOf, onAdmitted: requests.note });
  const patience = { ...usualPatience, ...options.patience };
  const door = { originOf, patience, log: options.log };
  const plain = createListening({ ...door, offer: () => offered.plain }, origins);
  const tls = createListening({ ...door, offer: () => offered.tls }, origins);
  let closed: Promise<void> | undefined;
  const ready = async (): Promise<void> => {
    if (closed !== undefined) throw new AppError("conflict", "The service is closed.");
    await offered.ready();
  };
  return {
    async listen({ port, advice }) {
      await ready();
      return plain.open({ host: "127.0.0.1", port, advice }, (bound) => ({
        hosts: toHosts({ address: "127.0.0.1", port: bound }, []),
        originFor: () => `http://127.0.0.1:${bound}`,
      }));
    },
    async listenTls({ address, port, advice, hostNames, certificate }) {
      await ready();
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
      await ready();
      const before = offered;
      const next = toOffered({ ...options, parts }, { originOf, onAdmitted: requests.note });
      await next.ready();
      offered = next;
      const gone = before.parts.filter((part) => !parts.includes(part));
      await Promise.all(gone.map((part) => requests.end(part)));
      await before.close();
    },
    close: () =>
      (closed ??= (async () => {
        await Promise.all([plain.close(), tls.close()]);
        await offered.close();
      })()),
  };
}

interface Offered {
  readonly parts: readonly ApiPart[];
  readonly plain: Offer;
  readonly tls: Offer;
  readonly ready: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** To this machine all parts, to others those that say so. */
function toOffered(
  { parts, tokens, accountId, log }: ApiServerOptions,
  watching: Pick<ApiAppOptions, "originOf" | "onAdmitted">,
): Offered {
  const options = { tokens, accountId, log, ...watching };
  const plain = createOffer({ ...options, parts });
  const tls = createOffer({ ...options, parts: parts.filter(({ isShared }) => isShared) });
  return {
    parts,
    plain,
    tls,
    ready: async () => {
      await Promise.all([plain.ready(), tls.ready()]);
    },
    close: async () => {
      await Promise.all([plain.close(), tls.close()]);
    },
  };
}
