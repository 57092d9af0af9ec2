// Electron's entry: puts Electron, the host and the desktop shell together. Bundled to `.vite/build/main.cjs`, next
// to the preload script and the workers.
import {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  nativeTheme,
  Notification,
  safeStorage,
  screen,
  session,
  shell,
} from "electron";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { defaultStormPort, toDefaultConfig, type HostConfig } from "./host/config/host-config.ts";
import { defaultDataDirectory } from "./host/config/data-location.ts";
import { createSystemEffects, type Effects } from "./platform/effects.ts";
import { atDirectory } from "./catalog/stores/located-stores.ts";
import { openLogFiles, type LogFiles } from "./desktop/diagnostics/log-files.ts";
import { parseOpenArguments } from "./desktop/opening/open-arguments.ts";
import type { RunningHost } from "./desktop/shell/application-options.ts";
import { runApplication } from "./desktop/shell/application.ts";
import { openKeychain } from "./desktop/shell/keychain.ts";
import { parseShellOptions, type ShellOptions } from "./desktop/shell/options.ts";
import { connectUpdates, loadUpdateTrust } from "./desktop/updates/connect-updates.ts";
import { createJsonLog } from "./platform/json-log.ts";
import { identity } from "../shared/identity.ts";
import { start } from "./start.ts";
import { ingestInto } from "./host/jobs/ingest-into.ts";

const buildDirectory = import.meta.dirname;
const systemEffects = createSystemEffects();

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

/** Writes the log to standard error and, without its secrets, to files. */
function withLogFiles(logs: LogFiles): Effects {
  const { now } = systemEffects;
  const toFile = createJsonLog({ now, write: logs.write, environment: process.env });
  return {
    ...systemEffects,
    log: (level, message, facts) => {
      systemEffects.log(level, message, facts);
      toFile(level, message, facts);
    },
  };
}

async function main(): Promise<void> {
  const args = process.argv.slice(app.isPackaged ? 1 : 2);
  const config = toConfig(parseShellOptions(parseOpenArguments(args, process.cwd()).options));
  const { dataDirectory } = config;
  const logs = openLogFiles({ folder: join(dataDirectory, "logs") });
  const effects = withLogFiles(logs);
  const report = (message: string, facts: Readonly<Record<string, unknown>>): void => {
    effects.log("warn", message, facts);
  };
  const machine = { platform: process.platform, arch: process.arch };
  registerProtocol();
  await runApplication({
    electron: {
      ...{
        app,
        BrowserWindow,
        clipboard,
        dialog,
        ipcMain,
        Menu,
        nativeTheme,
        Notification,
        screen,
        session,
        shell,
      },
    },
    args,
    dataDirectory,
    preloadPath: join(buildDirectory, "preload.cjs"),
    resourcePath,
    startHost: async () => {
      const path = join(dataDirectory, "secrets.json");
      const keychain = await openKeychain({ safeStorage, path, platform: process.platform, report });
      return start(config, effects, keychain);
    },
    ingest: async (directory, { eventId, label, paths, onFile, onProgress }, signal) => {
      const event = label === undefined ? { id: eventId } : { id: eventId, label };
      await ingestInto(
        { location: atDirectory(directory), renderWorkerUrl: config.renderWorkerUrl },
        { paths, event, keepsSources: true, signal, onFile, onProgress },
        effects,
      );
    },
    openUpdater: (address, signal) =>
      connectUpdates(
        {
          ...{ machine, dataDirectory, report, signal },
          isPackaged: app.isPackaged,
          version: app.getVersion(),
          trust: loadUpdateTrust(join(buildDirectory, "..", "assets", "update-trust.json")),
          // A session of its own: no rule of the window's applies, and nothing of the window's goes along.
          fetch: updateFetch(),
        },
        address,
      ),
    // Another package on Linux belongs to the system's package manager.
    canInstallUpdates: process.platform !== "linux" || process.env.APPIMAGE !== undefined,
    logs,
    report,
    announce,
  });
}

/** Not for a checkout. After `--`, Windows cannot take a part of a link for a switch. */
function registerProtocol(): void {
  if (app.isPackaged) app.setAsDefaultProtocolClient(identity.protocol, process.execPath, ["--"]);
}

/** Loads by Chromium, which knows the system's proxy and certificates. */
function updateFetch(): typeof globalThis.fetch {
  const updates = session.fromPartition("updates", { cache: false });
  return (input, init) => updates.fetch(input as string | Request, init);
}

main().catch((error: unknown) => {
  systemEffects.log("error", "Echotop stopped.", { error });
  app.exit(1);
});
