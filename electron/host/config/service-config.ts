// The configuration of a team's service: its stores, the parts that this process runs, and how it is operated.
import {
  atDirectory,
  type ObjectsLocation,
  type StoresLocation,
} from "../../catalog/stores/located-stores.ts";

/** Parts that one process of a service may run. */
export const roles = ["reader", "feed", "worker", "hosting", "gateway"] as const;
export type Role = (typeof roles)[number];

export interface ServiceConfig {
  /** Database and object store of the service; undefined: the data directory. */
  readonly stores: { readonly catalogUrl: string; readonly objects: ObjectsLocation } | undefined;
  readonly roles: ReadonlySet<Role>;
  /** `https://HOST`, the address that browsers use through a proxy; undefined: none. */
  readonly publicOrigin: string | undefined;
  /** True for readers of the public: no stream, no actions, and answers that shared caches keep. */
  readonly isPublic: boolean;
  /** Address ranges (CIDR) of proxies, which many visitors share; this machine's own addresses always are. */
  readonly trustedProxies: readonly string[];
  /** Listener of health and metrics; undefined: none. Port 0 takes a free one. */
  readonly admin: { readonly address: string; readonly port: number } | undefined;
  /** Time in which streams are closed one after the other when the process is to end. */
  readonly drainMs: number;
}

/** Defaults: one process with every part on a data directory. */
export const defaultServiceConfig: ServiceConfig = {
  stores: undefined,
  roles: new Set(roles),
  publicOrigin: undefined,
  isPublic: false,
  trustedProxies: [],
  admin: undefined,
  drainMs: 0,
};

/** Returns the place of the stores; `folder` is the data directory, or the scratch folder of a service. */
export function toStoresLocation({ stores }: Pick<ServiceConfig, "stores">, folder: string): StoresLocation {
  return stores ? { kind: "service", ...stores, scratchFolder: folder } : atDirectory(folder);
}
