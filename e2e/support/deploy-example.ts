// The examples for administrators, with the values of a test in place of theirs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../electron/support/host-process.ts";

type Replacement = readonly [from: string, to: string];

/** Returns an example with values replaced. @throws Error if it lacks one of them */
export function fillExample(name: string, values: readonly Replacement[]): string {
  const path = join(projectRoot, "electron", "services", "deploy", name);
  return values.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${name} lacks "${from}".`);
      return text.replaceAll(from, to);
    },
    readFileSync(path, "utf8"),
  );
}
