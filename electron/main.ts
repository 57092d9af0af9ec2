// Electron's entry: puts Electron, the host and the desktop shell together. Bundled to `.vite/build/main.cjs`, next
// to the preload script and the workers.
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeTheme,
  safeStorage,
  screen,
  session,
  shell,
} from "electron";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { defaultStormPort, toDefaultConfig, type HostConfig } from "./host/config/host-config.ts";
import { defaultDataDirectory } from "./host/config/data-location.ts";
import { createSystemEffects } from "./platform/effects.ts";
import { atDirectory } from "./catalog/stores/located-stores.ts";
import type { RunningHost } from "./desktop/shell/application-options.ts";
import { runApplication } from "./desktop/shell/application.ts";
import { openKeychain } from "./desktop/shell/keychain.ts";
import { parseShellOptions, type ShellOptions } from "./desktop/shell/options.ts";
import { start } from "./start.ts";
import { ingestInto } from "./host/jobs/ingest-into.ts";

const buildDirectory = import.meta.dirname;
const effects = createSystemEffects();

function toConfig({ dataDirectory, port }: ShellOptions): HostConfig {
  const config = toDefaultConfig(dataDirectory ?? defaultDataDirectory(process.env, process.platform), {
    gazetteerFile: join(buildDirectory, "..", "assets", "places.json"),
    briefingMapFile: join(buildDirectory, "..", "assets", "briefing-map.json"),
    botsFile: resourcePath("bots"),
    viewerDirectory: join(buildDirectory, "..", "renderer"),
    renderWorkerUrl: pathToFileURL(join(buildDirectory, "render-worker.cjs")),
    generatorWorkerUrl: pathToFileURL(join(buildDirectory, "generator-worker.cjs")),
  });
  return {
    ...config,
    storm: { ...config.storm, port: port ?? defaultStormPort, whenTaken: "take-free-port" },
    demo: true,
    resumesLive: true,
  };
}

const resources = {
  icon: { file: "echotop.png", folder: ["assets", "icons"] },
  notices: { file: "THIRD-PARTY-NOTICES.md", folder: [] },
  bots: { file: "bots.json", folder: ["assets"] },
} as const;

/** Returns a path in the checkout, or next to the archive of the packaged application. */
function resourcePath(name: "icon" | "notices" | "bots"): string {
  const { file, folder } = resources[name];
  if (app.isPackaged) return join(process.resourcesPath, file);
  return join(buildDirectory, "..", "..", ...folder, file);
}

function announce({ addresses, dataDirectory: data }: RunningHost): void {
  process.stdout.write(`${JSON.stringify({ listening: addresses, data })}\n`);
}

function report(message: string, facts?: Readonly<Record<string, unknown>>): void {
  effects.log("warn", message, facts);
}

async function main(): Promise<void> {
  const config = toConfig(parseShellOptions(process.argv.slice(app.isPackaged ? 1 : 2)));
  await runApplication({
    electron: { app, BrowserWindow, dialog, ipcMain, Menu, nativeTheme, screen, session, shell },
    dataDirectory: config.dataDirectory,
    preloadPath: join(buildDirectory, "preload.cjs"),
    resourcePath,
    startHost: async () => {
      const path = join(config.dataDirectory, "secrets.json");
      const keychain = await openKeychain({ safeStorage, path, platform: process.platform, report });
      return start(config, effects, keychain);
    },
    ingest: async (dataDirectory, { eventId, label, paths, onFile, onProgress }, signal) => {
      const event = label === undefined ? { id: eventId } : { id: eventId, label };
      await ingestInto(
        { location: atDirectory(dataDirectory), renderWorkerUrl: config.renderWorkerUrl },
        { paths, event, keepsSources: true, signal, onFile, onProgress },
        effects,
      );
    },
    report,
    announce,
  });
}

main().catch((error: unknown) => {
  effects.log("error", "Echotop stopped.", { error });
  app.exit(1);
});
