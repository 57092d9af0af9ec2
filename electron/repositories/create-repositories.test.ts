import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openTestRepositories, startMs } from "./support/open-repositories.ts";

describe("creating", () => {
  test("gives the record, a write token for a day, and a folder that is a bare repository", async () => {
    const { repositories } = await openTestRepositories();
    const { repository, token } = await repositories.create("events", { name: "ev-a" });
    expect(repository).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{16}$/) as string,
      namespace: "events",
      name: "ev-a",
      description: null,
      defaultBranch: "main",
      createdAt: "2026-11-20T12:00:00.000Z",
      updatedAt: "2026-11-20T12:00:00.000Z",
      lastPushAt: null,
      source: null,
      readOnly: false,
      status: "ready",
    });
    expect(token).toMatchObject({ scope: "write", expiresAt: "2026-11-21T12:00:00.000Z" });
    expect(token.plaintext).toMatch(/^art_v1_[0-9a-f]{40}\?expires=\d+$/);
    expect(Number(token.plaintext.split("=")[1])).toBe(startMs / 1000 + 86_400);
    const directory = repositories.directoryOf(repository);
    expect(readFileSync(`${directory}/HEAD`, "utf8")).toBe("ref: refs/heads/main\n");
    expect(existsSync(`${directory}/hooks`)).toBe(false);
    expect(await repositories.find("events", "EV-A")).toEqual(repository);
  });
});
