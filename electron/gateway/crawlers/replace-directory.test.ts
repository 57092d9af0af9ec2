import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { isAppError } from "../../../shared/app-error.ts";
import { checkDirectory, replaceDirectory } from "./replace-directory.ts";
import { bot, botsFile } from "./support/bots-file.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "crawlers-"));
  file = join(folder, "bots.json");
  return () => {
    rmSync(folder, { recursive: true });
  };
});

const good = botsFile([
  bot({ name: "TrainBot", user_agents: ["TrainBot", "Google-Extended"], ranges: ["192.0.2.0/24"] }),
]);

test("a list that can be used takes the place of the one before", async () => {
  writeFileSync(file, botsFile([]));
  expect(await replaceDirectory(file, good)).toEqual({
    updatedAt: "2026-11-20T00:00:00Z",
    crawlers: 1,
    ignoredNames: ["Google-Extended"],
  });
  expect(readFileSync(file, "utf8")).toBe(good);
});

test.each(["", "{}", good.slice(0, -1), good.replace("192.0.2.0/24", "192.0.2.0"), good.replace("1", "2")])(
  "a list that cannot be used leaves the one before as it is",
  async (bad) => {
    writeFileSync(file, good);
    await expect(replaceDirectory(file, bad)).rejects.toSatisfy((error) =>
      isAppError(error, "source-invalid"),
    );
    await expect(checkDirectory(bad)).rejects.toSatisfy((error) => isAppError(error, "source-invalid"));
    expect(readFileSync(file, "utf8")).toBe(good);
    expect(readdirSync(folder)).toEqual(["bots.json"]);
  },
);
