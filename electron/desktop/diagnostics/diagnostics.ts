// The text of "Copy diagnostics": what a maintainer needs, and nothing that names a person, a machine or a place.
import { describeLogLine } from "./describe-log.ts";
import { removed, type OwnWords } from "./redact.ts";

export interface DiagnosticFacts {
  /** Names and versions: Echotop, Electron, Chromium, Node, the system. */
  readonly versions: Readonly<Record<string, string>>;
  /** Chromium's features and how each is drawn. */
  readonly graphics: Readonly<Record<string, string>>;
  readonly dataEngine: string;
  readonly counts: Readonly<Record<string, number>>;
  /** The newest JSON lines of the log, oldest first. */
  readonly logLines: readonly string[];
}

export function toDiagnostics(facts: DiagnosticFacts, ownWords: OwnWords): string {
  const toRows = (pairs: Readonly<Record<string, string | number>>): string[] =>
    Object.entries(pairs).map(([name, value]) => `  ${name}: ${isPlain(String(value)) ? value : removed}`);
  return [
    "Echotop diagnostics",
    ...["Versions", ...toRows(facts.versions)],
    ...["Graphics", ...toRows(facts.graphics)],
    ...["Data", ...toRows({ engine: facts.dataEngine, ...facts.counts })],
    `Log, last ${facts.logLines.length} lines`,
    ...facts.logLines.map((line) => `  ${describeLogLine(line, ownWords)}`),
    "",
  ].join("\n");
}

/** Versions, and words of a closed set such as `disabled_software`; a kernel's own name is neither. */
function isPlain(value: string): boolean {
  return /^(?:\d+(?:\.\d+)*(?:-[a-z]+(?:\.\d+)?)?|[a-z][a-z0-9_ ]{0,40})$/.test(value);
}
