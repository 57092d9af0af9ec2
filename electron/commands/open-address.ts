// Opens an address in the person's own browser, by the way each platform has for it.
import { spawn } from "node:child_process";
import { hasDisplay } from "../platform/has-display.ts";
import { writeNote } from "./output.ts";

function opener(platform: NodeJS.Platform): readonly [command: string, ...args: string[]] {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}

/** Where there is no display or no opener, says the address instead. */
export function openAddress(url: string): void {
  const sayAddress = (): void => {
    writeNote(`Open ${url} in a browser.`);
  };
  if (!hasDisplay(process.platform, process.env)) {
    sayAddress();
    return;
  }
  const [command, ...args] = opener(process.platform);
  const child = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  child.once("error", sayAddress);
  child.unref();
}
