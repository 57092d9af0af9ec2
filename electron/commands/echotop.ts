// The registry of commands: the program `echotop` with every command in it, in the order of its help.
import { readFileSync } from "node:fs";
import { Command } from "@commander-js/extra-typings";
import { archive } from "./archive.ts";
import { backup } from "./backup.ts";
import { brief } from "./brief.ts";
import { parseArguments } from "./command-line.ts";
import type { DefineCommand, Work } from "./command.ts";
import { completion } from "./completion.ts";
import { copy } from "./copy.ts";
import { diff } from "./diff.ts";
import { exportCommand } from "./export.ts";
import { fetch } from "./fetch.ts";
import { ingest } from "./ingest.ts";
import { known } from "./known.ts";
import { log } from "./log.ts";
import { migrate } from "./migrate.ts";
import { example } from "./option-values.ts";
import { pack } from "./pack.ts";
import { register } from "./register.ts";
import { replay } from "./replay.ts";
import { reports } from "./reports.ts";
import { serve } from "./serve.ts";
import { story } from "./story.ts";
import { swath } from "./swath-command.ts";
import { token } from "./token.ts";
import { verify } from "./verify.ts";

const commands = [
  ...[serve, ingest, register, fetch, replay, archive, verify, backup, copy, migrate, log],
  ...[known, diff, swath, story, reports],
  ...[exportCommand, pack, brief, token],
];

export const echotop: DefineCommand = (submit) => {
  const program = new Command("echotop")
    .description("Echotop, a desktop storm viewer for MRMS.")
    .version(readVersion(), "--version", "print the version")
    .enablePositionalOptions()
    .usage("<command> [options]")
    .addHelpText(
      "after",
      `\nExit status: 0 done, 1 something failed, 2 the command line is wrong.\n${example("help ingest", "serve --feed noaa")}`,
    );
  for (const define of [...commands, completion(() => program)]) program.addCommand(define(submit));
  return program;
};

/** Parses the arguments after `echotop`; does nothing yet. @throws UsageError */
export function parseCommandLine(args: readonly string[]): Work {
  return parseArguments(echotop, args);
}

function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}
