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
  test("gives status, headers and body as they are, and asks for no packing", async () => {
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

  test("says that nothing listens there", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    await expect(read(`http://127.0.0.1:${port}`)).rejects.toThrow(
      "The source cannot be reached: nothing listens",
    );
  });

  test("gives up on a service that does not answer", async () => {
    const url = await serve(() => undefined);
    expect(await kindOf(read(url, { answerMs: 30 }))).toBe("no-answer");
  });

  test("does not follow to another place", async () => {
    let asked = 0;
    const elsewhere = await serve((_request, response) => {
      asked += 1;
      response.end("x");
    });
    const url = await serve((_request, response) => response.writeHead(302, { location: elsewhere }).end());
    expect(await kindOf(read(url))).toBe("redirected");
    expect(asked).toBe(0);
  });

  test("refuses a body that says it is too long, and one that does not say so", async () => {
    const said = await serve((_request, response) => response.end("x".repeat(1_001)));
    expect(await kindOf(read(said))).toBe("too-large");
    const unsaid = await serve((_request, response) => {
      const more = (): unknown => response.write("x".repeat(400)) && setImmediate(more);
      more();
    });
    expect(await kindOf(read(unsaid))).toBe("too-large");
    expect((await read(said, { maxBytes: 1_001 })).body).toHaveLength(1_001);
  });

  test("gives up on a drip that never stands still", async () => {
    const url = await serve((_request, response) => {
      const drip = setInterval(() => response.write("x"), 5);
      response.on("close", () => {
        clearInterval(drip);
      });
    });
    expect(await kindOf(read(url, { windowMs: 100, minWindowBytes: 500 }))).toBe("too-slow");
  });

  test("gives up on a body that stands still", async () => {
    const url = await serve((_request, response) => response.write("beginning"));
    expect(await kindOf(read(url, { windowMs: 50 }))).toBe("too-slow");
  });

  test("a reader that takes its time is not a slow service", async () => {
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

  test("tells a cut connection from the end of the body", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("only so much");
      setTimeout(() => response.destroy(), 20);
    });
    expect(await kindOf(read(url))).toBe("cut-short");
  });

  test("passes the caller's own abort through, before and amid the answer", async () => {
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

  test("a dropped answer ends its connection", async () => {
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
