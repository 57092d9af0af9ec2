// The parts that a process starts by itself, limited to the roles that its configuration names.
import type { ApiConfig, GatewayConfig } from "./host-config.ts";
import type { Role } from "./service-config.ts";
import type { SettingsFile } from "./settings.ts";

/** Returns settings in which parts of other roles are off: processes on one directory share its file. */
export function limitToRoles(settings: SettingsFile, roles: ReadonlySet<Role>): SettingsFile {
  return {
    current: () => {
      const current = settings.current();
      return {
        ...current,
        hosting: current.hosting && roles.has("hosting"),
        lan: current.lan && roles.has("hosting"),
        gateway: current.gateway && roles.has("gateway"),
      };
    },
    change: (difference) => settings.change(difference),
  };
}

/** Returns the configuration of hosting and the gateway with those off that no role names. */
export function limitPartsToRoles(
  parts: { readonly api: ApiConfig; readonly gateway: GatewayConfig },
  roles: ReadonlySet<Role>,
): typeof parts {
  const { api, gateway } = parts;
  const isHosting = roles.has("hosting");
  return {
    api: {
      ...api,
      isOn: api.isOn && isHosting,
      lan: { ...api.lan, isOn: api.lan.isOn && isHosting },
    },
    gateway: { ...gateway, isOn: gateway.isOn && roles.has("gateway") },
  };
}
