// The command line's entry: finds the command, turns interrupts into an abort and errors into exit statuses. Commands are
// loaded when asked for, so that a short one does not wait for the libraries of a long one.
import { enableCompileCache } from "node:module";
import { AppError } from "../shared/app-error.ts";
import { UsageError } from "./commands/arguments.ts";
import type { Command } from "./commands/command.ts";
import { createInterruptSignal } from "./commands/interrupts.ts";
import { tolerateClosedPipe, writeNote } from "./commands/output.ts";
import { createSystemEffects } from "./platform/effects.ts";

interface Entry {
  readonly usage: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

const commands: Readonly<Record<string, Entry>> = {
  serve: {
    usage:
      "serve [--data DIR] [--port N] [--host ADDRESS --host-name NAME…] [--config FILE] [--no-open] [--demo] [--feed off|noaa|bucket:URL|folder:DIR|mirror:URL] [--feed-event ID]",
    summary: "the storm service and the viewer, until interrupted",
    load: async () => (await import("./commands/serve.ts")).serve,
  },
  ingest: {
    usage: "ingest [--data DIR] --event ID [--kind historical-event|operational-feed] [--label TEXT] PATH…",
    summary: "add MRMS files or folders of them (.grib2, .grib2.gz) to an event; one JSON line a file",
    load: async () => (await import("./commands/ingest.ts")).ingest,
  },
  fetch: {
    usage: "fetch [--data DIR] --event ID [--source noaa|bucket:URL|folder:DIR]",
    summary: "fill a registered window from a source; one JSON line a file",
    load: async () => (await import("./commands/fetch.ts")).fetch,
  },
  replay: {
    usage: "replay [--data DIR] --event ID --as ID2 [--speed 10] [--max-gap SECONDS]",
    summary: "publish an event's revisions again, spaced as they were published, as an event of its own",
    load: async () => (await import("./commands/replay.ts")).replay,
  },
  register: {
    usage:
      "register [--data DIR] (--event ID --label TEXT --start ISO --end ISO | --known NAME [--event ID] [--label TEXT])",
    summary: "make a benchmark event without data yet: a window of your own, or one of the catalogue",
    load: async () => (await import("./commands/register.ts")).register,
  },
  pack: {
    usage:
      "pack export EVENT [--out DIR] | import PATH | push EVENT --remote URL [--token-file FILE] | fetch URL [--token-file FILE]  [--data DIR]",
    summary:
      "event packs: an event as a Git repository, and back; sent and got with a token from the file or ECHOTOP_REPO_TOKEN; the last line names its newest commit",
    load: async () => (await import("./commands/pack.ts")).pack,
  },
  brief: {
    usage: "brief EVENT [--data DIR] [--out DIR] [--revisions LIST] [--base URL]",
    summary:
      "publish a briefing, plain HTML pages of an event and of the newest 12 revisions or those of LIST (3,5,9-12, all, latest, latest:N), into DATA/briefings unless told; URL is the address that the folder will have; the last line counts its files",
    load: async () => (await import("./commands/brief.ts")).brief,
  },
  archive: {
    usage: "archive [--data DIR] --event ID",
    summary: "make an event read-only for good",
    load: async () => (await import("./commands/archive.ts")).archive,
  },
  backup: {
    usage: "backup [--data DIR] --to DIR2",
    summary: "copy a data directory soundly, also while others write to it; DIR2 must be empty or missing",
    load: async () => (await import("./commands/backup.ts")).backup,
  },
  log: {
    usage: "log [--data DIR] [--format jsonl|csv]",
    summary: "print what the feeds received, published, missed and could not use, oldest first",
    load: async () => (await import("./commands/log.ts")).log,
  },
  token: {
    usage:
      "token create [--data DIR] --permission PERMISSION [--name TEXT] [--expires-in SECONDS] | list [--data DIR] | revoke [--data DIR] ID",
    summary:
      "tokens of the control plane; PERMISSION is artifacts:read, artifacts:edit, zone-settings:read or zone-settings:edit",
    load: async () => (await import("./commands/token.ts")).token,
  },
  verify: {
    usage: "verify [--data DIR] [--repair]",
    summary:
      "check every hash, manifest and row of a data directory; changes nothing unless --repair is given",
    load: async () => (await import("./commands/verify.ts")).verify,
  },
};

function describe({ usage, summary }: Entry): string {
  return `  echotop ${usage}\n      ${summary}\n`;
}

function help(): string {
  const entries = Object.values(commands).map(describe).join("");
  return `Echotop, a desktop MRMS storm viewer.\n\n${entries}\nExit status: 0 done, 1 something failed, 2 the command line is wrong.\n`;
}

async function run([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || ["help", "--help", "-h"].includes(name)) {
    (name === undefined ? process.stderr : process.stdout).write(help());
    return name === undefined ? 2 : 0;
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!entry) throw new UsageError(`"${name}" is not a command of Echotop; "echotop help" lists them.`);
  if (args.includes("--help")) {
    process.stdout.write(describe(entry));
    return 0;
  }
  const command = await entry.load();
  return command(args, { effects: createSystemEffects(), signal: createInterruptSignal() });
}

enableCompileCache();
tolerateClosedPipe();
try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) {
    writeNote(`echotop: ${error.message}`);
    process.exitCode = 2;
  } else if (error instanceof AppError) {
    writeNote(`echotop: ${error.detail}`);
    process.exitCode = 1;
  } else {
    throw error;
  }
}
