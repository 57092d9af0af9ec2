import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { isAppError } from "../../../../shared/app-error.ts";
import { Place } from "../../../../shared/contract/place.ts";
import { createNominatim, type NominatimOptions } from "./nominatim.ts";
import type { PlaceProvider } from "./place-provider.ts";

const norman = {
  place_id: 1234,
  licence: "Data © OpenStreetMap contributors, ODbL 1.0.",
  osm_type: "relation",
  osm_id: 184370,
  lat: "35.2225717",
  lon: "-97.4394816",
  addresstype: "city",
  name: "Norman",
  display_name: "Norman, Cleveland County, Oklahoma, United States",
  boundingbox: ["35.1494540", "35.3475250", "-97.5476340", "-97.1769570"],
  address: { city: "Norman", country_code: "us" },
};

interface Upstream {
  readonly url: string;
  readonly requests: { url: URL; headers: NodeJS.Dict<string | string[]> }[];
}

/** Starts a local server as the upstream. */
async function startUpstream(respond: RequestListener): Promise<Upstream> {
  const requests: Upstream["requests"] = [];
  const server = createServer((request, response) => {
    requests.push({ url: new URL(request.url!, "http://upstream"), headers: request.headers });
    respond(request, response);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

function answering(body: unknown, status = 200): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

function providerOf(upstream: string, options: Partial<NominatimOptions> = {}): PlaceProvider {
  const provider = createNominatim({ upstream, now: () => new Date(), ...options });
  onTestFinished(() => provider.close());
  return provider;
}

async function codeOf(search: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await search.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (isAppError(error)) {
    expect(error.detail).not.toContain("127.0.0.1");
    return error.code;
  }
  return error === undefined ? undefined : "another error";
}

describe("an upstream that answers", () => {
  test("converts results to places of the contract, with its license as credit", async () => {
    const upstream = await startUpstream(answering([norman]));
    const found = await providerOf(upstream.url).search("norman");
    expect(found).toEqual({
      attribution: norman.licence,
      results: [
        {
          id: "osm:relation/184370",
          label: "Norman",
          context: "Cleveland County, Oklahoma, United States",
          coordinate: [-97.4394816, 35.2225717],
          bounds: [
            [-97.547634, 35.149454],
            [-97.176957, 35.347525],
          ],
          kind: "city",
        },
      ],
    });
    Place.parse({ ...found.results[0], provider: "place-data" });
  });

  test("requests a few U.S. places below its base path, with our name", async () => {
    const upstream = await startUpstream(answering([]));
    expect((await providerOf(`${upstream.url}/geo`).search("a & b=c")).results).toEqual([]);
    const [request] = upstream.requests;
    expect(request?.url.pathname).toBe("/geo/search");
    expect(request?.headers["user-agent"]).toMatch(/^Echotop/);
    const parameters = Object.fromEntries(request!.url.searchParams);
    expect(parameters).toMatchObject({ q: "a & b=c", format: "jsonv2", limit: "10" });
    expect(parameters.countrycodes?.split(",")[0]).toBe("us");
  });

  test("omits places of other countries, and those after ten", async () => {
    const abroad = { ...norman, address: { country_code: "gb" } };
    const many = Array.from({ length: 15 }, (_, index) => ({ ...norman, osm_id: index }));
    const upstream = await startUpstream(answering([abroad, ...many]));
    const { results } = await providerOf(upstream.url).search("norman");
    expect(results).toHaveLength(10);
    expect(results[0]?.id).toBe("osm:relation/0");
  });

  test("accepts a result without name, ids or a valid box", async () => {
    const bare = {
      lat: "35",
      lon: "-97",
      display_name: "Somewhere, Oklahoma",
      boundingbox: ["36", "35", "-97", "-98"],
    };
    const upstream = await startUpstream(answering([bare]));
    const found = await providerOf(upstream.url).search("somewhere");
    expect(found.results).toEqual([
      { id: "result:0", label: "Somewhere", context: "Oklahoma", coordinate: [-97, 35] },
    ]);
    expect(found.attribution).toContain("OpenStreetMap");
  });

  test("requests the same query once until its answer is old", async () => {
    let nowMs = 0;
    const upstream = await startUpstream(answering([norman]));
    const provider = providerOf(upstream.url, { now: () => new Date(nowMs) });
    await Promise.all([provider.search("norman"), provider.search("norman"), provider.search(" norman ")]);
    await provider.search("norman");
    expect(upstream.requests).toHaveLength(1);
    nowMs += 3_600_000;
    await provider.search("norman");
    expect(upstream.requests).toHaveLength(2);
  });

  test("does not request a query of blanks", async () => {
    const upstream = await startUpstream(answering([norman]));
    expect((await providerOf(upstream.url).search("   ")).results).toEqual([]);
    expect(upstream.requests).toHaveLength(0);
  });
});

describe("an upstream that fails", () => {
  test("reports 429 as such and does not cache it", async () => {
    let status = 429;
    const upstream = await startUpstream((request, response) => {
      answering([norman], status)(request, response);
    });
    const provider = providerOf(upstream.url);
    expect(await codeOf(provider.search("norman"))).toBe("upstream-rate-limited");
    status = 200;
    expect((await provider.search("norman")).results).toHaveLength(1);
  });

  test.each([400, 403, 404, 500, 503])("status %i is an unavailable upstream", async (status) => {
    const upstream = await startUpstream(answering({ error: "no" }, status));
    expect(await codeOf(providerOf(upstream.url).search("norman"))).toBe("upstream-unavailable");
  });

  test.each<[string, unknown]>([
    ["no JSON", "<html>"],
    ["empty", ""],
    ["an object", { error: "Unable to geocode" }],
    ["off the Earth", [{ ...norman, lat: "95" }]],
    ["without coordinates", [{ ...norman, lat: "" }]],
    ["with numbers that are none", [{ ...norman, lon: "NaN" }]],
    ["without a name to show", [{ ...norman, display_name: "" }]],
    ["longer than any list", Array.from({ length: 101 }, () => norman)],
    ["too large", `["${"x".repeat(1_100_000)}"]`],
  ])("an answer that is %s is an unavailable upstream", async (_, body) => {
    const upstream = await startUpstream(answering(body));
    expect(await codeOf(providerOf(upstream.url).search("norman"))).toBe("upstream-unavailable");
  });

  test("cuts an endless answer at the limit", async () => {
    let sent = 0;
    const upstream = await startUpstream((_request, response) => {
      const chunk = Buffer.alloc(64 * 1024, "[");
      const more = (): void => {
        while (!response.destroyed) {
          sent += chunk.byteLength;
          if (!response.write(chunk)) break;
        }
      };
      response.writeHead(200).on("drain", more);
      more();
    });
    expect(await codeOf(providerOf(upstream.url).search("norman"))).toBe("upstream-unavailable");
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test.each<[string, RequestListener]>([
    ["never answers", () => undefined],
    ["answers half", (_request, response) => void response.writeHead(200).write("[")],
    ["hangs up", (request) => request.socket.destroy()],
  ])("one that %s is an unavailable upstream, in bounded time", async (_, respond) => {
    const upstream = await startUpstream(respond);
    expect(await codeOf(providerOf(upstream.url, { timeoutMs: 60 }).search("norman"))).toBe(
      "upstream-unavailable",
    );
  });

  test("a missing upstream is unavailable", async () => {
    expect(await codeOf(providerOf("http://127.0.0.1:1").search("norman"))).toBe("upstream-unavailable");
  });

  test("closing cancels running searches", async () => {
    const upstream = await startUpstream(() => undefined);
    const provider = providerOf(upstream.url);
    const search = codeOf(provider.search("norman"));
    await provider.close();
    expect(await search).toBe("upstream-unavailable");
  });
});
