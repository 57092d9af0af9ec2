import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/drafts.ts";
import { openStaging } from "./staging-folder.ts";

/** Opens the folder in another process, which leaves a file there. */
async function openElsewhere(folder: string): Promise<{ kill: () => Promise<void> }> {
  const url = new URL("staging-folder.ts", import.meta.url).href;
  const code = `
    import { writeFileSync } from "node:fs";
    import { openStaging } from ${JSON.stringify(url)};
    await openStaging(${JSON.stringify(folder)});
    writeFileSync(${JSON.stringify(join(folder, "half"))}, "half");
    console.log("open");
    setInterval(() => undefined, 1_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return {
    kill: async () => {
      child.kill("SIGKILL");
      await once(child, "close");
    },
  };
}

test("is emptied by the next process alone, and not while another one uses it", async () => {
  const folder = join(await temporaryDirectory(), "scratch", "staging");
  const other = await openElsewhere(folder);
  const second = await openStaging(folder);
  expect(await readdir(folder)).toEqual(["half"]);
  second.close();
  await other.kill();
  const third = await openStaging(folder);
  expect(await readdir(folder)).toEqual([]);
  third.close();
});
