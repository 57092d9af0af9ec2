// The administrator's guide as its reader follows it: the commands of each section, and the machines that they are for.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../../electron/support/host-process.ts";

export interface GuideBlock {
  readonly machines: readonly string[];
  readonly script: string;
}

export const guide = readFileSync(join(projectRoot, "electron", "services", "deploy", "README.md"), "utf8");

/** Returns the blocks of the section with this heading. @throws Error if it has none */
export function readBlocks(heading: string): readonly GuideBlock[] {
  const [, section = ""] = guide.split(`\n## ${heading}\n`);
  const [text = ""] = section.split("\n## ");
  const blocks = [...text.matchAll(/^```bash\n# (.*)\n([^]*?)^```$/gm)].map(([, machines, script]) => ({
    machines: machines!.split(" and "),
    script: script!,
  }));
  if (blocks.length === 0) throw new Error(`The guide has no section "${heading}" with commands.`);
  return blocks;
}

/** Returns the same block with the machines exchanged. */
export function exchange({ machines, script }: GuideBlock): GuideBlock {
  const other = (text: string): string =>
    text.replaceAll(/\bdb([12])\b/g, (_, digit: string) => (digit === "1" ? "db2" : "db1"));
  return { machines: machines.map(other), script: other(script) };
}
