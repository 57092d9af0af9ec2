import { expect, test } from "vitest";
import { createJsonLog } from "./json-log.ts";

function logLines(environment: Record<string, string> = {}) {
  const lines: string[] = [];
  const log = createJsonLog({
    now: () => new Date("2026-11-20T12:00:00Z"),
    write: (line) => lines.push(line),
    environment,
  });
  return { lines, log };
}

test("an entry is one line of JSON with time, level, message and facts", () => {
  const { lines, log } = logLines();
  log("warn", "A file\nfailed.", { eventId: "conus", error: new Error("no\r\nspace"), count: 3 });
  log("info", "Started.");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      time: "2026-11-20T12:00:00.000Z",
      level: "warn",
      message: "A file\nfailed.",
      facts: { eventId: "conus", error: "no\r\nspace", count: 3 },
    },
    { time: "2026-11-20T12:00:00.000Z", level: "info", message: "Started." },
  ]);
  for (const line of lines) expect(line.split("\n")).toEqual([expect.any(String), ""]);
});

const secret = "s3cr3t/+";

test.each<[string, string, Record<string, unknown>?]>([
  ["a URL with credentials", `Refused postgres://u:${secret}@db/echotop.`],
  ["a key in a URL", `Refused s3://id:${secret}@bucket/.`],
  ["a bearer token", `Authorization: Bearer ${secret}`],
  ["a signature in a query", `GET https://s3.example/x?X-Amz-Signature=${secret}&a=1`],
  ["a fact named after it", "Failed.", { password: secret, inner: { accessKey: secret, api_token: secret } }],
  ["an error's message", "Failed.", { error: new Error(`token https://x/?access_token=${secret}`) }],
  ["the environment's password", `FATAL: ${secret}`, { PGPASSWORD: 1, detail: [`"${secret}"`] }],
  ["the environment's password in a URL", `Refused http://x/${encodeURIComponent(secret)}`],
])("%s is hidden", (_what, message, facts) => {
  const { lines, log } = logLines({ PGPASSWORD: secret });
  log("error", message, facts);
  expect(lines[0]).not.toMatch(/s3cr3t/);
  expect(lines[0]).toContain("[hidden]");
});

test("an address without secrets stays as it is", () => {
  const { lines, log } = logLines({ AWS_SECRET_ACCESS_KEY: "" });
  log("info", "Reading https://noaa-mrms-pds.s3.amazonaws.com/?list-type=2&prefix=CONUS");
  expect(lines[0]).toContain("https://noaa-mrms-pds.s3.amazonaws.com/?list-type=2&prefix=CONUS");
});
