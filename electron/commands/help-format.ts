// How help looks: the terms of commands, and the notes behind the descriptions of options and arguments.
import type { Argument, CommandUnknownOpts, HelpConfiguration, Option } from "@commander-js/extra-typings";

export function createHelpFormat(requiredOptions: ReadonlySet<Option>): HelpConfiguration {
  return {
    subcommandTerm: (command) => [command.name(), ...listArguments(command).map(toTerm)].join(" "),
    optionDescription: (option) => {
      const { description, argChoices } = option;
      const fallback = describeDefault(option);
      return withNotes(description, [
        ...(requiredOptions.has(option) ? ["required"] : []),
        ...(argChoices ? [argChoices.join(", ")] : []),
        ...(fallback === undefined ? [] : [`default: ${fallback}`]),
      ]);
    },
    argumentDescription: ({ description, argChoices }) =>
      withNotes(description, argChoices ? [argChoices.join(", ")] : []),
  };
}

const listArguments = (command: CommandUnknownOpts): readonly Argument[] => command.registeredArguments;

/** Returns the default as text; undefined for none, and for a list or a switch without a description. */
function describeDefault(option: Option): string | undefined {
  const value: unknown = option.defaultValue;
  if (option.defaultValueDescription !== undefined) return option.defaultValueDescription;
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function toTerm(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function withNotes(description: string, notes: readonly string[]): string {
  return notes.length === 0 ? description : `${description} (${notes.join("; ")})`;
}
