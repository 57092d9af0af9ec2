// A fake browser for tests of the launcher: it loads the page, reports its window over the pipe as Chromium does, and
// closes or fails as configured.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Behavior: `stays` until it is asked to close; `closes` its window after loading the page; `fails` at once. */
export type Behavior = "stays" | "closes" | "fails";

/** Writes an executable `chromium` into the folder, for the search path. */
export function installPretendBrowser(folder: string, behavior: Behavior): void {
  const path = join(folder, "chromium");
  writeFileSync(path, `#!${process.execPath}\n${script(behavior)}`);
  chmodSync(path, 0o755);
}

function script(behavior: Behavior): string {
  if (behavior === "fails") return "process.exit(1);";
  return `
    const fs = require("node:fs");
    const tell = (message) => fs.writeSync(4, JSON.stringify(message) + "\\0");
    const target = { targetId: "window", type: "page" };
    const close = () => {
      tell({ method: "Target.targetDestroyed", params: target });
      process.exit(0);
    };
    process.on("SIGINT", () => {});
    fs.createReadStream("", { fd: 3 }).on("data", (text) => {
      if (String(text).includes("Browser.close")) close();
    });
    const url = process.argv.find((arg) => arg.startsWith("--app=")).slice("--app=".length);
    fetch(url, { headers: { "sec-fetch-mode": "navigate" } })
      .then((response) => response.text())
      .then((page) => {
        tell({ method: "Target.targetCreated", params: { targetInfo: target } });
        process.stderr.write(page.includes("<div id=") ? "" : "not the viewer");
        ${behavior === "closes" ? "close();" : ""}
      });`;
}
