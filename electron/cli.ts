// The command line's entry: finds the command, turns interrupts into an abort and errors into exit statuses.
import { AppError } from "../shared/app-error.ts";
import { UsageError } from "./commands/arguments.ts";
import type { Command } from "./commands/command.ts";
import { ingestCommand } from "./commands/ingest.ts";
import { tolerateClosedPipe, writeNote } from "./commands/output.ts";
import { serveCommand } from "./commands/serve.ts";
import { verifyCommand } from "./commands/verify.ts";
import { createSystemEffects } from "./effects.ts";

const commands = new Map<string, Command>([
  ["serve", serveCommand],
  ["ingest", ingestCommand],
  ["verify", verifyCommand],
]);

function help(): string {
  const lines = [...commands.values()].map(({ usage, summary }) => `  echotop ${usage}\n      ${summary}`);
  return `Echotop, a desktop MRMS storm viewer.\n\n${lines.join("\n")}\n`;
}

/** Aborts on the first interrupt; a second one ends the process at once. */
function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(1);
      controller.abort();
    });
  }
  return controller.signal;
}

async function run(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    process.stdout.write(help());
    return name === undefined ? 2 : 0;
  }
  const command = commands.get(name);
  if (!command) throw new UsageError(`"${name}" is not a command of Echotop; "echotop help" lists them.`);
  if (rest.includes("--help")) {
    process.stdout.write(`echotop ${command.usage}\n    ${command.summary}\n`);
    return 0;
  }
  return command.run(rest, { effects: createSystemEffects(), signal: interruptSignal() });
}

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
