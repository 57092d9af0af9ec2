// Parses command lines with commander and runs the work that they ask for. Errors become exit statuses here.
import { CommanderError, type CommandUnknownOpts, type Option } from "@commander-js/extra-typings";
import { AppError } from "../../shared/app-error.ts";
import { createSystemEffects } from "../platform/effects.ts";
import { withJsonLog } from "../platform/json-log.ts";
import type { DefineCommand, Work } from "./command.ts";
import { createHelpFormat } from "./help-format.ts";
import { sendAllTo, wantsJsonLog } from "./log-format.ts";
import { createInterruptSignal } from "./interrupts.ts";
import { UsageError } from "./option-values.ts";
import { tolerateClosedPipe, writeProblem } from "./output.ts";

/** Runs a program with this process's arguments and sets its exit status. */
export async function runProgram(define: DefineCommand): Promise<void> {
  tolerateClosedPipe();
  const args = process.argv.slice(2);
  const plain = createSystemEffects();
  const isJson = wantsJsonLog(args);
  const effects = isJson ? withJsonLog(plain) : plain;
  if (isJson) sendAllTo(effects.log);
  try {
    const work = parseArguments(define, args);
    process.exitCode = await work({ effects, signal: createInterruptSignal() });
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof AppError)) throw error;
    for (const line of error.message.split("\n")) writeProblem(line);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

/** Returns the work that the arguments ask for, such as printing help. @throws UsageError */
export function parseArguments(define: DefineCommand, args: readonly string[]): Work {
  let work: Work | undefined;
  let help = "";
  const addText = (text: string): void => {
    help += text;
  };
  const program = define((submitted) => {
    work = submitted;
  });
  program
    .exitOverride()
    .configureOutput({ writeOut: addText, writeErr: addText, outputError: () => undefined });
  const options = listCommands(program).flatMap((command) => command.options);
  program.configureHelp(createHelpFormat(requireOptionsLast(program, options)));
  inheritSettings(program);
  refuseOptionsAsValues(options, args);
  try {
    program.parse(resolveHelp(program, args), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // A command is missing: commander shows help as an error.
    if (error.code === "commander.help" && error.exitCode !== 0) return writeTo(process.stderr, help, 2);
    if (error.exitCode !== 0) throw new UsageError(toSentence(error.message));
    return writeTo(process.stdout, help, 0);
  }
  return work!;
}

function writeTo(stream: NodeJS.WriteStream, text: string, status: number): Work {
  return () => {
    stream.write(text);
    return Promise.resolve(status);
  };
}

function listCommands(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return [command, ...command.commands.flatMap(listCommands)];
}

/** Gives every command the program's settings, and refuses an option that is given twice unless it is a list. */
function inheritSettings(program: CommandUnknownOpts): void {
  for (const parent of listCommands(program)) {
    for (const command of parent.commands) command.copyInheritedSettings(parent);
    for (const option of parent.options) {
      let isGiven = false;
      parent.on(`option:${option.name()}`, () => {
        if (isGiven && !Array.isArray(option.defaultValue))
          throw new UsageError(`${option.long!} is given twice.`);
        isGiven = true;
      });
    }
  }
}

/**
 * Returns the required options. They are checked last: commander alone would report that `--event` is missing where
 * `--evnt` is the mistake.
 */
function requireOptionsLast(program: CommandUnknownOpts, options: readonly Option[]): ReadonlySet<Option> {
  const required = new Set(options.filter(({ mandatory }) => mandatory));
  for (const option of required) option.mandatory = false;
  program.hook("preAction", (_program, command) => {
    for (const option of command.options) {
      if (required.has(option) && command.getOptionValue(option.attributeName()) === undefined)
        throw new UsageError(`${option.flags} is required.`);
    }
  });
  return required;
}

/**
 * Returns `help pack fetch` as `pack fetch --help`. Leaves out what follows an unknown command, so that commander
 * refuses it, with `--help` too.
 */
function resolveHelp(program: CommandUnknownOpts, args: readonly string[]): readonly string[] {
  let command = program;
  let isHelp = false;
  const path: string[] = [];
  for (const arg of args) {
    if (command.commands.length === 0 || arg.startsWith("-")) break;
    if (arg === "help") {
      isHelp = true;
      continue;
    }
    path.push(arg);
    const next = command.commands.find((child) => child.name() === arg);
    if (!next) return path;
    command = next;
  }
  return isHelp ? [...path, "--help"] : args;
}

/** Refuses `--data --demo`: the value was forgotten. A negative number is a value. */
function refuseOptionsAsValues(options: readonly Option[], args: readonly string[]): void {
  for (const [index, arg] of args.entries()) {
    if (arg === "--") return;
    const value = args[index + 1] ?? "";
    if (/^-[^\d.]/.test(value) && options.some(({ long, required }) => required && long === arg)) {
      throw new UsageError(`${arg} needs a value; write ${arg}=${value} if it is "${value}".`);
    }
  }
}

const missingValue = /^option '(--[\w-]+).*' argument missing$/;
const wrongChoice =
  /^(?:option '(--[\w-]+).*' argument|command-argument value) '(.*)' is invalid\b.*\. Allowed choices are (.*)\.$/s;

/** Returns commander's message as a sentence: "error: unknown option '--x'\n(Did you mean --y?)". */
function toSentence(message: string): string {
  const text = message.replace(/^error: /, "");
  const valueless = missingValue.exec(text);
  if (valueless) return `${valueless[1]!} needs a value.`;
  const wrong = wrongChoice.exec(text);
  if (wrong) return `${wrong[1] === undefined ? "" : `${wrong[1]}: `}"${wrong[2]!}" is none of ${wrong[3]!}.`;
  const [problem = "", hint] = text.split("\n");
  const sentence = `${problem.charAt(0).toUpperCase()}${problem.slice(1).replace(/\.$/, "")}.`;
  return hint === undefined ? sentence : `${sentence} ${hint.replace(/^\((.*)\)$/, "$1")}`;
}
