// `echotop completion bash|zsh`: prints a completion script made from the definitions of the commands.
import { Argument, Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import type { DefineCommand } from "./command.ts";
import { example } from "./option-values.ts";

export function completion(findProgram: () => CommandUnknownOpts): DefineCommand {
  return (submit) =>
    new Command("completion")
      .summary("print a completion script")
      .description("Prints a script that completes commands, options and their values in a shell.")
      .addArgument(new Argument("<shell>", "shell").choices(["bash", "zsh"] as const))
      .addHelpText("after", example("completion bash > ~/.local/share/bash-completion/completions/echotop"))
      .action((shell) => {
        submit(() => {
          process.stdout.write(toCompletionScript(findProgram(), shell));
          return Promise.resolve(0);
        });
      });
}

/** Returns a script for the program's name. zsh runs bash's script through its own emulation. */
export function toCompletionScript(program: CommandUnknownOpts, shell: "bash" | "zsh"): string {
  const emulation = shell === "zsh" ? ["autoload -U +X bashcompinit && bashcompinit"] : [];
  const commands = listPaths(program, "");
  return [
    ...emulation,
    "_echotop() {",
    '  local word path="" current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" words=""',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    `    case "$path $word" in ${toPattern(commands.slice(1).map(({ path }) => path))}) path="$path $word" ;; esac`,
    "  done",
    "  COMPREPLY=()",
    '  case "$path $previous" in',
    ...commands.flatMap(({ path, command }) => toValueCases(path, command)),
    "  esac",
    '  case "$path" in',
    ...commands.map(({ path, command }) => `    "${path}") words="${toWords(command)}" ;;`),
    "  esac",
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    "}",
    `complete -o default -F _echotop ${program.name()}`,
    "",
  ].join("\n");
}

interface CommandPath {
  /** Names of the command and those above it, each after a space; empty for the program. */
  readonly path: string;
  readonly command: CommandUnknownOpts;
}

function listPaths(command: CommandUnknownOpts, path: string): CommandPath[] {
  const children = command.commands.flatMap((child) => listPaths(child, `${path} ${child.name()}`));
  return [{ path, command }, ...children];
}

const toPattern = (texts: readonly string[]): string => texts.map((text) => `"${text}"`).join("|");

/** Completes the value of an option: a choice, or by default a file. */
function toValueCases(path: string, { options }: CommandUnknownOpts): string[] {
  const withValue = options.filter(({ required }) => required);
  const free = withValue.filter(({ argChoices }) => !argChoices).map(({ long }) => `${path} ${long!}`);
  return [
    ...withValue
      .filter(({ argChoices }) => argChoices)
      .map(({ long, argChoices = [] }) => {
        const reply = `COMPREPLY=($(compgen -W "${argChoices.join(" ")}" -- "$current"))`;
        return `    "${path} ${long!}") ${reply}; return ;;`;
      }),
    ...(free.length > 0 ? [`    ${toPattern(free)}) return ;;`] : []),
  ];
}

function toWords({ commands, options, parent, registeredArguments }: CommandUnknownOpts): string {
  const help = parent ? ["--help"] : ["help", "--help"];
  const names = commands.map((command) => command.name());
  const choices = registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  return [...names, ...choices, ...options.map(({ long }) => long!), ...help].join(" ");
}
