// Place search of a running host with its own upstream: what a client sees of the upstream's failures.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toPath } from "../../shared/contract/operations.ts";
import { PlaceSearchResponse } from "../../shared/contract/place.ts";
import { ContractHost } from "./contract-host.ts";
import { expectJson, expectProblem } from "./expectations.ts";

let upstream: Server;
let host: ContractHost;

/** Answers with the status that the query names. */
beforeAll(async () => {
  upstream = createServer((request, response) => {
    const query = new URL(request.url!, "http://upstream").searchParams.get("q")!;
    const norman = { lat: "35.22", lon: "-97.44", display_name: "Norman, Oklahoma", licence: "ODbL" };
    if (query === "hang up") request.socket.destroy();
    else
      response
        .writeHead(Number(query))
        .end(query === "200" ? JSON.stringify([norman]) : "upstream's own words");
  }).listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const { port } = upstream.address() as AddressInfo;
  host = await ContractHost.start({ places: { upstream: `http://127.0.0.1:${port}/geo` } });
});
afterAll(async () => {
  await host.stop();
  upstream.closeAllConnections();
  upstream.close();
});

const search = (q: string): Promise<Response> =>
  host.get(`${toPath("searchPlaces")}?q=${encodeURIComponent(q)}`);

test("serves its places under the contract's provider", async () => {
  const found = await expectJson(await search("200"), 200, PlaceSearchResponse);
  expect(found).toMatchObject({
    attribution: "ODbL",
    provider: "place-data",
    results: [{ label: "Norman", context: "Oklahoma", coordinate: [-97.44, 35.22], provider: "place-data" }],
  });
});

test("reports its rate limit as 429", async () => {
  await expectProblem(await search("429"), 429);
});

test.each(["400", "404", "500", "503", "hang up"])("its %s is 502", async (mood) => {
  const message = await expectProblem(await search(mood), 502);
  expect(message).not.toMatch(/127\.0\.0\.1|geo|upstream's own words/);
});

test("a refused request does not reach it", async () => {
  let asked = 0;
  upstream.on("request", () => (asked += 1));
  await expectProblem(await search("x"), 400);
  await expectProblem(await search("x".repeat(161)), 400);
  expect(asked).toBe(0);
});
