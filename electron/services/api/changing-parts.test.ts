// Parts that are added and removed while requests run.
import { Agent, request as startRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { request as startTlsRequest } from "node:https";
import { once } from "node:events";
import { hostname } from "node:os";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ApiPart } from "./api-part.ts";
import { loadSharingCertificate } from "./certificate.ts";
import { createTestPart, makeDirectory, startTestApi, type TestApi } from "./support/test-api.ts";

const things = "/client/v4/accounts/local/things";
const gatePath = "/client/v4/zones/z1/gate";

/** Returns a part whose one route answers when the test opens it. */
function createGatePart() {
  const { promise: opened, resolve: open } = Promise.withResolvers<undefined>();
  const { promise: entered, resolve: enter } = Promise.withResolvers<undefined>();
  const part: ApiPart = {
    routes: [
      {
        method: "GET",
        path: "/zones/:zone/gate",
        permission: "zone-settings:read",
        handle: async () => {
          enter(undefined);
          await opened;
          return { result: "passed" };
        },
      },
    ],
    toProblem: () => undefined,
  };
  return {
    part,
    entered,
    open: () => {
      open(undefined);
    },
  };
}

async function readAll(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

function startPost({ port, secretOf }: TestApi, agent: Agent, byteLength: number): ClientRequest {
  return startRequest({
    agent,
    port,
    host: "127.0.0.1",
    method: "POST",
    path: things,
    headers: {
      "content-type": "application/json",
      "content-length": byteLength,
      authorization: `Bearer ${secretOf("artifacts:edit")}`,
    },
  });
}

describe("parts that come and go", () => {
  test("open connections reach an added part, and no longer a removed one", async () => {
    const first = createTestPart();
    const api = await startTestApi({ parts: [first] });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => {
      agent.destroy();
    });
    const gate = createGatePart();
    gate.open();
    const statusAndPort = async () => {
      const headers = { authorization: `Bearer ${api.secretOf("zone-settings:read")}` };
      const { port } = api;
      const asked = startRequest({ agent, port, host: "127.0.0.1", path: gatePath, headers }).end();
      const [response] = (await once(asked, "response")) as [IncomingMessage];
      const { localPort } = response.socket;
      await readAll(response);
      return { status: response.statusCode, localPort };
    };
    const before = await statusAndPort();
    expect(before.status).toBe(404);
    await api.server.setParts([first, gate.part]);
    expect(await statusAndPort()).toEqual({ ...before, status: 200 });
    await api.server.setParts([first]);
    expect(await statusAndPort()).toEqual(before);
  });

  test("a running upload to a part that stays arrives completely", async () => {
    const first = createTestPart();
    const api = await startTestApi({ parts: [first] });
    const agent = new Agent();
    onTestFinished(() => {
      agent.destroy();
    });
    const body = JSON.stringify({ text: "x".repeat(1_000) });
    const post = startPost(api, agent, body.length);
    post.write(body.slice(0, 100));
    // The head has arrived when a later request on another connection was answered.
    expect((await api.ask(`${things}/a`)).status).toBe(200);
    await api.server.setParts([first, createGatePart().part]);
    post.end(body.slice(100));
    const [response] = (await once(post, "response")) as [IncomingMessage];
    expect(response.statusCode).toBe(201);
    expect(JSON.parse(await readAll(response))).toMatchObject({ result: { text: "x".repeat(1_000) } });
  });

  test("removing a part waits for its running answer", async () => {
    const gate = createGatePart();
    const api = await startTestApi({ parts: [gate.part] });
    const asked = api.ask(gatePath, "zone-settings:read");
    await gate.entered;
    let isGone = false;
    const going = api.server.setParts([]).then(() => (isGone = true));
    await expect.poll(async () => (await api.ask(gatePath, "zone-settings:read")).status).toBe(404);
    expect(isGone).toBe(false);
    gate.open();
    expect(await (await asked).json()).toMatchObject({ result: "passed" });
    await going;
  });

  test("removing a part cuts only its own endless answers", async () => {
    const endless = createGatePart();
    const first = createTestPart();
    const api = await startTestApi({ parts: [first, endless.part] });
    const asked = api.ask(gatePath, "zone-settings:read").catch((error: unknown) => error);
    await endless.entered;
    const agent = new Agent();
    onTestFinished(() => {
      agent.destroy();
    });
    const post = startPost(api, agent, 2);
    post.write("{");
    expect((await api.ask(`${things}/a`)).status).toBe(200);
    await api.server.setParts([first]);
    expect(await asked).toBeInstanceOf(Error);
    post.end("}");
    const [response] = (await once(post, "response")) as [IncomingMessage];
    expect(response.statusCode).toBe(201);
    response.resume();
  });

  test("refuses two parts with the same address and keeps the earlier ones", async () => {
    const first = createTestPart();
    const api = await startTestApi({ parts: [first] });
    await expect(api.server.setParts([first, createTestPart()])).rejects.toThrow();
    expect((await api.ask(`${things}/a`)).status).toBe(200);
  });

  test("offers other machines only shared parts", async () => {
    const gate = createGatePart();
    gate.open();
    const api = await startTestApi({ parts: [createTestPart()] });
    const certificate = await loadSharingCertificate({
      directory: await makeDirectory(),
      hostNames: [hostname().toLowerCase()],
      now: () => new Date(),
    });
    const { port } = await api.server.listenTls({
      address: "127.0.0.1",
      port: 0,
      hostNames: ["127.0.0.1"],
      certificate,
    });
    await api.server.setParts([createTestPart(), gate.part]);
    const statusOver = async (path: string, permission: "artifacts:read" | "zone-settings:read") => {
      const headers = { authorization: `Bearer ${api.secretOf(permission)}` };
      const options = { port, host: "127.0.0.1", path, headers, ca: certificate.certificatePem };
      const asked = startTlsRequest({ ...options, checkServerIdentity: () => undefined, agent: false }).end();
      const [response] = (await once(asked, "response")) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    expect(await statusOver(`${things}/a`, "artifacts:read")).toBe(200);
    expect(await statusOver(gatePath, "zone-settings:read")).toBe(404);
    expect((await api.ask(gatePath, "zone-settings:read")).status).toBe(200);
  });
});
