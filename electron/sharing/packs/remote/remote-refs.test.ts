import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { formatPkt } from "../../git/pkt-line.ts";
import { createRemoteHttp } from "./http-client.ts";
import { loadRemoteRefs } from "./remote-refs.ts";

const oid = "a".repeat(40);
const begin = Buffer.concat([
  formatPkt("# service=git-upload-pack\n"),
  Buffer.from("0000"),
  formatPkt(`${oid} HEAD\0side-band-64k\n`),
  formatPkt(`${oid} refs/heads/main\n`),
]);

async function load(answer: (response: ServerResponse) => void): Promise<ReadonlyMap<string, string>> {
  const server = createServer((request, response) => {
    request.resume();
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.git`;
  const { signal } = new AbortController();
  const http = createRemoteHttp({
    address: { url, certificateSha256: undefined },
    token: undefined,
    signal,
  });
  onTestFinished(() => {
    http.close();
    server.close();
  });
  return (await loadRemoteRefs(http, url, { forPush: false })).refs;
}

test("a truncated list of references is reported and not accepted as a shorter one", async () => {
  await expect(
    load((response) => {
      response.write(begin, () => response.destroy());
    }),
  ).rejects.toThrow(/was cut/);
});

test("a list that is too long is reported as such", async () => {
  await expect(
    load((response) => {
      response.write(begin);
      const one = formatPkt(`${oid} refs/tags/${"x".repeat(900)}\n`);
      const many = Buffer.concat(Array.from({ length: 1000 }, () => one));
      const goOn = (): void => {
        if (!response.destroyed) response.write(many, goOn);
      };
      goOn();
    }),
  ).rejects.toThrow(/response is too long/);
});

test("a complete list is read", async () => {
  const refs = await load((response) => {
    response.end(Buffer.concat([begin, Buffer.from("0000")]));
  });
  expect(refs.get("refs/heads/main")).toBe(oid);
});
