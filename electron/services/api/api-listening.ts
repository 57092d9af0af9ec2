// One listener of the API, plain or TLS: bound, guarded under the names that it then has, closed and perhaps bound again.
import type { IncomingMessage, Server } from "node:http";
import { AppError } from "../../../shared/app-error.ts";
import { createHostGuard, type Guard } from "../http/host-guard.ts";
import { bind, closeServer, type BindOptions } from "../http/listening.ts";
import { createFrontDoor, type FrontDoorOptions, type TlsIdentity } from "./api-front-door.ts";

export interface ApiAddress {
  /** `http://127.0.0.1:PORT` or `https://NAME:PORT`, without a trailing slash. */
  readonly origin: string;
  readonly port: number;
}

const nobody: Guard = createHostGuard({ hosts: [], scheme: "http" });

export interface Names {
  readonly hosts: readonly string[];
  /** The origin under which a request with this `Host` came; of the listener itself without one. */
  readonly originFor: (host?: string) => string;
}

export interface Listening {
  open(
    options: BindOptions & { readonly tls?: TlsIdentity },
    toNames: (port: number) => Names,
  ): Promise<ApiAddress>;
  close(): Promise<void>;
}

/** One listener at a time, which may be closed and opened again. */
export function createListening(
  door: Omit<FrontDoorOptions, "guard" | "tls">,
  origins: WeakMap<IncomingMessage, string>,
): Listening {
  let current: Server | undefined;
  return {
    async open({ tls, ...address }, toNames) {
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
        const bound = await bind(server, address);
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
