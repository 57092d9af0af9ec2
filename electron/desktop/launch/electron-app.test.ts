import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runElectron } from "./electron-app.ts";

let folder: string;
let executablePath: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "echotop-electron-app-"));
  executablePath = join(folder, "electron");
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a script in place of Electron; returns its end and its output. */
async function run(
  script: string,
  { signal = new AbortController().signal, onSpoken = () => undefined } = {},
) {
  writeFileSync(executablePath, `#!${process.execPath}\n${script}`);
  chmodSync(executablePath, 0o755);
  let output = "";
  const args = ["/app", "--data=/d"];
  const end = await runElectron({
    executablePath,
    args,
    signal,
    onOutput: (chunk) => {
      output += chunk.toString("utf8");
      onSpoken();
    },
  });
  return { end, output };
}

test("the application's output and status are passed on", async () => {
  const { end, output } = await run(
    `console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 3;`,
  );
  expect(end).toEqual({ kind: "ended", status: 3 });
  expect(output).toBe('["/app","--data=/d"]\n');
});

test("an Electron that ends without output counts as never started", async () => {
  expect((await run("process.exit(127)")).end).toEqual({
    kind: "never-started",
    reason: "it ended with status 127",
  });
  const { end } = await run("process.kill(process.pid, 'SIGTRAP')");
  expect(end).toEqual({ kind: "never-started", reason: "it ended with SIGTRAP" });
});

test("an Electron that cannot be run counts as never started", async () => {
  const { signal } = new AbortController();
  const end = await runElectron({ executablePath, args: [], signal, onOutput: () => undefined });
  expect(end).toMatchObject({ kind: "never-started", reason: expect.stringContaining("ENOENT") as string });
});

test("an interrupt is passed on, and a clean end has status 0", async () => {
  const interrupt = new AbortController();
  const { end } = await run(
    `process.on("SIGTERM", () => process.exit(0)); console.log("ready"); setInterval(() => {}, 1000);`,
    {
      signal: interrupt.signal,
      onSpoken: () => {
        interrupt.abort();
      },
    },
  );
  expect(end).toEqual({ kind: "ended", status: 0 });
});

test("Electron never runs as Node", async () => {
  process.env.ELECTRON_RUN_AS_NODE = "1";
  try {
    expect((await run(`console.log(process.env.ELECTRON_RUN_AS_NODE ?? "unset")`)).output).toBe("unset\n");
  } finally {
    delete process.env.ELECTRON_RUN_AS_NODE;
  }
});
