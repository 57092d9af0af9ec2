// `echotop pack export|import|push|fetch`: an event as a Git repository. The last line of each is
// `{"event","commit","status"}`.
import { resolve } from "node:path";
import { Argument, Command, Option } from "@commander-js/extra-typings";
import { isAppError } from "../../shared/app-error.ts";
import { parseRemoteAddress, type RemoteAddress } from "../../shared/packs/pairing-code.ts";
import { openOrCreate, openReadable, useStores } from "../host/jobs/stores.ts";
import type { DefineCommand } from "./command.ts";
import { example, parseEventId, parseOutFolder, UsageError } from "./option-values.ts";
import { explainMissingToken, readPackToken, tokenVariable } from "./pack-token.ts";
import { showWork } from "./shown-work.ts";
import { configOption, keptFolder, onStores, storesOption } from "./stores-option.ts";

export const pack: DefineCommand = (submit) =>
  new Command("pack")
    .summary("share events as Git repositories")
    .description("Writes an event as a Git repository (an event pack), reads one, sends one, or gets one.")
    .usage("<command> [options]")
    .addHelpText("after", example("pack export plains-2024-05-20", "help pack push"))
    .addCommand(packExport(submit))
    .addCommand(packImport(submit))
    .addCommand(packPush(submit))
    .addCommand(packFetch(submit));

const packExport: DefineCommand = (submit) =>
  new Command("export")
    .summary("write an event as a Git repository")
    .description("Writes an event as a bare Git repository, or brings that repository up to date.")
    .addArgument(eventArgument())
    .addOption(
      new Option("--out <dir>", "folder of the repository (default: DATA/packs/EVENT.git)").argParser(
        parseOutFolder,
      ),
    )
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText("after", example("pack export plains-2024-05-20 --out ~/plains.git"))
    .action((eventId, { out, ...options }) => {
      submit(
        onStores(options, (context) =>
          showWork(context, {
            label: "Exporting",
            whenInterrupted: "The pack is valid but incomplete; the same command completes it.",
            run: async ({ line, progress }) => {
              const { exportEvent } = await import("../sharing/packs/export-event.ts");
              const { packDirectoryOf } = await import("../sharing/packs/pack-layout.ts");
              const directory = out ?? packDirectoryOf(keptFolder(options, context), eventId);
              const { signal } = context;
              line(
                await useStores(context.location, openReadable, (stores) =>
                  exportEvent({ ...stores, eventId, directory, signal, onProgress: progress }),
                ),
              );
              return 0;
            },
          }),
        ),
      );
    });

const packImport: DefineCommand = (submit) =>
  new Command("import")
    .summary("read an event from a Git repository on this disk")
    .description("Checks a pack on this disk and publishes its event.")
    .addArgument(
      new Argument("<path>", "bare repository, or a folder with one in .git").argParser(parseRepository),
    )
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText("after", example("pack import ~/plains.git"))
    .action((path, options) => {
      submit(
        onStores(options, (context) =>
          showWork(context, {
            label: "Importing",
            whenInterrupted: "Nothing of the pack was published.",
            run: async ({ line, progress }) => {
              const { importPack } = await import("../sharing/packs/import-pack.ts");
              const { findRepository } = await import("../sharing/git/repository.ts");
              const gitdir = findRepository(path);
              const { effects, signal } = context;
              line(
                await useStores(context.location, openOrCreate(effects), (stores) =>
                  importPack({ ...stores, gitdir, signal, onProgress: progress }),
                ),
              );
              return 0;
            },
          }),
        ),
      );
    });

const packPush: DefineCommand = (submit) =>
  new Command("push")
    .summary("send an event to a Git repository elsewhere")
    .description("Exports an event and sends what the remote repository lacks.")
    .addArgument(eventArgument())
    .addOption(
      new Option("--remote <url>", "address of the repository").argParser(parseAddress).makeOptionMandatory(),
    )
    .addOption(tokenFileOption())
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText(
      "after",
      example("pack push plains-2024-05-20 --remote https://git.example/plains.git --token-file token"),
    )
    .action((eventId, { remote: address, tokenFile, ...options }) => {
      submit(
        onStores(options, async (context) => {
          const token = await readPackToken(tokenFile);
          return showWork(context, {
            label: "Pushing",
            whenInterrupted: "What was pushed is on the remote; the same command continues.",
            run: async ({ line, progress }) => {
              const { exportAndPush } = await import("../sharing/packs/shares/carry-pack.ts");
              const request = {
                ...context,
                eventId,
                directory: context.folder,
                address,
                token,
                onProgress: progress,
              };
              const push = () =>
                useStores(context.location, openReadable, (stores) =>
                  exportAndPush({ ...request, ...stores }),
                );
              line(await explainMissingToken(token, push));
              return 0;
            },
          });
        }),
      );
    });

const packFetch: DefineCommand = (submit) =>
  new Command("fetch")
    .summary("get an event from a Git repository elsewhere")
    .description("Gets a pack, checks it and publishes its event.")
    .addArgument(new Argument("<address>", "URL or pairing code of the repository").argParser(parseAddress))
    .addOption(tokenFileOption())
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText("after", example("pack fetch https://git.example/plains.git --token-file token"))
    .action((address, { tokenFile, ...options }) => {
      submit(
        onStores(options, async (context) => {
          const token = await readPackToken(tokenFile);
          return showWork(context, {
            label: "Fetching",
            whenInterrupted:
              "What was received is stored, and nothing incomplete is shown; the same command continues.",
            run: async ({ line, progress }) => {
              const { fetchAndImport } = await import("../sharing/packs/shares/carry-pack.ts");
              const request = { ...context, directory: context.folder, address, token, onProgress: progress };
              const fetch = () =>
                useStores(context.location, openOrCreate(context.effects), (stores) =>
                  fetchAndImport({ ...request, ...stores }),
                );
              line(await explainMissingToken(token, fetch));
              return 0;
            },
          });
        }),
      );
    });

function eventArgument() {
  return new Argument("<event>", "event of the pack").argParser(parseEventId);
}

function tokenFileOption() {
  return new Option("--token-file <file>", `file that holds the token (default: ${tokenVariable})`);
}

/** An empty path would be the current folder. */
function parseRepository(text: string): string {
  if (text === "") throw new UsageError("The path is empty; pack import takes a Git repository.");
  return resolve(text);
}

function parseAddress(text: string): RemoteAddress {
  try {
    return parseRemoteAddress(text);
  } catch (error) {
    if (isAppError(error)) throw new UsageError(error.detail);
    throw error;
  }
}
