// The default data directory of each platform.
import { homedir } from "node:os";
import { join, resolve } from "node:path";

export function defaultDataDirectory(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const home = homedir();
  if (platform === "win32") return join(env.APPDATA ?? join(home, "AppData", "Roaming"), "Echotop");
  if (platform === "darwin") return join(home, "Library", "Application Support", "Echotop");
  return join(env.XDG_DATA_HOME ?? join(home, ".local", "share"), "echotop");
}

/** Returns the folder of briefings in a data directory. */
export function briefingsIn(dataDirectory: string): string {
  return join(resolve(dataDirectory), "briefings");
}
