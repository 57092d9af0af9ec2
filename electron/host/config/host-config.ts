// The host's configuration and its defaults. config-file.ts reads the configuration file.
import type { FeedConfig } from "../../sources/feeds/feed-config.ts";
import { publicPresetAddresses, type PresetAddresses } from "../../sources/overlays/presets.ts";
import type { Zone } from "../../services/gateway/zone.ts";
import { defaultServiceConfig, type ServiceConfig } from "./service-config.ts";

export const defaultStormPort = 47_800;
export const loopbackAddress = "127.0.0.1";

/** Files of the program; their paths depend on whether it is bundled. */
export interface ProgramFiles {
  /** Gazetteer made by the build; if missing, it is built in memory. */
  readonly gazetteerFile: string;
  /** Base map of briefings, made by the build. */
  readonly briefingMapFile: string;
  /** List of known crawlers. */
  readonly botsFile: string;
  /** Folder of the built viewer. */
  readonly viewerDirectory: string;
  /** Module of the render worker. */
  readonly renderWorkerUrl: URL;
  /** Module of the demonstration generator's worker. */
  readonly generatorWorkerUrl: URL;
}

export interface HostConfig extends Omit<ProgramFiles, "botsFile"> {
  readonly dataDirectory: string;
  readonly storm: {
    /** 0 takes a free port. */
    readonly port: number;
    readonly address: string;
    /** Names by which other computers reach the service; empty on loopback, required beyond it. */
    readonly hostNames: readonly string[];
    /** Reaction to a taken port: the app takes a free one, the command line fails. */
    readonly whenTaken: "fail" | "take-free-port";
  };
  /** Publishes the demonstration event if the data directory has no event. */
  readonly demo: boolean;
  /** Feed of the command line; it cannot be changed in the viewer. */
  readonly feed?: FeedConfig | undefined;
  /** True for the app: the live feed of the settings starts again. A service has only the feed of its command line. */
  readonly resumesLive: boolean;
  /** Repository hosting, and the listener shared with the gateway's control plane. */
  readonly api: ApiConfig;
  readonly gateway: GatewayConfig;
  /** Token that a browser must send with actions; undefined makes the viewer read-only. */
  readonly actionToken?: string | undefined;
  /** Base URL of a Nominatim-compatible place search; undefined: the embedded gazetteer. */
  readonly placesUpstream: string | undefined;
  /** Services of warnings and reports. */
  readonly presetAddresses: PresetAddresses;
  /** Operation of a team's service; the defaults are for one computer. */
  readonly service: ServiceConfig;
}

/** A function binding: a name for code, and the namespace it opens. */
export interface ArtifactsEntry {
  readonly binding: string;
  readonly namespace: string;
}

export interface ApiConfig {
  /** True if the configuration file switches the part on; the user's own switch is in the settings. */
  readonly isOn: boolean;
  /** Fixed, so that remotes stay valid across restarts; 0 takes a free port. */
  readonly port: number;
  readonly accountId: string;
  readonly compatibilityDate: string;
  readonly artifacts: readonly ArtifactsEntry[];
  /** `auto` finds Git on PATH; any other value is the path of the program. */
  readonly git: string;
  readonly maxPackBytes: number;
  /** Address ranges (CIDR) that imports may reach in addition to public ones. */
  readonly importAllow: readonly string[];
  /** PEM file with additional certificate authorities for imports. */
  readonly importCaFile: string | undefined;
  readonly lan: LanConfig;
}

/** The TLS listener for other computers. */
export interface LanConfig {
  /** True if the configuration file switches it on. */
  readonly isOn: boolean;
  readonly address: string;
  readonly port: number;
  /** Names by which other computers reach this one; empty: its own name and addresses. */
  readonly hostNames: readonly string[];
}

/** Defaults of hosting: off, with one binding for the app's own packs. */
export const defaultApiConfig: ApiConfig = {
  isOn: false,
  port: 47_801,
  accountId: "local",
  compatibilityDate: "2026-11-20",
  artifacts: [{ binding: "PACKS", namespace: "events" }],
  git: "auto",
  maxPackBytes: 2 * 1024 ** 3,
  importAllow: [],
  importCaFile: undefined,
  lan: { isOn: false, address: "0.0.0.0", port: 47_803, hostNames: [] },
};

/** The reverse proxy that redirects training crawlers to the canonical page. */
export interface GatewayConfig {
  /** True if the configuration file switches the part on; the user's own switch is in the settings. */
  readonly isOn: boolean;
  /** 0 takes a free port. */
  readonly port: number;
  /** Address ranges (CIDR) whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** List of known crawlers, absolute path. */
  readonly botsFile: string;
  /** `ADDRESS:PORT` of the resolvers for crawlers' names; empty: the system's. */
  readonly dnsServers: readonly string[];
  readonly log: {
    readonly keepDays: number;
    readonly push: { readonly url: string; readonly intervalMs: number } | undefined;
  };
  /** Empty: one zone, the briefings at the listener's own address. */
  readonly zones: readonly Zone[];
}

/** Returns the defaults of the gateway: off, with the briefings as its only zone. */
export function toDefaultGatewayConfig(botsFile: string): GatewayConfig {
  return {
    isOn: false,
    port: 47_802,
    trustedProxies: [],
    botsFile,
    dnsServers: [],
    log: { keepDays: 30, push: undefined },
    zones: [],
  };
}

/** Returns the configuration of a host for this computer only, with nothing switched on. */
export function toDefaultConfig(dataDirectory: string, { botsFile, ...files }: ProgramFiles): HostConfig {
  return {
    dataDirectory,
    storm: { port: defaultStormPort, address: loopbackAddress, hostNames: [], whenTaken: "fail" },
    demo: false,
    resumesLive: false,
    api: defaultApiConfig,
    gateway: toDefaultGatewayConfig(botsFile),
    placesUpstream: undefined,
    presetAddresses: publicPresetAddresses,
    service: defaultServiceConfig,
    ...files,
  };
}
