import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findRunning, forgetRunning, rememberRunning } from "./running.ts";

let folder: string;
let server: Server;
let body: string;
let storm: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "echotop-running-"));
  body = '{"service":"storm-data","generatedAt":"2026-07-31T00:00:00Z","products":[]}';
  server = createServer((request, response) => {
    response.statusCode = request.url === "/v1/data/status" ? 200 : 404;
    response.end(body);
  });
  const { promise, resolve } = Promise.withResolvers<undefined>();
  server.listen(0, "127.0.0.1", () => {
    resolve(undefined);
  });
  await promise;
  storm = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const addresses = () => ({ storm, api: null, gateway: null });

test("a running Echotop that serves the directory is found until it removes its record", async () => {
  rememberRunning(folder, addresses());
  expect(await findRunning(folder)).toEqual(addresses());
  forgetRunning(folder);
  expect(await findRunning(folder)).toBeUndefined();
});

test("none is found in a directory that was never served", async () => {
  expect(await findRunning(folder)).toBeUndefined();
  expect(await findRunning(join(folder, "none"))).toBeUndefined();
});

test("a record is ignored if something else answers at its address", async () => {
  rememberRunning(folder, addresses());
  body = "<html>";
  expect(await findRunning(folder)).toBeUndefined();
  body = '{"service":"something-else"}';
  expect(await findRunning(folder)).toBeUndefined();
});

test("a record is ignored if nothing answers", async () => {
  rememberRunning(folder, addresses());
  server.close();
  server.closeAllConnections();
  expect(await findRunning(folder)).toBeUndefined();
});

function writeRecord(text: string): void {
  mkdirSync(join(folder, "window"), { recursive: true });
  writeFileSync(join(folder, "window", "running.json"), text);
}

test("a record of an ended process, or a damaged one, is ignored", async () => {
  // No system assigns process ids of this size.
  writeRecord(JSON.stringify({ processId: 2 ** 31 - 2, addresses: addresses() }));
  expect(await findRunning(folder)).toBeUndefined();
  writeRecord("{");
  expect(await findRunning(folder)).toBeUndefined();
});

test("another process's record is not removed", async () => {
  writeRecord(JSON.stringify({ processId: process.ppid, addresses: addresses() }));
  forgetRunning(folder);
  expect(await findRunning(folder)).toEqual(addresses());
});
