import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createJsonLog } from "../../platform/json-log.ts";
import { toDiagnostics, type DiagnosticFacts } from "./diagnostics.ts";
import { openLogFiles } from "./log-files.ts";
import { redact } from "./redact.ts";

const now = () => new Date("2026-11-23T08:00:00Z");

const toText = (logLines: readonly string[], ownWords: readonly string[] = []): string => {
  const facts: DiagnosticFacts = {
    versions: { Echotop: "0.1.0", Chromium: "144.0.7300.1", system: "6.1.0" },
    graphics: { webgl: "enabled", rasterization: "disabled_software", odd: "/dev/dri/card0" },
    dataEngine: "sqlite and files",
    counts: { events: 3 },
    logLines,
  };
  return toDiagnostics(facts, ownWords);
};

/** Returns the line that the log writes. */
function toLogLine(message: string, facts: Readonly<Record<string, unknown>> = {}): string {
  let line = "";
  const write = (text: string): void => {
    line = text.trimEnd();
  };
  createJsonLog({ now, write, environment: {} })("warn", message, facts);
  return line;
}

describe("diagnostics", () => {
  test("have versions, graphics, counts, and the log's messages with numbers and codes", () => {
    const text = toText([
      toLogLine("The host took too long to close; the process ends without it.", { limitMs: 5000 }),
      toLogLine("The viewer's process ended.", { reason: "crashed", exitCode: 5, folder: "Documents" }),
    ]);
    expect(text).toBe(`Echotop diagnostics
Versions
  Echotop: 0.1.0
  Chromium: 144.0.7300.1
  system: 6.1.0
Graphics
  webgl: enabled
  rasterization: disabled_software
  odd: [removed]
Data
  engine: sqlite and files
  events: 3
Log, last 2 lines
  2026-11-23T08:00:00.000Z warn The host took too long to close; the process ends without it. limitMs=5000
  2026-11-23T08:00:00.000Z warn The viewer's process ended. reason=crashed exitCode=5
`);
  });

  test("have nothing of a line that is not the log's", () => {
    expect(toText(["secret", '{"time":"secret"}', "{"])).not.toContain("secret");
  });
});

const word = fc.stringMatching(/^[a-zA-Z]{4,10}$/);
const separator = fc.constantFrom("/", "\\");
/** Each kind gives the planted text and those parts of it that must not come out. */
const secrets = {
  "a POSIX path, also with blanks": fc
    .array(
      fc.oneof(
        word,
        fc.tuple(word, word).map((pair) => pair.join(" ")),
      ),
      { minLength: 1, maxLength: 5 },
    )
    .map((parts) => ({ planted: `/${parts.join("/")}`, parts: parts.flatMap((part) => part.split(" ")) })),
  "a Windows path": fc
    .tuple(fc.constantFrom("C", "d"), separator, fc.array(word, { minLength: 1, maxLength: 5 }))
    .map(([drive, slash, parts]) => ({ planted: `${drive}:${slash}${parts.join(slash)}`, parts })),
  "a share of a server": fc.tuple(word, word).map(([host, share]) => ({
    planted: `\\\\${host}\\${share}`,
    parts: [host, share],
  })),
  "a token": fc.stringMatching(/^[A-Za-z0-9_-]{20,64}$/).map((token) => ({ planted: token, parts: [token] })),
  "a short token": fc
    .stringMatching(/^[a-z]{4,8}\d{4}[A-Z]{2,6}$/)
    .map((token) => ({ planted: token, parts: [token] })),
  "a hash": fc.stringMatching(/^[0-9a-f]{40,64}$/).map((hash) => ({ planted: hash, parts: [hash] })),
  "an address with a user": fc.tuple(word, word, word, word).map(([user, key, host, path]) => ({
    planted: `https://${user}:${key}@${host}.example:8443/${path}?token=${key}`,
    parts: [user, key, host, path],
  })),
  "a name of a host": fc.tuple(word, word, fc.constantFrom("com", "lan", "internal")).map((parts) => ({
    planted: parts.join("."),
    parts: parts.slice(0, 2),
  })),
  "a host and a port": fc.tuple(word, fc.integer({ min: 1, max: 65_535 })).map(([host, port]) => ({
    planted: `${host}:${port}`,
    parts: [host],
  })),
  "a numeric address": fc.ipV4().map((address) => ({ planted: address, parts: [address] })),
  "an IPv6 address": fc
    .ipV6()
    .filter((address) => address.replaceAll(/[0:]/g, "") !== "")
    .map((address) => ({ planted: address, parts: [address] })),
  "an address of mail": fc.tuple(word, word).map(([user, host]) => ({
    planted: `${user}@${host}.example`,
    parts: [user, host],
  })),
};

