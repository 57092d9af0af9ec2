// The stores of the control plane: platform tokens, and the gateway's settings and request log. They are files of the
// data directory or, in a service, tables of its database, which all machines share.
import { openPlatformTokens } from "../../services/api/platform-tokens.ts";
import type { TokenStore } from "../../services/api/token-rules.ts";
import type { RequestLog, RequestLogOptions } from "../../services/gateway/log/request-log.ts";
import type { ZoneSettings } from "../../services/gateway/settings/zone-settings.ts";
import type { Effects } from "../../platform/effects.ts";
import { toStoresLocation } from "../config/service-config.ts";
import type { HostConfig } from "../config/host-config.ts";

export interface ControlStores {
  /** @throws AppError `conflict`, `storage-failed`, `storage-unavailable`, as the others do */
  readonly openTokens: () => Promise<TokenStore>;
  readonly openSettings: () => Promise<ZoneSettings>;
  readonly openLog: (options: RequestLogOptions) => Promise<RequestLog>;
  /** Call it when all that was opened is closed. Idempotent. */
  readonly close: () => Promise<void>;
}

/** Opens nothing yet. What only a service needs is loaded when it opens something. */
export function createControlStores(
  { dataDirectory: directory, service }: Pick<HostConfig, "dataDirectory" | "service">,
  { now, log }: Pick<Effects, "now" | "log">,
): ControlStores {
  const location = toStoresLocation(service, directory);
  if (location.kind === "service") return createServiceControl(location.catalogUrl, log);
  return {
    openTokens: () => openPlatformTokens({ directory, file: "make", now }),
    openSettings: async () => {
      const { openZoneSettings } = await import("../../services/gateway/settings/open-zone-settings.ts");
      return openZoneSettings({ directory, now });
    },
    openLog: async (options) => {
      const { openRequestLog } = await import("../../services/gateway/log/open-request-log.ts");
      return openRequestLog({ ...options, directory });
    },
    close: () => Promise.resolve(),
  };
}

function createServiceControl(catalogUrl: string, log: Effects["log"]): ControlStores {
  let opening: Promise<ControlStores> | undefined;
  const open = (): Promise<ControlStores> => {
    if (opening) return opening;
    const started = import("./service-control-stores.ts").then(({ openServiceControl }) =>
      openServiceControl(catalogUrl, log),
    );
    opening = started;
    started.catch(() => {
      opening = undefined;
    });
    return started;
  };
  return {
    openTokens: async () => (await open()).openTokens(),
    openSettings: async () => (await open()).openSettings(),
    openLog: async (options) => (await open()).openLog(options),
    close: async () => (await opening)?.close(),
  };
}
