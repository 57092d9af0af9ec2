// An address that is asked at its pace: conditionally, with patience, and without a word about the address itself.
import { expect, onTestFinished, test } from "vitest";
import { overlayLimits } from "../../../shared/overlays/overlay.ts";
import { startScriptedOrigin, type Answer } from "../../support/scripted-origin.ts";
import { createSteppedClock } from "../feeds/support/stepped-clock.ts";
import { startAddressReader } from "./address-reader.ts";

const startMs = Date.UTC(2026, 4, 20, 21);
const path = "/spotters.txt";

async function open(first: Answer, { allowPrivate = true, query = "?token=secret-4711" } = {}) {
  const origin = await startScriptedOrigin();
  origin.answer(path, first);
  const clock = createSteppedClock(startMs);
  const { port } = origin;
  const reader = startAddressReader({
    name: "Spotters",
    address: {
      kind: "address",
      url: `http://person:pass-4712@127.0.0.1:${port}${path}${query}`,
      everySeconds: 60,
      allowPrivate,
    },
    effects: clock.effects,
  });
  onTestFinished(async () => {
    await reader.close();
    await origin.stop();
  });
  const header = (name: string): string | undefined => {
    const { rawHeaders } = origin.seen(path).at(-1)!;
    const at = rawHeaders.findIndex((each) => each.toLowerCase() === name);
    return at < 0 ? undefined : rawHeaders[at + 1];
  };
  return {
    ...{ origin, clock, reader, header },
    answer: (next: Answer) => {
      origin.answer(path, next);
    },
    /** Lets the wait pass that the reader chose; resolves when it has asked. Returns that wait. */
    next: async (): Promise<number> => {
      const untilMs = await clock.asleep();
      const waitedMs = untilMs - clock.nowMs();
      await clock.runUntil(untilMs);
      await clock.asleep();
      return waitedMs;
    },
    bytes: () => Buffer.from(reader.files()[0]!.bytes).toString("utf8"),
  };
}

const okay =
  (text: string, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(200, headers).end(text);
  };

test("is asked again conditionally, and an unchanged answer keeps the bytes and renews their time", async () => {
  const trial = await open(okay("one", { etag: '"a1"', "last-modified": "Wed, 20 May 2026 20:59:00 GMT" }));
  await trial.clock.asleep();
  const [first] = trial.reader.files();
  // The path of an address may hold a token too.
  expect(first).toMatchObject({
    ...{ name: "Spotters", byteLength: 3, readAt: "2026-05-20T21:00:00.000Z" },
    modifiedAt: "2026-05-20T20:59:00.000Z",
  });
  trial.answer((_, response) => response.writeHead(304).end());
  const waitedMs = await trial.next();
  expect(waitedMs).toBeGreaterThanOrEqual(54_000);
  expect(waitedMs).toBeLessThanOrEqual(66_000);
  expect(trial.header("if-none-match")).toBe('"a1"');
  expect(trial.header("if-modified-since")).toBe("Wed, 20 May 2026 20:59:00 GMT");
  expect(trial.header("user-agent")).toContain("Echotop");
  expect(trial.header("authorization")).toMatch(/^Basic /);
  const [second] = trial.reader.files();
  expect(second!.sha256).toBe(first!.sha256);
  expect(Date.parse(second!.readAt)).toBe(startMs + waitedMs);
  trial.answer(okay("two"));
  await trial.next();
  expect(trial.bytes()).toBe("two");
});

test.each<[string, Answer, RegExp]>([
  ["an error", (_, response) => response.writeHead(500).end(), /status 500/],
  ["nothing there", (_, response) => response.writeHead(404).end(), /nothing at this address/],
  ["a redirect", (_, response) => response.writeHead(302, { location: "/x" }).end(), /redirects/],
  ["an empty answer", okay(""), /without content/],
  [
    "a body that is cut",
    (_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.destroy());
    },
    /interrupted/,
  ],
  [
    "a huge body",
    (_, response) => {
      response.writeHead(200);
      response.end(Buffer.alloc(overlayLimits.bytes + 1));
    },
    /larger than 5 MiB/,
  ],
])("keeps the last bytes after %s, and says since when", async (_, failure, words) => {
  const trial = await open(okay("last"));
  await trial.clock.asleep();
  trial.answer(failure);
  await trial.next();
  const failedAt = new Date(trial.clock.nowMs()).toISOString();
  expect(trial.reader.state()).toMatchObject({
    ...{ failingSince: failedAt, lastReadAt: "2026-05-20T21:00:00.000Z" },
    problem: expect.stringMatching(words) as string,
  });
  expect(trial.bytes()).toBe("last");
  await trial.next();
  expect(trial.reader.state().failingSince).toBe(failedAt);
  trial.answer(okay("again"));
  await trial.next();
  expect(trial.reader.state()).toMatchObject({ failingSince: null, problem: null });
  expect(trial.bytes()).toBe("again");
  const log = trial.clock.logged.join("\n");
  expect(log.match(/could not be read/g)).toHaveLength(1);
  for (const secret of ["4711", "4712", "spotters.txt", "127.0.0.1"]) expect(log).not.toContain(secret);
});

test("gives a file without a time of change that no clock shows", async () => {
  const trial = await open(okay("one", { "last-modified": "Sat, 01 Jan 12000 00:00:00 GMT" }));
  await trial.clock.asleep();
  expect(trial.reader.files()).toMatchObject([{ modifiedAt: null }]);
});

test("fails if a server calls a copy current that is not here", async () => {
  const trial = await open((_, response) => response.writeHead(304).end());
  await trial.clock.asleep();
  expect(trial.reader.state()).toMatchObject({
    lastReadAt: null,
    problem: expect.stringMatching(/304/) as string,
  });
});

test("waits as long as the server asks, and longer after each failure", async () => {
  const trial = await open((_, response) => response.writeHead(429, { "retry-after": "900" }).end());
  const first = (await trial.clock.asleep()) - trial.clock.nowMs();
  expect(first).toBeGreaterThanOrEqual(900_000);
  trial.answer((_, response) => response.writeHead(503).end());
  await trial.next();
  for (let failures = 2; failures < 12; failures += 1) {
    const waitMs = (await trial.clock.asleep()) - trial.clock.nowMs();
    expect(waitMs).toBeGreaterThanOrEqual(Math.min(3_600_000, 60_000 * 2 ** (failures - 1)) / 2);
    expect(waitMs).toBeLessThanOrEqual(3_600_000);
    await trial.next();
  }
});

test("is not asked at all inside this computer unless that is allowed", async () => {
  const trial = await open(okay("inside"), { allowPrivate: false });
  await trial.clock.asleep();
  expect(trial.origin.seen(path)).toEqual([]);
  expect(trial.reader.files()).toEqual([]);
  expect(trial.reader.state().problem).toContain("inside this computer or its network");
});

test("ends at once, also in the middle of an answer", async () => {
  const trial = await open((_, response) => void response.writeHead(200).write("half"));
  await expect.poll(() => trial.origin.seen(path).length).toBe(1);
  await trial.reader.close();
  expect(trial.reader.files()).toEqual([]);
});