/** Words around a secret that cannot contain it. */
const around = fc.constantFrom(
  "",
  "The file ",
  "Could not read '",
  'Cannot open "',
  "from (",
  "x=",
  "9 of 12: ",
);

describe.each(Object.entries(secrets))("%s never comes out", (_kind, secret) => {
  const expectGone = (text: string, parts: readonly string[]): void => {
    for (const part of parts) expect(text.toLowerCase()).not.toContain(part.toLowerCase());
  };

  test("of a message, a fact, a fact's name or an error", () => {
    fc.assert(
      fc.property(
        secret,
        around,
        fc.constantFrom("", ", again", "' failed"),
        ({ planted, parts }, before, after) => {
          // Parts that the surrounding words contain by chance prove nothing.
          const frame = toText([toLogLine(`${before}${after}`, { error: "", path: "", reason: "" })]);
          fc.pre(parts.every((part) => !frame.toLowerCase().includes(part.toLowerCase())));
          const sentence = `${before}${planted}${after}`;
          const facts = {
            ...{ error: new Error(sentence), path: planted, reason: planted, nested: { deep: [planted] } },
            [planted]: 1,
          };
          expectGone(toText([toLogLine(sentence, facts)]), parts);
          expectGone(redact(sentence, []), parts);
        },
      ),
      { numRuns: 300, seed: 16 },
    );
  });
});

test.each(["a", "я", "1", "a:", "1.", "x ", `${"y".repeat(79)} `])(
  "a long line of %j is judged at once",
  (unit) => {
    const startMs = performance.now();
    redact(unit.repeat(20_000), []);
    redact(unit.repeat(Math.floor(3_999 / unit.length)), []);
    expect(performance.now() - startMs).toBeLessThan(2_000);
  },
);

test("a host of one word that was not found is not named", () => {
  expect(redact("getaddrinfo ENOTFOUND intranet", [])).toBe("getaddrinfo ENOTFOUND [removed]");
});

test("names of this user and this computer never come out, in any case and inside other words", () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9.+-]{2,12}[a-z0-9]$/);
  fc.assert(
    fc.property(name, name, around, (user, host, before) => {
      const own = [user, host];
      const frame = toText([toLogLine(before, { reason: "" })], []).toLowerCase();
      fc.pre(own.every((word) => !frame.includes(word) && !"[removed]".includes(word)));
      const line = toLogLine(`${before}${user.toUpperCase()} at ${host} and x${user}y`, {
        reason: host,
        [user]: true,
      });
      const text = toText([line], own).toLowerCase();
      for (const one of own) expect(text).not.toContain(one);
    }),
    { numRuns: 300, seed: 16 },
  );
});

describe("log files", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "echotop-logs-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test("are bounded in size and number, and lose the oldest lines only", () => {
    const logs = openLogFiles({ folder: join(folder, "logs"), maxFileBytes: 1000, fileCount: 3 });
    for (let number = 0; number < 400; number += 1) logs.write(`line ${String(number).padStart(4, "0")}\n`);
    const files = readdirSync(logs.folder).toSorted();
    expect(files).toEqual(["echotop.1.log", "echotop.2.log", "echotop.log"]);
    for (const file of files) expect(statSync(join(logs.folder, file)).size).toBeLessThanOrEqual(1000);
    const oldestFirst = ["echotop.2.log", "echotop.1.log", "echotop.log"];
    const lines = oldestFirst.flatMap((file) =>
      readFileSync(join(logs.folder, file), "utf8").trimEnd().split("\n"),
    );
    expect(lines.at(-1)).toBe("line 0399");
    expect(lines).toEqual(lines.toSorted());
    expect(lines.length).toBeGreaterThanOrEqual(200);
  });

  test("give their newest lines, also just after a new file was begun", () => {
    const logs = openLogFiles({ folder, maxFileBytes: 50, fileCount: 3 });
    for (let number = 0; number < 8; number += 1) logs.write(`line ${number}\n`);
    expect(logs.readLast(3)).toEqual(["line 5", "line 6", "line 7"]);
  });

  test("that cannot be written do not stop anything", () => {
    writeFileSync(join(folder, "taken"), "");
    const logs = openLogFiles({ folder: join(folder, "taken") });
    logs.write("lost\n");
    expect(logs.readLast(5)).toEqual([]);
  });
});
