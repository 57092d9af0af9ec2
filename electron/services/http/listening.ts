// Binds a server to its address, and closes it within a bounded time.
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { AppError } from "../../../shared/app-error.ts";
import { connectionLimits } from "./http-limits.ts";

/** Time that running answers have when their server closes. */
export const closeGraceMs = 500;

/** Time after which an idle connection of a closing server is ended. */
const sweepMs = 50;

export interface BindOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Remedy for a taken port, as the end of a sentence. */
  readonly advice?: string | undefined;
}

/** Throws `address-in-use`, or `invalid-input` if the address is not this machine's. */
export async function bind(server: Server, { host, port, advice }: BindOptions): Promise<AddressInfo> {
  try {
    // `once` rejects if the server emits an error first.
    const listening = once(server, "listening");
    server.listen({ port, host, backlog: connectionLimits.backlog });
    await listening;
    return server.address() as AddressInfo;
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
    if (!isTaken) {
      const sentence = `The service cannot listen on ${host}, port ${port}.`;
      throw new AppError("invalid-input", sentence, { cause: error });
    }
    const sentence = `Port ${port} on ${host} is taken by another program${advice === undefined ? "" : `; ${advice}`}.`;
    throw new AppError("address-in-use", sentence, { cause: error });
  }
}

/**
 * Ends idle connections now and busy ones after a grace period; resolves when the last has ended. A connection whose
 * answer ends meanwhile is idle from then on.
 */
export async function closeServer(server: Server, graceMs = closeGraceMs): Promise<void> {
  if (!server.listening) return;
  const done = once(server, "close");
  server.close();
  server.closeIdleConnections();
  const sweep = setInterval(() => {
    server.closeIdleConnections();
  }, sweepMs);
  const timer = setTimeout(() => {
    server.closeAllConnections();
  }, graceMs);
  await done;
  clearInterval(sweep);
  clearTimeout(timer);
}
