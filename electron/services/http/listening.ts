// Binding a server to its address, and ending it within a bounded time.
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { AppError } from "../../../shared/app-error.ts";

/** How long an answer that is under way may take once its server is closing. */
const closeGraceMs = 500;

export interface BindOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** What the person may do whose port is taken, as the end of a sentence. */
  readonly advice?: string | undefined;
}

/** Throws `address-in-use`, or `invalid-input` for an address that is none of this machine. */
export async function bind(server: Server, { host, port, advice }: BindOptions): Promise<AddressInfo> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const onListening = (): void => {
    resolve(undefined);
  };
  const onError = (error: NodeJS.ErrnoException): void => {
    reject(toBindError(error, { host, port, advice }));
  };
  server.once("listening", onListening).once("error", onError);
  try {
    server.listen(port, host);
    await promise;
  } finally {
    server.off("listening", onListening).off("error", onError);
  }
  return server.address() as AddressInfo;
}

function toBindError(
  error: NodeJS.ErrnoException,
  { host, port, advice }: { host: string; port: number; advice: string | undefined },
): AppError {
  if (error.code === "EADDRINUSE") {
    const sentence = `Port ${port} on ${host} is taken by another program${advice === undefined ? "" : `; ${advice}`}.`;
    return new AppError("address-in-use", sentence, { cause: error });
  }
  return new AppError("invalid-input", `The service cannot listen on ${host}, port ${port}.`, {
    cause: error,
  });
}

/** Ends idle connections at once and busy ones when the grace is over; done when the last has ended. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const done = once(server, "close");
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => {
    server.closeAllConnections();
  }, closeGraceMs);
  await done;
  clearTimeout(timer);
}
