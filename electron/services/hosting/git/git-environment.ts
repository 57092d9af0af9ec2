// The environment and the options that every Git process gets. Built from nothing: what the user's shell, home folder,
// system or a repository's own configuration says must not change what hosting does.
import { posix, win32 } from "node:path";

export interface GitSurroundings {
  /** Absolute; an empty folder of ours that stands for the user's home and is where Git runs. */
  readonly homeDirectory: string;
  /** Of this process; only the variables below are taken from it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** Marks every process of one run, so that what is left of it after a crash can be told from a stranger with its number. */
export const runVariable = "ECHOTOP_GIT_RUN";

/** A file in the home folder. */
export const attributesName = "attributes";

/** Compressed pictures have no common parts that a delta could name, and looking for them is most of what a clone would cost. */
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
    // On Windows a name that is not there: not every build takes NUL for a file.
    GIT_CONFIG_GLOBAL: platform === "win32" ? paths.join(homeDirectory, "no-config") : "/dev/null",
    // The data directory may lie in somebody's work tree, whose configuration is none of ours.
    GIT_CEILING_DIRECTORIES: paths.dirname(homeDirectory),
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
  };
}

/**
 * `-c` pairs, which beat what a repository's own configuration says. Every protocol is off: a caller that fetches puts
 * `-c protocol.https.allow=always` (or `file`) before its command.
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
