import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { readBounded, requestBounded, type RequestLimits } from "./bounded-request.ts";
import { isHttpFailure, type HttpFailureKind } from "./http-failure.ts";

const limits: RequestLimits = { maxBytes: 1_000, answerMs: 5_000, windowMs: 5_000, minWindowBytes: 10 };

/** A server of the running test; resolves with its origin. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Options extends Partial<RequestLimits> {
  readonly signal?: AbortSignal;
}

function read(url: string, { signal = new AbortController().signal, ...changes }: Options = {}) {
  return readBounded({ fetch, url, limits: { ...limits, ...changes }, signal });
}

async function kindOf(promise: Promise<unknown>): Promise<HttpFailureKind> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isHttpFailure(error)) throw new Error("It did not fail as an HTTP request.", { cause: error });
  return error.kind;
}

describe("a bounded request", () => {
  test("returns status, headers and body unchanged, and requests no compression", async () => {
    const url = await serve((request, response) => {
      response.writeHead(404, { "x-asked": String(request.headers["accept-encoding"]) }).end("not here");
    });
    const { status, headers, body } = await read(url);
    expect([status, headers.get("x-asked"), Buffer.from(body).toString()]).toEqual([
      404,
      "identity",
      "not here",
    ]);
  });

  test("reports a refused connection", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    await expect(read(`http://127.0.0.1:${port}`)).rejects.toThrow(
      "Can't reach the source: connection refused.",
    );
  });

  test("gives up on a server that does not respond", async () => {
    const url = await serve(() => undefined);
    expect(await kindOf(read(url, { answerMs: 30 }))).toBe("no-answer");
  });

  test("does not follow redirects", async () => {
    let asked = 0;
    const elsewhere = await serve((_request, response) => {
      asked += 1;
      response.end("x");
    });
    const url = await serve((_request, response) => response.writeHead(302, { location: elsewhere }).end());
    expect(await kindOf(read(url))).toBe("redirected");
    expect(asked).toBe(0);
  });

  test("refuses a body that is too long, with or without a content length", async () => {
    const said = await serve((_request, response) => response.end("x".repeat(1_001)));
    expect(await kindOf(read(said))).toBe("too-large");
    const unsaid = await serve((_request, response) => {
      const more = (): unknown => response.write("x".repeat(400)) && setImmediate(more);
      more();
    });
    expect(await kindOf(read(unsaid))).toBe("too-large");
    expect((await read(said, { maxBytes: 1_001 })).body).toHaveLength(1_001);
  });

  test("gives up on a body that drips", async () => {
    const url = await serve((_request, response) => {
      const drip = setInterval(() => response.write("x"), 5);
      response.on("close", () => {
        clearInterval(drip);
      });
    });
    expect(await kindOf(read(url, { windowMs: 100, minWindowBytes: 500 }))).toBe("too-slow");
  });

  test("gives up on a body that stops", async () => {
    const url = await serve((_request, response) => response.write("beginning"));
    expect(await kindOf(read(url, { windowMs: 50 }))).toBe("too-slow");
  });

  test("does not count a slow reader as a slow server", async () => {
    const url = await serve((_request, response) => {
      response.write("a".repeat(5));
      setTimeout(() => response.end("b".repeat(5)), 20);
    });
    const answer = await requestBounded({
      fetch,
      url,
      limits: { ...limits, windowMs: 200, minWindowBytes: 100 },
      signal: new AbortController().signal,
    });
    let text = "";
    for await (const piece of answer.pieces) {
      text += Buffer.from(piece).toString();
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    expect(text).toBe("aaaaabbbbb");
  });

  test("tells a lost connection from the end of the body", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("only so much");
      setTimeout(() => response.destroy(), 20);
    });
    expect(await kindOf(read(url))).toBe("cut-short");
  });

  test("throws the caller's abort reason, before and during the response", async () => {
    const url = await serve((_request, response) => response.write("x"));
    const reason = new Error("enough");
    await expect(read(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const reading = read(url, { signal: controller.signal });
    setTimeout(() => {
      controller.abort(reason);
    }, 30);
    await expect(reading).rejects.toBe(reason);
  });

  test("closes the connection of a dropped response", async () => {
    const { promise: closed, resolve } = Promise.withResolvers<boolean>();
    const url = await serve((_request, response) => {
      response.on("close", () => {
        resolve(true);
      });
      response.write("x");
    });
    const answer = await requestBounded({ fetch, url, limits, signal: new AbortController().signal });
    answer.drop();
    expect(await closed).toBe(true);
  });
});
