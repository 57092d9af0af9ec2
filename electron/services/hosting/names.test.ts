import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkNamespace, checkRepositoryName, isBranchName } from "./names.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;

describe("repository names", () => {
  test.each(["a", "A.b_c-9", "0", "ev-a", "a".repeat(100), "console", "com", "a.git.b", "nulls.txt"])(
    "may be %s",
    (name) => {
      expect(() => {
        checkRepositoryName(name);
        checkNamespace(name);
      }).not.toThrow();
    },
  );

  test.each([
    ...["", ".x", "-x", "_x", "a/b", "a b", "../x", "é", "a\n", "a\u0000", "a".repeat(101)],
    ...["con", "NUL.txt", "com1", "lpt9.a.b", "x.git", "x.GIT", "x.lock", "a.", "aux.", "--output=x"],
  ])("may not be %j", (name) => {
    expect(() => {
      checkRepositoryName(name);
    }).toThrow(expect.objectContaining({ code: "INVALID_REPO_NAME", numericCode: 10_101 }) as Error);
    expect(() => {
      checkNamespace(name);
    }).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }) as Error);
  });
});

const taken = ["main", "a/b", "é", "a@b", "@/a", "a./b", "refs/heads/a", "a/-b", "FETCH_HEAD", "a-", "{a"];
const refused = [
  ...["", "-x", "a..b", "a b", "x.lock", "x.lock/a", ".a", "a/.b", "a/", "/a", "a//b", "a.", "a@{b", "HEAD"],
  ...["a~", "a^", "a:b", "a?", "a*", "a[", "a\\b", "a\u007f", "a\tb", "a\nb", "@{-1}"],
];

describe("branch names", () => {
  test.each(taken)("may be %j", (name) => {
    expect(isBranchName(name)).toBe(true);
  });

  test.each([...refused, "@", "a\ud800", "a".repeat(245)])("may not be %j", (name) => {
    expect(isBranchName(name)).toBe(false);
  });

  test.skipIf(!hasGit)("are those that Git accepts, except @ (needs Git)", () => {
    const byGit = (name: string): boolean =>
      spawnSync("git", ["check-ref-format", "--branch", name], { cwd: "/" }).status === 0;
    expect([...taken, ...refused].filter((name) => byGit(name) !== isBranchName(name))).toEqual([]);
    const piece = fc.constantFrom(
      ...["a", ".", "/", "@", "{", "-", "~", " ", "\\", ".lock", "..", "HEAD", "é", "\u007f"],
    );
    const names = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(names, (name) => {
        // Git expands @{-N} and similar names from a repository's history; elsewhere it refuses them, as we do.
        if (name !== "@") expect(isBranchName(name)).toBe(byGit(name));
      }),
      { seed: 4, numRuns: 150 },
    );
  });
});
