// `echotop pack`: event packs. What follows the name says what is done with one; each is a command of its own.
import { UsageError } from "./arguments.ts";
import type { Command } from "./command.ts";

const subcommands: Readonly<Record<string, () => Promise<Command>>> = {
  export: async () => (await import("./pack-files.ts")).packExport,
  import: async () => (await import("./pack-files.ts")).packImport,
  push: async () => (await import("./pack-transfer.ts")).packPush,
  fetch: async () => (await import("./pack-transfer.ts")).packFetch,
};

export const pack: Command = async ([name = "", ...args], context) => {
  const load = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (!load) {
    const names = Object.keys(subcommands).join(", ");
    throw new UsageError(
      name === ""
        ? `pack takes one of ${names}.`
        : `"pack ${name}" is no command; pack takes one of ${names}.`,
    );
  }
  const command = await load();
  return command(args, context);
};
