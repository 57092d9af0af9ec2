// The API listener that hosting and the gateway's control plane share: opened with the first part, closed with the
// last.
import { AppError } from "../../../shared/app-error.ts";
import type { ApiAddress } from "../../services/api/api-listening.ts";
import type { ApiPart } from "../../services/api/api-part.ts";
import { createApiServer, type ApiServer, type TlsAddress } from "../../services/api/api-server.ts";
import type { HostConfig } from "../config/host-config.ts";
import type { Effects } from "../../platform/effects.ts";
import { createMutex } from "../../platform/locks/mutex.ts";
import type { ControlStores } from "./control-stores.ts";

export interface AddedPart {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** Removes the part; resolves when its requests have ended. The last part closes the listener. Idempotent. */
  readonly remove: () => Promise<void>;
}

export interface SharedApi {
  /** Returns null while there is no part. */
  readonly origin: () => string | null;
  /**
   * Resolves when the part's requests are answered; connections to other parts stay open.
   * @throws AppError `address-in-use`; `conflict` for tokens that another program or a newer version wrote
   */
  readonly add: (part: ApiPart) => Promise<AddedPart>;
  /** Throws `conflict` while there is no part. */
  readonly listenTls: (options: TlsAddress) => Promise<ApiAddress>;
  readonly closeTls: () => Promise<void>;
  /** Accepts nothing new; resolves when running requests have ended, after `durationMs` at most. */
  readonly drain: (durationMs: number) => Promise<void>;
  /** Idempotent. */
  readonly close: () => Promise<void>;
}

/** Returns what to do about a taken port, as the end of a sentence. */
export function toPortAdvice(key: "gateway.port" | "repositories.port" | "repositories.lan.port"): string {
  return `end that one, or choose another port: ${key} in the file of serve --config`;
}

interface Opened {
  readonly server: ApiServer;
  readonly origin: string;
  readonly close: () => Promise<void>;
}

export function createSharedApi(
  { api }: Pick<HostConfig, "api">,
  { log }: Pick<Effects, "log">,
  control: Pick<ControlStores, "openTokens">,
): SharedApi {
  let parts: readonly ApiPart[] = [];
  let opened: Opened | undefined;
  let isClosed = false;
  const mutex = createMutex();
  const open = async (part: ApiPart): Promise<Opened> => {
    const tokens = await control.openTokens();
    const server = createApiServer({ parts: [part], tokens, accountId: api.accountId, log });
    const close = async (): Promise<void> => {
      await server.close();
      await tokens.close();
    };
    try {
      const { origin } = await server.listen({ port: api.port, advice: toPortAdvice("repositories.port") });
      return { server, origin, close };
    } catch (error) {
      await close();
      throw error;
    }
  };
  const close = async (): Promise<void> => {
    const last = opened;
    opened = undefined;
    parts = [];
    await last?.close();
  };
  const remove = (part: ApiPart): Promise<void> =>
    mutex(async () => {
      if (!parts.includes(part)) return;
      const rest = parts.filter((other) => other !== part);
      if (rest.length === 0) {
        await close();
        return;
      }
      parts = rest;
      await opened!.server.setParts(rest);
    });
  return {
    origin: () => opened?.origin ?? null,
    add: (part) =>
      mutex(async () => {
        if (isClosed) throw new AppError("conflict", "Echotop is closing.");
        if (opened === undefined) opened = await open(part);
        else await opened.server.setParts([...parts, part]);
        parts = [...parts, part];
        return { origin: opened.origin, remove: () => remove(part) };
      }),
    listenTls: async (options) => {
      if (opened === undefined) throw new AppError("conflict", "There is nothing to share yet.");
      return opened.server.listenTls(options);
    },
    closeTls: async () => opened?.server.closeTls(),
    drain: async (durationMs) => opened?.server.drain(durationMs),
    close: () => {
      isClosed = true;
      return mutex(close);
    },
  };
}
