import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isArtifactsError } from "../artifacts-error.ts";
import { chooseBranch, parseRemoteRefs } from "./upstream-refs.ts";

const hash = "1".repeat(40);

describe("the refs of another service", () => {
  test("HEAD and branches are read, other refs skipped", () => {
    const text = `ref: refs/heads/b/c\tHEAD\n${hash}\tHEAD\n${hash}\trefs/heads/a\n${hash}\trefs/heads/b/c\n${hash}\trefs/tags/v1\n${hash}\trefs/tags/v1^{}\n`;
    expect(parseRemoteRefs(text)).toEqual({ head: "b/c", branches: ["a", "b/c"] });
  });

  test("names that Git would refuse are not branches", () => {
    const text = ["a..b", "x.lock", "a b", "a:b", "\u0007"]
      .map((name) => `${hash}\trefs/heads/${name}\n`)
      .join("");
    expect(parseRemoteRefs(text)).toEqual({ head: undefined, branches: [] });
  });

  test("other kinds of hashes and other text are refused", () => {
    for (const text of [`${"1".repeat(64)}\trefs/heads/a\n`, "hello", `ref: refs/tags/x\tHEAD`]) {
      expect(() => parseRemoteRefs(text)).toThrow(/refs at the address could not be read/);
    }
  });

  test("any text yields refs or the domain's error", () => {
    const part = fc.constantFrom(hash, "\t", "\n", "ref: ", "refs/heads/", "HEAD", "a", "^{}", " ", "\0");
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(part).map((parts) => parts.join("")),
        ),
        (text) => {
          try {
            parseRemoteRefs(text);
          } catch (error) {
            expect(error).toSatisfy((each) => isArtifactsError(each, "INVALID_INPUT"));
          }
        },
      ),
      { seed: 20_261_121, numRuns: 1000 },
    );
  });

  test.each([
    [{ head: "x", branches: ["a", "x"] }, undefined, "x"],
    [{ head: "gone", branches: ["a", "master", "main"] }, undefined, "main"],
    [{ head: undefined, branches: ["b", "c"] }, undefined, "b"],
    [{ head: "x", branches: ["a", "x"] }, "a", "a"],
  ])("for %j with %j requested, the default branch is %j", (refs, asked, chosen) => {
    expect(chooseBranch(refs, asked)).toBe(chosen);
  });

  test("a missing branch and an empty repository are refused", () => {
    expect(() => chooseBranch({ head: undefined, branches: [] }, undefined)).toThrow(/empty/);
    expect(() => chooseBranch({ head: "a", branches: ["a"] }, "b")).toThrow(/no branch of this name/);
  });
});
