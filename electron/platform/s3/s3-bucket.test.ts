// A bucket on servers that are none, or not there. Real ones are in the tests of the object store.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { AppError } from "../../../shared/app-error.ts";
import { setVariables } from "../../support/environment.ts";
import { openS3Bucket, type S3Bucket } from "./s3-bucket.ts";

let restore: () => void;
beforeAll(() => {
  restore = setVariables({ AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test-secret" });
});
afterAll(() => {
  restore();
});

async function openBucket(endpoint: string): Promise<S3Bucket> {
  const bucket = await openS3Bucket({ url: "s3://bucket/a", endpoint, pathStyle: true, patienceMs: 100 });
  onTestFinished(() => {
    bucket.close();
  });
  return bucket;
}

/** Starts a server that answers everything with the text, or never. Returns its origin. */
function startServer(answer: { status: number; type: string; text: string } | undefined): Promise<string> {
  return listen((_request, response) => {
    if (answer) response.writeHead(answer.status, { "content-type": answer.type }).end(answer.text);
  });
}

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function messageOfCheck(endpoint: string): Promise<string> {
  const bucket = await openBucket(endpoint);
  const error: unknown = await bucket.check().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(AppError);
  return (error as AppError).message;
}

test.each([
  { status: 200, type: "text/html", text: "<!doctype html><title>Welcome</title><p>Hello" },
  { status: 200, type: "application/xml", text: "<Other/>" },
  { status: 200, type: "application/json", text: "{}" },
  { status: 200, type: "text/plain", text: "" },
  { status: 404, type: "text/html", text: "<h1>Not Found</h1>" },
  { status: 405, type: "text/plain", text: "no" },
  { status: 400, type: "text/plain", text: "no" },
])("a server that answers $status with $text is not an S3 server", async (answer) => {
  expect(await messageOfCheck(await startServer(answer))).toBe(
    "The server of `objects.endpoint` does not answer as an S3 server; correct the key.",
  );
});

test("a server that is not there, never answers or speaks no TLS is told apart", async () => {
  const origin = await startServer(undefined);
  expect(await messageOfCheck("http://127.0.0.1:1")).toBe(
    "The object store of `objects.endpoint` refuses the connection; check that it runs there.",
  );
  expect(await messageOfCheck(origin)).toBe(
    "The object store of `objects.endpoint` does not answer; check that it runs there.",
  );
  expect(await messageOfCheck(origin.replace("http:", "https:"))).toBe(
    "The server of `objects.endpoint` does not speak TLS; correct the key.",
  );
});

test("a request is signed with the server's time if this machine's clock is an hour off", async () => {
  const toClock = (text: string): number =>
    Date.parse(text.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"));
  const origin = await listen((request, response) => {
    const nowMs = Date.now() + 3_600_000;
    const signedMs = toClock(request.headers["x-amz-date"] as string);
    const isRefused = Math.abs(signedMs - nowMs) > 60_000;
    response.setHeader("date", new Date(nowMs).toUTCString());
    response.writeHead(isRefused ? 403 : 200, { "content-type": "application/xml" });
    if (isRefused) response.end("<Error><Code>RequestTimeTooSkewed</Code></Error>");
    else response.end("<ListBucketResult><MaxKeys>1</MaxKeys></ListBucketResult>");
  });
  await (await openBucket(origin)).check();
});

test("an answer without end is left one byte beyond the limit", async () => {
  const closed = Promise.withResolvers<undefined>();
  const origin = await listen((_request, response) => {
    const send = (): void => {
      while (response.write(Buffer.alloc(65_536)));
    };
    response.on("drain", send).on("close", () => {
      closed.resolve(undefined);
    });
    send();
  });
  const bytes = await (await openBucket(origin)).get("x", { byteLimit: 1_000_000 });
  expect(bytes?.byteLength).toBe(1_000_001);
  await closed.promise;
});

test("closing ends requests that wait", async () => {
  const bucket = await openBucket(await startServer(undefined));
  const reading = bucket.get("x");
  bucket.close();
  await expect(reading).rejects.toMatchObject({ code: "storage-unavailable" });
});

test("an aborted request throws the signal's reason", async () => {
  const bucket = await openBucket(await startServer(undefined));
  const stop = new AbortController();
  const reading = bucket.get("x", { signal: stop.signal });
  const reason = new Error("stopped");
  stop.abort(reason);
  await expect(reading).rejects.toBe(reason);
});
