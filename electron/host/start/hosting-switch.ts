// Switches hosting, and its TLS listener for other computers, on and off while the host runs; the settings remember
// the choice.
import { hostname, networkInterfaces } from "node:os";
import { AppError } from "../../../shared/app-error.ts";
import type { HostingState, LanState } from "../../../shared/contract/packs.ts";
import { createClosableMutex } from "../../platform/locks/mutex.ts";
import type { Effects } from "../../platform/effects.ts";
import { loadSharingCertificate } from "../../services/api/certificate.ts";
import { toRemote } from "../../services/hosting/git/git-route.ts";
import type { Hosting } from "../../sharing/packs/shares/hosted-repository.ts";
import type { HostConfig } from "../config/host-config.ts";
import type { SettingsFile } from "../config/settings.ts";
import { toPortAdvice, type SharedApi } from "./start-api.ts";
import type { RunningHosting } from "./start-hosting.ts";
import { SwitchedPart, type RunningPart } from "./switched-part.ts";

/** The TLS listener while it is on; `origin` is `https://NAME:PORT`. */
interface OpenLan extends RunningPart {
  /** The certificate's SHA-256 for people, colons between the bytes. */
  readonly fingerprint: string;
  /** The same as a pairing code has it. */
  readonly sha256: string;
}

export interface HostingSwitchOptions {
  readonly config: Pick<HostConfig, "api" | "dataDirectory">;
  readonly settings: SettingsFile;
  readonly api: SharedApi;
  readonly effects: Pick<Effects, "now" | "log">;
  readonly onChange: () => void;
}

/**
 * Starts hosting if the configuration or the settings ask for it.
 * @throws as `startHosting` if the configuration does
 */
export async function openHostingSwitch(options: HostingSwitchOptions): Promise<HostingSwitch> {
  const hosting = new HostingSwitch(options);
  await hosting.open();
  return hosting;
}

export class HostingSwitch {
  readonly #options: HostingSwitchOptions;
  readonly #changes = createClosableMutex();
  readonly #part: SwitchedPart<RunningHosting>;
  readonly #lan: SwitchedPart<OpenLan>;

  constructor(options: HostingSwitchOptions) {
    const { config, effects, api } = options;
    const { log } = effects;
    this.#options = options;
    this.#part = new SwitchedPart({
      // Most hosts have no repositories: the module is loaded when needed.
      start: async () => (await import("./start-hosting.ts")).startHosting(config, effects, api),
      failure: "Hosting could not be started.",
      log,
    });
    this.#lan = new SwitchedPart({
      start: () => openLan(options),
      failure: "Sharing with other machines could not be started.",
      log,
    });
  }

  get running(): RunningHosting | undefined {
    return this.#part.running;
  }

  /** Returns where events of this computer are shared; undefined while hosting is off. */
  toSharedHosting(): Hosting | undefined {
    const [running, lan] = [this.#part.running, this.#lan.running];
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

  /** Must be the first call. */
  async open(): Promise<void> {
    const { config, settings } = this.#options;
    if (config.api.isOn) await this.#part.startOrThrow();
    else if (settings.current().hosting) await this.#part.start();
    await this.#startLanIfWanted();
  }

  async read(): Promise<HostingState> {
    const { findHostingGit } = await import("./start-hosting.ts");
    const availability = await findHostingGit(this.#options.config.api);
    return {
      listener: this.#part.state(),
      git:
        "git" in availability
          ? { status: "found", version: availability.git.version }
          : { status: "missing", problem: availability.missing },
    };
  }

  readLan(): LanState {
    const state = this.#lan.state();
    return state.status === "on" ? { ...state, fingerprint: this.#lan.running!.fingerprint } : state;
  }

  /**
   * Resolves with the new state, also if it is `failed`.
   * @throws AppError `conflict` if the configuration decides; `storage-failed`
   */
  switchHosting(on: boolean): Promise<HostingState> {
    return this.#changes.run(async () => {
      if (!on && this.#options.config.api.isOn) {
        throw new AppError("conflict", "The configuration file switches hosting on; change it there.");
      }
      await this.#options.settings.change({ hosting: on });
      if (!on) await this.#stop();
      else if (!this.running) {
        await this.#part.start();
        await this.#startLanIfWanted();
      }
      this.#options.onChange();
      return this.read();
    });
  }

  /**
   * Resolves with the new state, also if it is `failed`.
   * @throws AppError `conflict` while hosting is off; `storage-failed`
   */
  switchLan(on: boolean): Promise<LanState> {
    return this.#changes.run(async () => {
      if (on && !this.running) {
        throw new AppError("conflict", "Hosting is off; switch it on before sharing with other machines.");
      }
      if (!on && this.#options.config.api.lan.isOn) {
        throw new AppError("conflict", "The configuration file switches sharing with other machines on.");
      }
      await this.#options.settings.change({ lan: on });
      await (on ? this.#lan.start() : this.#lan.stop());
      this.#options.onChange();
      return this.readLan();
    });
  }

  /** Idempotent. */
  close(): Promise<void> {
    return this.#changes.close(() => this.#stop());
  }

  async #startLanIfWanted(): Promise<void> {
    const { config, settings } = this.#options;
    if (this.running && (config.api.lan.isOn || settings.current().lan)) await this.#lan.start();
  }

  async #stop(): Promise<void> {
    await this.#lan.stop();
    await this.#part.stop();
  }
}

async function openLan({ config, effects, api }: HostingSwitchOptions): Promise<OpenLan> {
  const { address, port, hostNames } = config.api.lan;
  const certificate = await loadSharingCertificate({
    directory: config.dataDirectory,
    // One constant name: paired computers know the certificate by its fingerprint, and addresses change.
    hostNames: [hostname().toLowerCase()],
    now: effects.now,
  });
  const { origin } = await api.listenTls({
    address,
    port,
    advice: toPortAdvice("repositories.lan.port"),
    hostNames: hostNames.length > 0 ? hostNames : findOwnNames(),
    certificate,
  });
  const { fingerprint, sha256 } = certificate;
  effects.log("info", `Other machines reach shared packs at ${origin}, certificate ${fingerprint}.`);
  return { origin, fingerprint, sha256, close: api.closeTls };
}

/** Returns this computer's addresses first: other computers often cannot resolve its name. */
function findOwnNames(): string[] {
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4")
    .map(({ address }) => address);
  return [...addresses, hostname().toLowerCase(), "127.0.0.1", "localhost"];
}
