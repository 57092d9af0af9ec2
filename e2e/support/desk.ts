// A forecaster's desk for tests: a host in this process, with the run's token, an event of known cells, and its log.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Browser, type Locator, type Page } from "@playwright/test";
import { ConfigFile } from "../../electron/host/config/config-file.ts";
import {
  defaultApiConfig,
  loopbackAddress,
  toDefaultConfig,
  type ApiConfig,
} from "../../electron/host/config/host-config.ts";
import { briefingsIn } from "../../electron/host/config/data-location.ts";
import { createSystemEffects, formatLogLine } from "../../electron/platform/effects.ts";
import { toGatewayConfig } from "../../electron/host/config/gateway-config-file.ts";
import { programFiles } from "../../electron/host/config/program-files.ts";
import { publicPresetAddresses, type PresetAddresses } from "../../electron/sources/overlays/presets.ts";
import { start, type Host } from "../../electron/start.ts";
import { makeTemporaryDirectory, removeDirectory, runCommand } from "../../electron/support/host-process.ts";
import { observedAt, writeKnownFile, type KnownFile } from "./known-storm.ts";
import { ViewerPage } from "./viewer-page.ts";

export const deskLabel = "Shared storm";
export const deskEvent = "storm";
export const actionToken = "of-this-run-0123456789";

export interface DeskOptions {
  readonly api?: Partial<ApiConfig>;
  /** Section `gateway` of the configuration file, with paths relative to the desk's folder. */
  readonly gateway?: unknown;
  readonly presetAddresses?: PresetAddresses;
}

export class Desk {
  readonly #folder: string;
  readonly log: string[] = [];
  #host: Host | undefined;

  constructor(name: string) {
    this.#folder = makeTemporaryDirectory(name);
  }

  get data(): string {
    return join(this.#folder, "data");
  }

  get origin(): string {
    return this.#host!.addresses.storm!;
  }

  /** Address of the gateway, if the configuration file turns it on. */
  get gateway(): string {
    return this.#host!.addresses.gateway!;
  }

  /** Writes a file next to the configuration file. */
  write(name: string, content: unknown): void {
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(join(this.#folder, name), JSON.stringify(content));
  }

  async start({ api, gateway, presetAddresses = publicPresetAddresses }: DeskOptions = {}): Promise<void> {
    const lan = { ...defaultApiConfig.lan, port: 0, address: loopbackAddress, hostNames: ["localhost"] };
    const { botsFile } = programFiles;
    const places = { folder: this.#folder, briefingsDirectory: briefingsIn(this.data), botsFile };
    const file = ConfigFile.parse(gateway === undefined ? {} : { gateway });
    const gatewayConfig = toGatewayConfig(file.gateway, places);
    const config = toDefaultConfig(this.data, programFiles);
    this.#host = await start(
      {
        ...config,
        actionToken,
        presetAddresses,
        storm: { ...config.storm, port: 0 },
        api: { ...defaultApiConfig, port: 0, lan, ...api },
        gateway: gateway === undefined ? { ...gatewayConfig, port: 0 } : gatewayConfig,
      },
      {
        ...createSystemEffects(),
        log: (level, message, facts) => this.log.push(formatLogLine(level, message, facts)),
      },
    );
  }

  /** Ingests one window of a layer, reflectivity by default, with the same value everywhere. */
  async ingest(
    window: number,
    value: number,
    product: KnownFile["product"] = "mrms-reflectivity",
  ): Promise<void> {
    const quadrants = { northWest: value, northEast: value, southWest: value, southEast: value };
    const file = { product, observedAt: observedAt(window), quadrants };
    const path = writeKnownFile(this.#folder, file);
    const args = ["ingest", "--data", this.data, "--event", deskEvent, "--label", deskLabel, path];
    expect(await runCommand(args)).toMatchObject({ status: 0 });
  }

  /** Opens a new page with the run's token and a part of its Share panel. */
  async openPanel(
    browser: Browser,
    part: "Packs" | "Briefing",
  ): Promise<{ page: Page; panel: Locator; viewer: ViewerPage }> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.goto(`${this.origin}/#token=${actionToken}`);
    const viewer = new ViewerPage(page);
    await viewer.button("Share").click();
    const panel = page.getByRole("region", { name: "Share", exact: true });
    await panel.getByRole("radio", { name: part, exact: true }).check();
    return { page, viewer, panel };
  }

  async close(): Promise<void> {
    await this.#host?.close();
    removeDirectory(this.#folder);
  }
}

/** Shows a part of the Share panel that is under Administration, and leads back from there to any other. */
export async function openPart(panel: Locator, part: string): Promise<void> {
  const tab = panel.getByRole("radio", { name: part, exact: true });
  const other = panel.getByRole("button", { name: /^(Administration…|Back to sharing)$/ });
  if ((await tab.count()) === 0) await other.click();
  await tab.check();
}
