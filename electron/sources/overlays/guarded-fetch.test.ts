// Addresses inside this computer and its network are refused, whatever a name resolves to and when.
import { expect, onTestFinished, test } from "vitest";
import { startScriptedOrigin, type ScriptedOrigin } from "../../support/scripted-origin.ts";
import { createGuardedFetch, findPrivateAddress, findRedirect, type Lookup } from "./guarded-fetch.ts";

async function startOrigin(): Promise<ScriptedOrigin> {
  const origin = await startScriptedOrigin();
  onTestFinished(() => origin.stop());
  origin.answer("/file", (_, response) => response.end("content"));
  return origin;
}

/** A lookup that gives one list of addresses after the other. */
function lookupOf(...answers: readonly (readonly string[])[]): Lookup & { count: () => number } {
  let at = 0;
  const lookup: Lookup = (_, answer) => {
    const addresses = answers[Math.min(at, answers.length - 1)]!;
    at += 1;
    answer(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
  return Object.assign(lookup, { count: () => at });
}

async function read(url: string, allowPrivate: boolean, lookup?: Lookup): Promise<string> {
  const guarded = createGuardedFetch({ allowPrivate, lookup });
  try {
    return await (await guarded.fetch(url)).text();
  } finally {
    await guarded.close();
  }
}

async function expectRefused(url: string, lookup?: Lookup): Promise<void> {
  const error: unknown = await read(url, false, lookup).catch((reason: unknown) => reason);
  expect(findPrivateAddress(error)?.message).toContain("not allowed for this overlay");
}

test("a name is looked up once, and the connection goes to what was found", async () => {
  const origin = await startOrigin();
  const lookup = lookupOf(["127.0.0.1"], ["192.0.2.1"]);
  expect(await read(`http://overlays.test:${origin.port}/file`, true, lookup)).toBe("content");
  expect(lookup.count()).toBe(1);
});

test.each([
  [["127.0.0.1"]],
  [["::1"]],
  [["10.1.2.3"]],
  [["93.184.215.14", "127.0.0.1"]],
  [["::ffff:127.0.0.1"]],
])("a name that leads to %j is refused, and nothing is asked", async (addresses) => {
  const origin = await startOrigin();
  await expectRefused(`http://overlays.test:${origin.port}/file`, lookupOf(addresses));
  expect(origin.seen("/file")).toEqual([]);
});

test("a name that changes to an inner address after a first check is refused at the connection", async () => {
  const origin = await startOrigin();
  const lookup = lookupOf(["93.184.215.14"], ["127.0.0.1"]);
  // A check apart from the connection, as a page could provoke it.
  await new Promise<void>((resolve) => {
    lookup("overlays.test", () => {
      resolve();
    });
  });
  await expectRefused(`http://overlays.test:${origin.port}/file`, lookup);
  expect(origin.seen("/file")).toEqual([]);
});

test.each([
  "127.0.0.1",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "2130706433",
  "0x7f.1",
  "169.254.169.254",
  "localhost",
])("the address %s is refused unless it is allowed", async (host) => {
  const origin = await startOrigin();
  await expectRefused(`http://${host}:${origin.port}/file`);
  expect(origin.seen("/file")).toEqual([]);
});

test("redirects are followed only within one https origin", async () => {
  const from = new URL("https://example.org/a");
  const redirect = (location: string, status = 302) => ({ status, headers: new Headers({ location }) });
  expect(findRedirect(from, redirect("/b?x"))?.href).toBe("https://example.org/b?x");
  expect(findRedirect(from, redirect("https://example.org/b", 308))?.href).toBe("https://example.org/b");
  for (const location of [
    "http://example.org/b",
    "https://example.com/b",
    "https://example.org:444/b",
    "//",
  ]) {
    expect(findRedirect(from, redirect(location))).toBeUndefined();
  }
  expect(findRedirect(from, redirect("/b", 200))).toBeUndefined();
  const origin = await startOrigin();
  origin.answer("/moved", (_, response) => response.writeHead(302, { location: "/file" }).end("moved"));
  const guarded = createGuardedFetch({ allowPrivate: true });
  onTestFinished(guarded.close);
  expect((await guarded.fetch(`${origin.url}/moved`)).status).toBe(302);
  expect(origin.seen("/file")).toEqual([]);
});
