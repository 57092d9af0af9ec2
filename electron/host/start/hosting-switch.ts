// Hosting and its TLS listener for other machines as they are switched on and off while the host runs: one change at a time, kept
// in the settings. Part of the composition, as start.ts is.
import { hostname, networkInterfaces } from "node:os";
import { AppError } from "../../../shared/app-error.ts";
import type { HostingState, LanState } from "../../../shared/contract/packs.ts";
import { loadSharingCertificate } from "../../services/api/certificate.ts";
import type { HostConfig } from "../config/host-config.ts";
import type { Effects } from "../../platform/effects.ts";
import type { SettingsFile } from "../config/settings.ts";
import { toRemote } from "../../services/hosting/remote.ts";
import type { Hosting } from "../../sharing/packs/shares/hosted-repository.ts";
import { toPortAdvice, type SharedApi } from "./start-api.ts";
import type { RunningHosting } from "./start-hosting.ts";
import { tellFailure } from "./tell-failure.ts";
import { createClosableMutex } from "../../platform/locks/mutex.ts";

/** The TLS listener while it is on. */
export interface OpenLan {
  /** `https://NAME:PORT` */
  readonly origin: string;
  /** For people, colons between the bytes. */
  readonly fingerprint: string;
  /** As a pairing code has it. */
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
 * Opens what the configuration and the settings say. What the configuration asks for and cannot be had is thrown, as
 * `startHosting` does; what the settings ask for becomes a state that says why it failed.
 */
export async function openHostingSwitch(options: HostingSwitchOptions): Promise<HostingSwitch> {
  const hosting = new HostingSwitch(options);
  await hosting.open();
  return hosting;
}

export class HostingSwitch {
  readonly #options: HostingSwitchOptions;
  readonly #changes = createClosableMutex();
  #running: RunningHosting | undefined;
  #problem: string | undefined;
  #lan: OpenLan | undefined;
  #lanProblem: string | undefined;

  constructor(options: HostingSwitchOptions) {
    this.#options = options;
  }

  get running(): RunningHosting | undefined {
    return this.#running;
  }

  get lan(): OpenLan | undefined {
    return this.#lan;
  }

  /** Returns where events of this computer are shared; undefined while hosting is off. */
  toSharedHosting(): Hosting | undefined {
    const [running, lan] = [this.#running, this.#lan];
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

  /** Called once, before anything else. */
  async open(): Promise<void> {
    if (this.#options.config.api.isOn) this.#running = await this.#startRunning();
    else if (this.#options.settings.current().hosting) await this.#start();
    if (this.#wantsLan()) await this.#startLan();
  }

  async read(): Promise<HostingState> {
    const { findHostingGit } = await import("./start-hosting.ts");
    const availability = await findHostingGit(this.#options.config.api);
    return {
      listener: this.#running
        ? { status: "on", address: this.#running.origin }
        : this.#problem === undefined
          ? { status: "off" }
          : { status: "failed", problem: this.#problem },
      git:
        "git" in availability
          ? { status: "found", version: availability.git.version }
          : { status: "missing", problem: availability.missing },
    };
  }

  readLan(): LanState {
    if (this.#lan) return { status: "on", address: this.#lan.origin, fingerprint: this.#lan.fingerprint };
    return this.#lanProblem === undefined
      ? { status: "off" }
      : { status: "failed", problem: this.#lanProblem };
  }

  /** Resolves with what came of it. Throws `conflict` where the configuration decides, and `storage-failed`. */
  switchHosting(on: boolean): Promise<HostingState> {
    return this.#changes.run(async () => {
      if (!on && this.#options.config.api.isOn) {
        throw new AppError("conflict", "The configuration file switches hosting on; it says when it ends.");
      }
      await this.#options.settings.change({ hosting: on });
      if (on && !this.#running) {
        await this.#start();
        if (this.#wantsLan()) await this.#startLan();
      }
      if (!on) await this.#stop();
      this.#options.onChange();
      return this.read();
    });
  }

  /** Throws `conflict` while hosting is off, and `storage-failed`. */
  switchLan(on: boolean): Promise<LanState> {
    return this.#changes.run(async () => {
      if (on && !this.#running) {
        throw new AppError("conflict", "Hosting is off; switch it on before sharing with other machines.");
      }
      if (!on && this.#options.config.api.lan.isOn) {
        throw new AppError("conflict", "The configuration file switches sharing with other machines on.");
      }
      await this.#options.settings.change({ lan: on });
      if (on && !this.#lan) await this.#startLan();
      if (!on) await this.#stopLan();
      this.#options.onChange();
      return this.readLan();
    });
  }

  /** Idempotent. */
  close(): Promise<void> {
    return this.#changes.close(() => this.#stop());
  }

  #wantsLan(): boolean {
    return this.#options.config.api.lan.isOn || this.#options.settings.current().lan;
  }

  async #start(): Promise<void> {
    try {
      this.#running = await this.#startRunning();
      this.#problem = undefined;
    } catch (error) {
      this.#problem = tellFailure(error, "Hosting could not be started.", this.#options.effects.log);
    }
  }

  /** Most hosts host nothing: it is loaded when it is wanted. */
  async #startRunning(): Promise<RunningHosting> {
    const { startHosting } = await import("./start-hosting.ts");
    const { config, effects, api } = this.#options;
    return startHosting(config, effects, api);
  }

  async #stop(): Promise<void> {
    await this.#stopLan();
    const running = this.#running;
    this.#running = undefined;
    this.#problem = undefined;
    await running?.close();
  }

  async #startLan(): Promise<void> {
    const { config, effects, api } = this.#options;
    const { address, port, hostNames } = config.api.lan;
    if (!this.#running) return;
    try {
      const certificate = await loadSharingCertificate({
        directory: config.dataDirectory,
        // One name that stays: whoever paired knows the certificate by its fingerprint, and addresses come and go.
        hostNames: [hostname().toLowerCase()],
        now: effects.now,
      });
      const names = hostNames.length > 0 ? hostNames : findOwnNames();
      const { origin } = await api.listenTls({
        address,
        port,
        advice: toPortAdvice("repositories.lan.port"),
        hostNames: names,
        certificate,
      });
      this.#lan = { origin, fingerprint: certificate.fingerprint, sha256: certificate.sha256 };
      this.#lanProblem = undefined;
      effects.log(
        "info",
        `Other machines reach shared packs at ${origin}, certificate ${certificate.fingerprint}.`,
      );
    } catch (error) {
      this.#lanProblem = tellFailure(error, "Sharing with other machines could not be started.", effects.log);
    }
  }

  async #stopLan(): Promise<void> {
    const wasOn = this.#lan !== undefined;
    this.#lan = undefined;
    this.#lanProblem = undefined;
    if (wasOn) await this.#options.api.closeTls();
  }
}

/** How others can reach this machine: its addresses first, because names of machines are often known to nobody. */
function findOwnNames(): string[] {
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4")
    .map(({ address }) => address);
  return [...addresses, hostname().toLowerCase(), "127.0.0.1", "localhost"];
}
