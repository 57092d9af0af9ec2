// The environment and the options of every Git process. Both are built from scratch: the user's shell and home folder,
// the system's configuration and the repository's own must not change how hosting behaves.
import { posix, win32 } from "node:path";

export interface GitSurroundings {
  /** Absolute path of our own empty folder: Git's home and working directory. */
  readonly homeDirectory: string;
  /** Environment of this process; only the variables below are used. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/**
 * Marks every process of one run, so that its leftovers are not confused with another program of the same process id.
 */
export const runVariable = "ECHOTOP_GIT_RUN";

/** Name of a file in the home folder. */
export const attributesName = "attributes";

/** Compressed pictures yield no deltas, and the search for them would be most of a clone's cost. */
export const attributes = "*.png -delta\n";

const keptEverywhere = ["PATH"];
const keptOnPosix = ["TMPDIR", "DEVELOPER_DIR"];
const keptOnWindows = ["Path", "SystemRoot", "SystemDrive", "windir", "COMSPEC", "PATHEXT", "TEMP", "TMP"];

export function createGitEnvironment({
  homeDirectory,
  environment,
  platform,
}: GitSurroundings): Readonly<Record<string, string>> {
  const paths = platform === "win32" ? win32 : posix;
  const kept: Record<string, string> = {};
  for (const name of [...keptEverywhere, ...(platform === "win32" ? keptOnWindows : keptOnPosix)]) {
    const value = environment[name];
    if (value !== undefined) kept[name] = value;
  }
  return {
    ...kept,
    HOME: homeDirectory,
    XDG_CONFIG_HOME: homeDirectory,
    ...(platform === "win32" ? { USERPROFILE: homeDirectory } : {}),
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ATTR_NOSYSTEM: "1",
    // A missing file on Windows: not every build accepts NUL.
    GIT_CONFIG_GLOBAL: platform === "win32" ? paths.join(homeDirectory, "no-config") : "/dev/null",
    // The data directory may be inside a work tree, whose configuration must not apply.
    GIT_CEILING_DIRECTORIES: paths.dirname(homeDirectory),
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
  };
}

/**
 * Returns `-c` pairs, which override the repository's own configuration. Every protocol is off: a caller that fetches
 * puts `-c protocol.https.allow=always` (or `file`) before its command.
 */
export function gitOptions({ homeDirectory, platform }: GitSurroundings): readonly string[] {
  const paths = platform === "win32" ? win32 : posix;
  const options: Readonly<Record<string, string>> = {
    "core.hooksPath": paths.join(homeDirectory, "no-hooks"),
    "core.attributesFile": paths.join(homeDirectory, attributesName),
    "core.fsmonitor": "false",
    "core.fsync": "committed",
    "core.logAllRefUpdates": "false",
    "credential.helper": "",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "receive.autogc": "false",
    "safe.directory": "*",
    "protocol.allow": "never",
    "transfer.bundleURI": "false",
    "transfer.fsckObjects": "true",
    "fetch.fsckObjects": "true",
    "http.followRedirects": "false",
    "submodule.recurse": "false",
    "fetch.recurseSubmodules": "false",
  };
  return Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
