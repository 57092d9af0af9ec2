// `--format` of commands that print lines: JSON lines, or CSV with a heading.
import { Option } from "@commander-js/extra-typings";
import { toCsvLine, type CsvValue } from "./csv.ts";
import type { WorkDisplay } from "./shown-work.ts";

export function linesOption() {
  return new Option("--format <format>", "form of the lines")
    .choices(["jsonl", "csv"] as const)
    .default("jsonl");
}

interface CsvForm<Line> {
  /** The order of the columns, which is part of the format. */
  readonly columns: readonly string[];
  readonly toCells: (line: Line) => readonly CsvValue[];
}

/** Writes the heading, if there is one. Returns the function that writes a line. */
export function startLines<Line>(
  format: "jsonl" | "csv",
  { columns, toCells }: CsvForm<Line>,
  { line, text }: Pick<WorkDisplay, "line" | "text">,
): (one: Line) => void {
  if (format === "jsonl") return line;
  text(toCsvLine(columns));
  return (one) => {
    text(toCsvLine(toCells(one)));
  };
}
