// The host's configuration as its parts read it, with its defaults. The configuration file is read in config/config-file.ts.

import type { FeedConfig } from "../../sources/feeds/feed-config.ts";
import type { Zone } from "../../services/gateway/zone.ts";

export const defaultStormPort = 47_800;
export const loopbackAddress = "127.0.0.1";

/** What comes with the program. Where it lies, and under which names, depends on whether it is bundled. */
export interface ProgramFiles {
  /** The prepared gazetteer, made by the build; built in memory where it is absent. */
  readonly gazetteerFile: string;
  /** The prepared base map of briefings, made by the build. */
  readonly briefingMapFile: string;
  /** The directory of known crawlers. */
  readonly botsFile: string;
  /** The built viewer's folder. */
  readonly viewerDirectory: string;
  /** The render worker's module. */
  readonly renderWorkerUrl: URL;
  /** The demonstration generator's worker module. */
  readonly generatorWorkerUrl: URL;
}

export interface HostConfig extends Omit<ProgramFiles, "botsFile"> {
  readonly dataDirectory: string;
  readonly storm: {
    /** 0 takes a free port. */
    readonly port: number;
    readonly address: string;
    /** Names under which other machines reach the service; empty on loopback, required beyond it. */
    readonly hostNames: readonly string[];
    /** When the port is taken: take a free one (the app) or fail (the command line). */
    readonly whenTaken: "fail" | "take-free-port";
  };
  /** Publish the demonstration event when the data directory holds no event. */
  readonly demo: boolean;
  /** The live feed; undefined while it is off. */
  readonly feed?: FeedConfig | undefined;
  /** Repository hosting, and the listener that it shares with the gateway's control plane. */
  readonly api: ApiConfig;
  readonly gateway: GatewayConfig;
  /** What a browser must show to act and not only look; undefined makes the listener read-only. */
  readonly actionToken?: string | undefined;
  /** Base URL of a Nominatim-compatible place search; undefined means the embedded gazetteer. */
  readonly placesUpstream: string | undefined;
}

export const defaultApiPort = 47_801;
export const defaultLanPort = 47_803;
export const defaultAccountId = "local";
/** As of when bindings behave where no configuration file says it. */
const compatibilityDate = "2026-11-20";

/** One function binding: a name for code, and the namespace that it opens. */
export interface ArtifactsEntry {
  readonly binding: string;
  readonly namespace: string;
}

export interface ApiConfig {
  /** The configuration file says so; what the user switched on stands in the data directory. */
  readonly isOn: boolean;
  /** Fixed, so that remotes stay good across restarts; 0 takes a free one. */
  readonly port: number;
  readonly accountId: string;
  readonly compatibilityDate: string;
  readonly artifacts: readonly ArtifactsEntry[];
  /** `auto` finds Git on PATH; anything else is the path of the program. */
  readonly git: string;
  readonly maxPackBytes: number;
  /** Address ranges (CIDR) that imports may reach beside public ones. */
  readonly importAllow: readonly string[];
  /** A PEM file with further authorities for imports. */
  readonly importCaFile: string | undefined;
  readonly lan: LanConfig;
}

/** The TLS listener for other machines; off until the user switches it on. */
export interface LanConfig {
  /** The configuration file says so. */
  readonly isOn: boolean;
  readonly address: string;
  readonly port: number;
  /** Names under which others reach this machine; empty takes the machine's own name and addresses. */
  readonly hostNames: readonly string[];
}

/** What the part is without a configuration file: off, with one binding for the app's own packs. */
export const defaultApiConfig: ApiConfig = {
  isOn: false,
  port: defaultApiPort,
  accountId: defaultAccountId,
  compatibilityDate,
  artifacts: [{ binding: "PACKS", namespace: "events" }],
  git: "auto",
  maxPackBytes: 2 * 1024 ** 3,
  importAllow: [],
  importCaFile: undefined,
  lan: { isOn: false, address: "0.0.0.0", port: defaultLanPort, hostNames: [] },
};

export const defaultGatewayPort = 47_802;
/** The zone that is served where no configuration file names one. */
export const briefingsZoneId = "briefings";

/** The reverse proxy that sends training crawlers to the canonical page. */
export interface GatewayConfig {
  /** The configuration file says so; what the user switched on stands in the data directory. */
  readonly isOn: boolean;
  /** 0 takes a free one. */
  readonly port: number;
  /** Address ranges (CIDR) whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** The directory of known crawlers, absolute. */
  readonly botsFile: string;
  /** `ADDRESS:PORT`, asked about crawlers in place of the system's resolver; empty asks the system's. */
  readonly dnsServers: readonly string[];
  readonly log: GatewayLogConfig;
  /** Empty: one zone, of the briefings at the listener's own address. */
  readonly zones: readonly Zone[];
}

export interface GatewayLogConfig {
  readonly keepDays: number;
  readonly push: { readonly url: string; readonly intervalMs: number } | undefined;
}

/** What the gateway is without a configuration file: off, and once it is switched on in front of the briefings alone. */
export function toDefaultGatewayConfig(botsFile: string): GatewayConfig {
  return {
    isOn: false,
    port: defaultGatewayPort,
    trustedProxies: [],
    botsFile,
    dnsServers: [],
    log: { keepDays: 30, push: undefined },
    zones: [],
  };
}

/** A host for this machine alone, with nothing switched on. */
export function toDefaultConfig(dataDirectory: string, { botsFile, ...files }: ProgramFiles): HostConfig {
  return {
    dataDirectory,
    storm: { port: defaultStormPort, address: loopbackAddress, hostNames: [], whenTaken: "fail" },
    demo: false,
    api: defaultApiConfig,
    gateway: toDefaultGatewayConfig(botsFile),
    placesUpstream: undefined,
    ...files,
  };
}
