// electron-updater for the package that runs: an AppImage, a Windows installation or a macOS bundle. It sees only
// metadata with a valid signature, and loads files only by our requests.
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, createReadStream, renameSync, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { AppImageUpdater, AppUpdater, UpdateInfo } from "electron-updater";
import { AppError } from "../../../shared/app-error.ts";
import {
  compareVersions,
  metadataNameOf,
  parseReleaseMetadata,
  type Machine,
  type ReleaseMetadata,
} from "./release-metadata.ts";
import type { ReleaseRequests } from "./release-requests.ts";
import { isSignedBy, signatureNameOf } from "./release-signature.ts";

export interface PackageUpdater {
  /** Resolves with a newer version, or undefined if the running one is the newest. @throws AppError */
  check(): Promise<string | undefined>;
  /** Loads the version of the last check. @throws AppError; nothing is left then */
  download(): Promise<void>;
  /** Replaces the package by the loaded version, checked once more. The application must end right after. */
  install(): Promise<void>;
}

export interface PackageUpdaterOptions {
  readonly machine: Machine;
  readonly version: string;
  /** Folder of the releases, with a slash at its end. */
  readonly address: URL;
  /** Key of the releases: SPKI, base64. */
  readonly publicKey: string;
  /** Names on the certificates of Windows installers; empty without such certificates. */
  readonly publisherNames: readonly string[];
  /** Folder of loaded updates. */
  readonly folder: string;
  readonly requests: ReleaseRequests;
  readonly report: (message: string, facts: Readonly<Record<string, unknown>>) => void;
}

/** The module of updates is loaded only if they are on. */
export async function openPackageUpdater(options: PackageUpdaterOptions): Promise<PackageUpdater> {
  const updater = await createUpdater(options);
  let loaded: { readonly path: string; readonly sha512: string } | undefined;
  let offered: UpdateInfo | undefined;
  return {
    check: async () => {
      offered = undefined;
      const result = await updater.checkForUpdates();
      if (result?.isUpdateAvailable !== true) return undefined;
      offered = result.updateInfo;
      return offered.version;
    },
    download: async () => {
      if (offered === undefined) throw new AppError("not-found", "There is no newer version.");
      const [path] = await updater.downloadUpdate();
      const sha512 = await hashFile(path!);
      const isOffered = offered.files.some((file) => file.sha512 === sha512);
      if (!isOffered)
        throw new AppError("source-invalid", "The downloaded update was changed; it was discarded.");
      loaded = { path: path!, sha512 };
    },
    install: async () => {
      if (loaded === undefined || !("install" in updater)) return;
      if ((await hashFile(loaded.path)) !== loaded.sha512) {
        throw new AppError(
          "source-invalid",
          "The downloaded update was changed since; it was not installed.",
        );
      }
      // Silently, and without a new start.
      (updater.install as (isSilent: boolean, isForceRunAfter: boolean) => boolean)(true, false);
    },
  };
}

async function createUpdater(options: PackageUpdaterOptions): Promise<AppUpdater> {
  const { machine, folder, publisherNames, requests, report } = options;
  const electronUpdater = await import("electron-updater");
  const app = {
    version: options.version,
    name: "echotop",
    isPackaged: true,
    appUpdateConfigPath: "",
    userDataPath: folder,
    baseCachePath: folder,
    whenReady: () => Promise.resolve(),
    // Echotop quits by itself, and installs then.
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: () => undefined,
  };
  const updater =
    machine.platform === "win32"
      ? new electronUpdater.NsisUpdater(null, app)
      : machine.platform === "darwin"
        ? new electronUpdater.MacUpdater(undefined, app)
        : new (toAtomicUpdater(electronUpdater.AppImageUpdater))(null, app);
  updater.autoDownload = false;
  // On macOS the system gets the update right after the download, and installs it when Echotop quits.
  updater.autoInstallOnAppQuit = machine.platform === "darwin";
  updater.disableWebInstaller = true;
  updater.disableDifferentialDownload = true;
  updater.logger = toLogger(report);
  // The declarations hide these three, for which the package has no options: how it loads files, what its own file
  // of settings would say, and the number by which it knows a computer.
  Object.assign(updater, {
    httpExecutor: {
      download: (url: URL, path: string, { sha512 }: { sha512: string }) =>
        requests.download(url, path, { sha512 }),
    },
    configOnDisk: {
      value: Promise.resolve({
        updaterCacheDirName: "loaded",
        publisherName: publisherNames.length === 0 ? null : publisherNames,
      }),
    },
    stagingUserIdPromise: { value: Promise.resolve("") },
  });
  const { address } = options;
  class SignedProvider extends electronUpdater.Provider<UpdateInfo> {
    async getLatestVersion(): Promise<UpdateInfo> {
      const { version, files } = await readRelease(options);
      const [first] = files;
      return { version, files: [...files], path: first!.url, sha512: first!.sha512, releaseDate: "" };
    }
    resolveFiles({ files }: UpdateInfo) {
      return files.map((info) => ({ url: new URL(encodeURIComponent(info.url), address), info }));
    }
  }
  updater.setFeedURL({ provider: "custom", updateProvider: SignedProvider as never });
  return updater;
}

/** Reads the newest release. @throws AppError also for an older one than the running version */
async function readRelease(options: PackageUpdaterOptions): Promise<ReleaseMetadata> {
  const { machine, version, address, publicKey, requests } = options;
  const { parseUpdateInfo } = await import("electron-updater/out/providers/Provider.js");
  const name = metadataNameOf(machine);
  const url = new URL(name, address);
  const metadata = await requests.read(url);
  const signature = (await requests.read(new URL(signatureNameOf(name), address))).toString("latin1");
  if (!isSignedBy(publicKey, name, { metadata, signature })) {
    throw new AppError(
      "source-invalid",
      "The release at the update address is not signed by Echotop's publisher.",
    );
  }
  const release = parseReleaseMetadata(parseUpdateInfo(metadata.toString(), name, url), machine);
  if (compareVersions(release.version, version) < 0) {
    const detail = `The update server offers Echotop ${release.version}, which is older than ${version}; it was ignored.`;
    throw new AppError("source-invalid", detail);
  }
  return release;
}

/** Makes the replacement of an AppImage atomic: a full disk leaves the old one, under the name that people start. */
function toAtomicUpdater(Base: typeof AppImageUpdater): typeof AppImageUpdater {
  return class extends Base {
    override doInstall(): boolean {
      const path = process.env.APPIMAGE;
      const { installerPath } = this;
      if (path === undefined || installerPath === null) return false;
      const staged = `${path}.update`;
      try {
        copyFileSync(installerPath, staged);
        chmodSync(staged, 0o755);
        renameSync(staged, path);
      } finally {
        rmSync(staged, { force: true });
      }
      return true;
    }
  };
}

function toLogger(report: PackageUpdaterOptions["report"]) {
  const tell = (message: unknown): void => {
    report("The updater said something.", { message: String(message) });
  };
  return { info: () => undefined, warn: tell, error: tell };
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha512");
  await pipeline(createReadStream(path), hash);
  return hash.digest("base64");
}
