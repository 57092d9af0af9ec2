import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { toCompletionScript } from "./completion.ts";
import { echotop } from "./echotop.ts";

const program = echotop(() => undefined);

function canRun(shell: string): boolean {
  try {
    execFileSync(shell, ["-c", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Returns the completions that bash offers for the last word. */
function complete(...words: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "echotop-completion-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const script = join(folder, "script");
  writeFileSync(script, toCompletionScript(program, "bash"));
  const list = words.map((word) => `'${word}'`).join(" ");
  const line = `source ${script}; COMP_WORDS=(echotop ${list}); COMP_CWORD=${words.length}; _echotop; echo "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-uc", line], { encoding: "utf8" }).trim().split(" ");
}

describe.skipIf(!canRun("bash"))("in bash", () => {
  test.each([
    [["se"], ["serve"]],
    [
      ["log", "--"],
      ["--format", "--data", "--config", "--help"],
    ],
    [
      ["log", "--format", ""],
      ["jsonl", "csv"],
    ],
    [["pack", "p"], ["push"]],
    [["pack", "push", "--re"], ["--remote"]],
    [["ingest", "--data", ""], [""]],
    [
      ["completion", ""],
      ["bash", "zsh", "--help"],
    ],
  ])("%j is completed to %j", (words, offered) => {
    expect(complete(...words)).toEqual(offered);
  });
});

test("zsh runs bash's script through its emulation", () => {
  const lines = toCompletionScript(program, "zsh").split("\n");
  expect(lines[0]).toBe("autoload -U +X bashcompinit && bashcompinit");
  expect(lines.slice(1).join("\n")).toBe(toCompletionScript(program, "bash"));
});
