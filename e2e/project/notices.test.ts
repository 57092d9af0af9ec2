// Checks that the third-party notices match the installed packages and that every license permits distribution.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadShippedPackages } from "../../electron/build/installed-packages.ts";
import { noticesPath, toNotices } from "../../electron/build/third-party-notices.ts";
import { projectRoot } from "../run/steps.ts";

const packages = loadShippedPackages(projectRoot);

test("the notices match the installed packages; `npm run notices` updates them", () => {
  expect(readFileSync(noticesPath, "utf8")).toBe(toNotices(packages));
});

test("the notices cover every runtime dependency and Electron", () => {
  const { dependencies } = JSON.parse(readFileSync(`${projectRoot}package.json`, "utf8")) as {
    dependencies: Record<string, string>;
  };
  const named = packages.map(({ name, version }) => `${name} ${version}`);
  for (const [name, version] of Object.entries(dependencies)) expect(named).toContain(`${name} ${version}`);
  expect(packages.map(({ name }) => name)).toContain("electron");
  expect(packages.map(({ name }) => name)).not.toContain("vitest");
});

test("every license permits distribution", () => {
  const one =
    "(?:MIT|ISC|BSD-2-Clause|BSD-3-Clause|Apache-2\\.0|0BSD|OFL-1\\.1|Zlib|Python-2\\.0|MPL-2\\.0|BlueOak-1\\.0\\.0)";
  const free = new RegExp(`^\\(?${one}(?: AND ${one})*(?: OR [\\w.-]+)?\\)?$`);
  for (const { name, license } of packages)
    expect(`${name}: ${license}`.replace(`${name}: `, "")).toMatch(free);
});

test("a package without a license text gets the standard MIT, BSD or Apache text; other licenses are refused", () => {
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
  const bsd = toNotices([{ ...bare, license: "BSD-3-Clause" }]);
  expect(bsd).toContain("Copyright (c) Somebody\n\nRedistribution and use");
  expect(() => toNotices([{ ...bare, license: "BSD-2-Clause" }])).toThrow("bare (BSD-2-Clause)");
});
