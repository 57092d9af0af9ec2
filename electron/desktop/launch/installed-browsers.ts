// Finds an installed Chrome, Chromium or Edge. The file system is a parameter, so that tests cover every platform.
import { accessSync, constants, statSync } from "node:fs";
import { posix, win32 } from "node:path";

export interface InstalledBrowser {
  readonly name: "Chromium" | "Google Chrome" | "Microsoft Edge";
  readonly executablePath: string;
}

export interface BrowserSurroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isExecutable: (path: string) => boolean;
}

type Candidate = readonly [InstalledBrowser["name"], string];

const linuxCommands: readonly Candidate[] = [
  ["Chromium", "chromium"],
  ["Chromium", "chromium-browser"],
  ["Google Chrome", "google-chrome"],
  ["Google Chrome", "google-chrome-stable"],
  ["Microsoft Edge", "microsoft-edge"],
  ["Microsoft Edge", "microsoft-edge-stable"],
];

const macBundles: readonly Candidate[] = [
  ["Google Chrome", "Google Chrome.app/Contents/MacOS/Google Chrome"],
  ["Chromium", "Chromium.app/Contents/MacOS/Chromium"],
  ["Microsoft Edge", "Microsoft Edge.app/Contents/MacOS/Microsoft Edge"],
];

const windowsPrograms: readonly Candidate[] = [
  ["Google Chrome", "Google\\Chrome\\Application\\chrome.exe"],
  ["Chromium", "Chromium\\Application\\chrome.exe"],
  ["Microsoft Edge", "Microsoft\\Edge\\Application\\msedge.exe"],
];

/** Returns the first installed browser of the platform's list, or undefined. */
export function findInstalledBrowser(surroundings: BrowserSurroundings): InstalledBrowser | undefined {
  for (const [name, executablePath] of candidatesOf(surroundings)) {
    if (surroundings.isExecutable(executablePath)) return { name, executablePath };
  }
  return undefined;
}

function candidatesOf({ platform, env }: BrowserSurroundings): readonly Candidate[] {
  switch (platform) {
    case "darwin":
      return combine([posix.join(env.HOME ?? "/", "Applications"), "/Applications"], macBundles, posix);
    case "win32":
      return combine(
        [env.LOCALAPPDATA, env.PROGRAMFILES, env["PROGRAMFILES(X86)"]].filter((path) => path !== undefined),
        windowsPrograms,
        win32,
      );
    default:
      return linuxCommands.flatMap(([name, command]) =>
        pathFolders(env).map((folder): Candidate => [name, posix.join(folder, command)]),
      );
  }
}

/** Returns each browser in all folders before the next browser. */
function combine(
  folders: readonly string[],
  browsers: readonly Candidate[],
  path: typeof posix,
): readonly Candidate[] {
  return browsers.flatMap(([name, program]) =>
    folders.map((folder): Candidate => [name, path.join(folder, program)]),
  );
}

function pathFolders(env: BrowserSurroundings["env"]): readonly string[] {
  return (env.PATH ?? "").split(":").filter((folder) => folder.startsWith("/"));
}

/** Returns the surroundings of this process. */
export function thisMachine(): BrowserSurroundings {
  return { platform: process.platform, env: process.env, isExecutable };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
