import { describe, expect, test } from "vitest";
import { narrowEncodings, toOriginHeaders, toVisitorHeaders, valueOf } from "./headers.ts";
import { createSites } from "./site.ts";
import { testZone } from "../support/test-gateway.ts";

const site = createSites([testZone({ kind: "http", url: "http://127.0.0.1:1" })]).find("docs.brief.example")!;
const client = { address: "192.0.2.1", forwardedFor: "192.0.2.1" };

describe("headers to the origin", () => {
  const send = (rawHeaders: readonly string[], connection?: string, acceptEncoding?: string): string[] =>
    toOriginHeaders({ rawHeaders, connection, site, client, via: "v", acceptEncoding });
  const own = [
    ...["X-Forwarded-For", "192.0.2.1", "X-Forwarded-Host", "docs.brief.example"],
    ...["X-Forwarded-Proto", "https", "Via", "1.1 v"],
  ];

  test("keep their case, order and repetition, and describe the visitor by the gateway's own headers", () => {
    const visitors = ["aCCept", "x", "Cookie", "a=1", "X-A", "1", "cookie", "b=2", "Via", "1.0 far"];
    const lies = [
      "X-Forwarded-For",
      "::1",
      "x-forwarded-port",
      "1",
      "Forwarded",
      "for=x",
      "X-Real-IP",
      "::1",
    ];
    expect(send(["HOST", "docs.BRIEF.example:1", ...visitors, ...lies])).toEqual([
      ...["Host", "docs.brief.example"],
      ...visitors,
      ...own,
    ]);
  });

  test("omit those of the connection, and those that Connection names", () => {
    const raw = [
      ...[
        "Connection",
        "X-Gone, close",
        "X-Gone",
        "1",
        "Keep-Alive",
        "5",
        "TE",
        "trailers",
        "Upgrade",
        "h2c",
      ],
      ...["Transfer-Encoding", "chunked", "Proxy-Authorization", "Basic eDp5", "Expect", "100-continue"],
      ...["Proxy-Connection", "close", "Content-Type", "text/plain"],
    ];
    expect(send(raw, "X-Gone, close, content-type, host")).toEqual([
      ...["Host", "docs.brief.example", "Content-Type", "text/plain"],
      ...own,
    ]);
  });

  test("omit what a CGI-like origin takes for a header of the gateway, or for a setting of its own", () => {
    const lies = [
      "X_Forwarded_For",
      "x-Forwarded_Proto",
      "X_Real_IP",
      "Proxy_Authorization",
      "Transfer_Encoding",
    ];
    const raw = [...lies, "Proxy", "accept_encoding"].flatMap((name) => [name, "x"]);
    const kept = ["X_Session_Id", "1", "Accept_Language", "en"];
    expect(send([...raw, ...kept], undefined, "br")).toEqual([
      ...["Host", "docs.brief.example", ...kept, "Accept-Encoding", "br"],
      ...own,
    ]);
    expect(send(["A_B", "1"], "a_b")).toEqual(["Host", "docs.brief.example", ...own]);
  });

  test("ask only for encodings that can be decoded", () => {
    expect(send(["Accept-Encoding", "zip, br"], undefined, "br").slice(2, 4)).toEqual([
      "Accept-Encoding",
      "br",
    ]);
    const decodable = ["gzip", "br"];
    expect(narrowEncodings("gzip;q=0.5, ZIP, Br, identity;q=0", decodable)).toBe(
      "gzip;q=0.5, Br, identity;q=0",
    );
    expect(narrowEncodings("zip, *;q=0.1", decodable)).toBe("identity");
    expect(narrowEncodings("", decodable)).toBe("identity");
  });
});

describe("headers to the visitor", () => {
  test("keep their case, order and repetition, without those of the connection", () => {
    const raw = ["set-Cookie", "a=1", "X-A", "", "Set-Cookie", "b=2", "Date", "x", "Trailer", "X-T"];
    expect(toVisitorHeaders([...raw, "connection", "close", "Keep-Alive", "timeout=5"])).toEqual(raw);
    expect(
      toVisitorHeaders(["X-Gone", "1", "Connection", "x-gone", "connection", "X-b", "X-B", "2", ...raw]),
    ).toEqual(raw);
  });

  test("cannot be passed on with an unsupported transfer coding", () => {
    expect(toVisitorHeaders(["Transfer-Encoding", "Chunked"])).toEqual([]);
    expect(toVisitorHeaders(["Transfer-Encoding", "gzip, chunked"])).toBeUndefined();
  });
});

test("the value of a header is its only value, or all values joined", () => {
  const raw = ["A", "1", "b", "2", "a", "3"];
  expect([valueOf(raw, "b"), valueOf(raw, "a"), valueOf(raw, "a", ", "), valueOf(raw, "c", ", ")]).toEqual([
    ...["2", undefined, "1, 3", undefined],
  ]);
});
