// "Copy diagnostics": collects the facts, and puts the text on the clipboard.
import { homedir, hostname, release, userInfo } from "node:os";
import type * as Electron from "electron";
import { StormEventList } from "../../../shared/contract/storm-event.ts";
import type { LogFiles } from "../diagnostics/log-files.ts";
import { toDiagnostics } from "../diagnostics/diagnostics.ts";
import type { RunningHost } from "./application-options.ts";

export interface DiagnosticsOptions {
  readonly electron: Pick<typeof Electron, "app" | "clipboard">;
  readonly host: RunningHost;
  readonly logs: LogFiles;
}

const logLineCount = 50;

export async function copyDiagnostics({ electron, host, logs }: DiagnosticsOptions): Promise<void> {
  const { electron: electronVersion, chrome, node } = process.versions;
  const response = await fetch(new URL("/v1/storm-events", host.addresses.storm!));
  const { events } = StormEventList.parse(await response.json());
  const text = toDiagnostics(
    {
      versions: {
        Echotop: electron.app.getVersion(),
        Electron: electronVersion,
        Chromium: chrome,
        Node: node,
        platform: process.platform,
        architecture: process.arch,
        // A kernel's own name may follow the numbers.
        system: /^[\d.]*\d/.exec(release())?.[0] ?? "unknown",
      },
      graphics: { ...electron.app.getGPUFeatureStatus() },
      dataEngine: "sqlite and files",
      counts: {
        events: events.length,
        "active events": events.filter(({ status }) => status === "active").length,
      },
      logLines: logs.readLast(logLineCount),
    },
    toOwnWords(host.dataDirectory),
  );
  await electron.clipboard.writeText(text);
}

/** Returns the names by which this computer, its user and its folders are known. */
function toOwnWords(dataDirectory: string): string[] {
  const folders = [homedir(), dataDirectory].flatMap((path) => [path, ...path.split(/[/\\]/)]);
  const [shortName = ""] = hostname().split(".");
  const common = new Set(["", "home", "Users", "var", "opt", "tmp", "root", "echotop", "Echotop", "data"]);
  return [...folders, hostname(), shortName, userInfo().username].filter((word) => !common.has(word));
}
