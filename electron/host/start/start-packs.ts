// Puts event packs together: hosting as it is switched, and sharing over the catalog, for the actions about packs. Part of the composition, as start.ts is.
import { toSharingWork } from "../actions/sharing-work.ts";
import type { HostConfig } from "../config/host-config.ts";
import type { Effects } from "../../platform/effects.ts";
import { openHostingSwitch, type HostingSwitch } from "./hosting-switch.ts";
import type { Hosting } from "../../sharing/packs/shares/hosted-repository.ts";
import { createSharing } from "../../sharing/packs/shares/sharing.ts";
import { toRemote } from "../../services/hosting/remote.ts";
import type { SecretKeeper } from "../config/secrets.ts";
import type { SettingsFile } from "../config/settings.ts";
import type { ActionStores, PackServices } from "./start-actions.ts";
import type { SharedApi } from "./start-api.ts";
import type { Bindings } from "./start-hosting.ts";

export interface RunningPacks {
  readonly services: PackServices;
  /** None while hosting is off. */
  readonly bindings: () => Bindings;
  close(): Promise<void>;
}

export interface PackStores extends ActionStores {
  readonly secrets: SecretKeeper;
  readonly settings: SettingsFile;
  readonly api: SharedApi;
}

/** @throws as `openHostingSwitch` does */
export async function startPacks(
  config: HostConfig,
  { catalog, frames, secrets, settings, api }: PackStores,
  effects: Effects,
): Promise<RunningPacks> {
  const hosting = await openHostingSwitch({
    config,
    settings,
    api,
    effects,
    onChange: () => {
      sharing.wake();
    },
  });
  const sharing = createSharing({
    catalog,
    frames,
    directory: config.dataDirectory,
    hosting: () => toSharedHosting(hosting),
    effects,
  });
  const services: PackServices = {
    secrets,
    readHosting: () => hosting.read(),
    switchHosting: (on) => hosting.switchHosting(on),
    readLan: () => Promise.resolve(hosting.readLan()),
    switchLan: (on) => hosting.switchLan(on),
    ...toSharingWork(sharing),
  };
  return {
    services,
    bindings: () => hosting.running?.bindings ?? {},
    close: async () => {
      await sharing.close();
      await hosting.close();
    },
  };
}

function toSharedHosting({ running, lan }: HostingSwitch): Hosting | undefined {
  if (!running) return undefined;
  const { namespace, binding, open } = running.packs;
  const remoteOf = (origin: string, name: string): string => toRemote(origin, { namespace, name });
  return {
    namespace: binding,
    open,
    toLocalRemote: (name) => remoteOf(running.origin, name),
    toLanAddress: (name) => lan && { url: remoteOf(lan.origin, name), certificateSha256: lan.sha256 },
  };
}
