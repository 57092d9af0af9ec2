// The third-party notices are those of what is installed, and everything that is shipped may be.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadShippedPackages } from "../../electron/build/installed-packages.ts";
import { noticesPath, toNotices } from "../../electron/build/third-party-notices.ts";
import { projectRoot } from "../run/steps.ts";

const packages = loadShippedPackages(projectRoot);

test("the notices name what is installed; `npm run notices` brings them up to date", () => {
  expect(readFileSync(noticesPath, "utf8")).toBe(toNotices(packages));
});

test("every runtime dependency of the project, and Electron, is among the packages", () => {
  const { dependencies } = JSON.parse(readFileSync(`${projectRoot}package.json`, "utf8")) as {
    dependencies: Record<string, string>;
  };
  const named = packages.map(({ name, version }) => `${name} ${version}`);
  for (const [name, version] of Object.entries(dependencies)) expect(named).toContain(`${name} ${version}`);
  expect(packages.map(({ name }) => name)).toContain("electron");
  expect(packages.map(({ name }) => name)).not.toContain("vitest");
});

test("every licence is one that lets us ship", () => {
  const one = "(?:MIT|ISC|BSD-2-Clause|BSD-3-Clause|Apache-2\\.0|0BSD|OFL-1\\.1|Zlib)";
  const free = new RegExp(`^\\(?${one}(?: AND ${one})*(?: OR [\\w.-]+)?\\)?$`);
  for (const { name, license } of packages)
    expect(`${name}: ${license}`.replace(`${name}: `, "")).toMatch(free);
});

test("a package without a licence text gets that of its licence, MIT's or Apache's, and is refused otherwise", () => {
  const bare = { name: "bare", version: "1.0.0", license: "MIT", author: "Somebody", texts: [] };
  expect(toNotices([bare])).toContain("Copyright (c) Somebody\n\nPermission is hereby granted");
  const apache = { ...bare, license: "Apache-2.0" };
  const other = {
    ...apache,
    name: "other",
    texts: ["Terms.\nEND OF TERMS AND CONDITIONS\nCopyright Others"],
  };
  expect(toNotices([apache, other])).toContain(
    "Copyright Somebody\n\nTerms.\nEND OF TERMS AND CONDITIONS\n\x60",
  );
  expect(() => toNotices([apache])).toThrow("bare (Apache-2.0)");
  expect(() => toNotices([{ ...bare, license: "BSD-3-Clause" }])).toThrow("bare (BSD-3-Clause)");
});
