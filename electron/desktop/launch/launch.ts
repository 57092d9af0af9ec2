// `npm start`: builds what is stale, chooses the window, and runs the host in Electron or in this process.
import { join } from "node:path";
import { Command } from "@commander-js/extra-typings";
import { runProgram } from "../../commands/command-line.ts";
import type { DefineCommand } from "../../commands/command.ts";
import { whenAborted } from "../../commands/interrupts.ts";
import { dataOption, portOption } from "../../commands/option-values.ts";
import { writeJsonLine, writeNote } from "../../commands/output.ts";
import { toDefaultConfig } from "../../host/config/host-config.ts";
import { createSystemEffects } from "../../platform/effects.ts";
import { programFiles } from "../../host/config/program-files.ts";
import { start } from "../../start.ts";
import { createActionToken, toActingAddress } from "./action-token.ts";
import { openAppWindow } from "./app-window.ts";
import { ensureBuilt } from "../../build/ensure-built.ts";
import { runElectron } from "./electron-app.ts";
import { createFetchEffects, obtainElectron } from "./electron-runtime.ts";
import { findInstalledBrowser, thisMachine } from "./installed-browsers.ts";
import { hasDisplay } from "../../platform/has-display.ts";
import { choosePlan, type Plan, type PlanFacts, planWithoutElectron } from "./window-plan.ts";
import { findRunning, forgetRunning, rememberRunning } from "./running.ts";
import { projectRoot } from "../../platform/project-root.ts";

const isRoot = process.getuid?.() === 0;

interface Launch {
  readonly dataDirectory: string;
  readonly port: number;
  readonly isWindowUnwanted: boolean;
  readonly signal: AbortSignal;
}

const npmStart: DefineCommand = (submit) =>
  new Command("npm start --")
    .description("Starts Echotop in Electron, in a window of an installed browser, or without a window.")
    .addOption(dataOption())
    .addOption(portOption("port of the storm service, or a free one if it is taken"))
    .option("--no-open", "open no window; print the address")
    .action(({ data, port, open }) => {
      submit(({ signal }) => launch({ dataDirectory: data, port, isWindowUnwanted: !open, signal }));
    });

function toPlanFacts({ isWindowUnwanted, signal }: Launch): PlanFacts {
  return {
    isWindowUnwanted,
    hasDisplay: hasDisplay(process.platform, process.env),
    obtainElectron: () =>
      obtainElectron(
        { projectRoot, platform: process.platform, env: process.env },
        createFetchEffects(writeNote),
        signal,
      ),
    findBrowser: () => findInstalledBrowser(thisMachine()),
    isRoot,
  };
}

/** Runs the application in Electron, which runs the host; if Electron cannot start, opens the app without it. */
async function launchInElectron(executablePath: string, launch: Launch, facts: PlanFacts): Promise<number> {
  const end = await runElectron({
    executablePath,
    args: [
      projectRoot,
      `--data=${launch.dataDirectory}`,
      `--port=${launch.port}`,
      ...(isRoot ? ["--no-sandbox"] : []),
    ],
    signal: launch.signal,
    onOutput: (chunk) => process.stdout.write(chunk),
  });
  if (end.kind === "ended") return end.status;
  return launchHere(planWithoutElectron(`it could not start: ${end.reason}`, facts), launch);
}

/** Runs the host in this process, with or without an app window. */
async function launchHere(plan: Plan, launch: Launch): Promise<number> {
  const { dataDirectory, port, signal } = launch;
  const running = await findRunning(dataDirectory);
  if (running !== undefined) {
    writeJsonLine({ listening: running, data: dataDirectory });
    const hint = plan.kind === "address" ? " For actions, open the address that its start printed." : "";
    writeNote(`Echotop already runs with this data directory, at ${running.storm}.${hint}`);
    if (plan.kind === "app-window") await showAppWindow(plan, { url: running.storm }, launch);
    return 0;
  }
  const actionToken = createActionToken();
  const config = toDefaultConfig(dataDirectory, programFiles);
  const host = await start(
    {
      ...config,
      actionToken,
      storm: { ...config.storm, port, whenTaken: "take-free-port" },
      demo: true,
      resumesLive: true,
    },
    createSystemEffects(),
  );
  try {
    const url = host.addresses.storm!;
    rememberRunning(dataDirectory, { ...host.addresses, storm: url });
    writeJsonLine({ listening: host.addresses, data: host.dataDirectory });
    const privateUrl = toActingAddress(url, actionToken);
    writeNote(plan.kind === "address" ? `${plan.sentence} ${privateUrl}` : plan.sentence);
    if (plan.kind === "app-window") {
      const isDone = await showAppWindow(plan, { url, privateUrl }, launch);
      if (!isDone) writeNote(`Open ${privateUrl} in a browser; Ctrl-C ends Echotop.`);
      if (isDone) return 0;
    }
    await whenAborted(signal);
    return 0;
  } finally {
    forgetRunning(dataDirectory);
    await host.close();
  }
}

/** Resolves with true when the window is closed, with false if there is no window to wait for. */
async function showAppWindow(
  { browser }: Extract<Plan, { kind: "app-window" }>,
  address: { readonly url: string; readonly privateUrl?: string },
  { dataDirectory, signal }: Launch,
): Promise<boolean> {
  const profileDirectory = join(dataDirectory, "window", "browser");
  const window = openAppWindow({ browser, ...address, profileDirectory, isRoot });
  await Promise.race([window.ended, whenAborted(signal)]);
  // An interrupt of the process group may have ended the browser already.
  if (signal.aborted) {
    await window.close();
    return true;
  }
  const end = await window.ended;
  if (end === "failed") writeNote(`${browser.name} could not open the window.`);
  return end === "closed";
}

/** Builds the stale parts. Electron needs the host's bundles too; this process runs the host from source. */
async function buildFor(plan: Plan, signal: AbortSignal): Promise<void> {
  try {
    await (plan.kind === "electron" ? ensureBuilt() : ensureBuilt(["viewer", "places", "briefing-map"]));
  } catch (error) {
    // An interrupt of the process group ends the build too.
    if (!signal.aborted) throw error;
  }
}

async function launch(options: Launch): Promise<number> {
  const facts = toPlanFacts(options);
  const plan = await choosePlan(facts);
  await buildFor(plan, options.signal);
  if (options.signal.aborted) return 0;
  if (plan.kind !== "electron") return launchHere(plan, options);
  writeNote(plan.sentence);
  return launchInElectron(plan.executablePath, options, facts);
}

await runProgram(npmStart);
