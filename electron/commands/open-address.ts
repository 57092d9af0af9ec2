// Opens an address in the system's default browser.
import { spawn } from "node:child_process";
import { hasDisplay } from "../platform/has-display.ts";
import { writeNote } from "./output.ts";

function opener(platform: NodeJS.Platform): readonly [command: string, ...args: string[]] {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}

/** Opens the address; writes it to standard error if there is no display or no opener. */
export function openAddress(url: string): void {
  const writeAddress = (): void => {
    writeNote(`Open ${url} in a browser.`);
  };
  if (!hasDisplay(process.platform, process.env)) {
    writeAddress();
    return;
  }
  const [command, ...args] = opener(process.platform);
  const child = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  child.once("error", writeAddress);
  child.unref();
}
