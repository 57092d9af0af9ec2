// A day at a bucket, and what a feed must publish from it: every window's files, late ones, corrections, duplicates,
// outages, and every way a server can misbehave. The script drives the test and the benchmark.
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { mrmsFileName } from "../../electron/pipeline/demo/mrms-file.ts";
import { dayPrefix } from "../../electron/sources/feeds/mrms-name.ts";
import { productIds, type ProductId } from "../../shared/contract/primitives.ts";
import { getProduct } from "../../shared/products/registry.ts";
import { observationWindow } from "../../shared/revisions/observation-window.ts";
import { listingXml, sendXml, type BucketServer } from "../../electron/support/bucket-server.ts";

export const windowsADay = 720;
const windowMs = 120_000;
/** Wraps the message without compressing it again: it is a deflated picture. */
const usualLevel = 0;
const minuteMs = 60_000;
const mesh: ProductId = "mrms-mesh";
const reflectivity: ProductId = "mrms-reflectivity";

/** Makes the GRIB2 message of a product and time, reproducibly; each version has another field. */
export type MakeMessage = (product: ProductId, observedAt: string, version: number) => Uint8Array;

export interface DayOptions {
  readonly server: BucketServer;
  readonly startMs: number;
  readonly makeMessage: MakeMessage;
  readonly nowMs: () => number;
}

export interface ExpectedWindow {
  readonly window: number;
  /** SHA-256 of the newest message by product. */
  readonly layers: ReadonlyMap<ProductId, string>;
  /** Number of its revisions. */
  readonly revisions: number;
  /** Changes of its later revisions. */
  readonly later: "completion" | "correction" | undefined;
}

export interface Day {
  /** Applies everything that is due. */
  apply(): void;
  readonly expected: readonly ExpectedWindow[];
  /** First and last windows of the outage of the source and of the outage of the link. */
  readonly outages: readonly (readonly [first: number, last: number])[];
  /** Number of windows without a file of some product. */
  readonly missing: number;
  readonly duplicates: number;
  /** Causes that must be in the log, once each. */
  readonly causes: readonly RegExp[];
}

interface Happening {
  readonly atMs: number;
  readonly happen: () => void;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface Trouble {
  /** Milliseconds since the Unix epoch. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly what: "listing" | "everything" | { readonly key: string };
  /** Number of requests; undefined for all. */
  times?: number;
  readonly answer: Answer;
}

const sourceOutage = { first: 100, last: 104 };
const linkOutage = { first: 200, last: 214 };
const neverThere = { both: 300, mesh: 302 };
const neverWhole = 350;
const strangeKeyAt = 430;

export function createDay({ server, startMs, makeMessage, nowMs }: DayOptions): Day {
  const script = new DayScript(server, startMs, makeMessage);
  for (let index = 0; index < windowsADay; index += 1) script.addWindow(index);
  script.addTroubles();
  server.misbehaviors.add((request, response, url) => script.misbehave(request, response, url, nowMs()));
  return {
    apply: () => {
      script.applyUntil(nowMs());
    },
    expected: script.expected,
    outages: [sourceOutage, linkOutage].map(
      ({ first, last }) => [script.windowOf(first), script.windowOf(last)] as const,
    ),
    missing: 3,
    duplicates: script.duplicates,
    causes: [
      /not a bucket listing: it is not XML/,
      /does not end/,
      /repeats a page/,
      /Can't reach|interrupted|connection/,
      /Not an MRMS file name/,
      /incomplete \(\d+ of \d+ bytes\)/,
      /larger than listed \(\d+ bytes\)/,
      /sent text\/html/,
      /redirects/,
      /too slow/,
      /product differs from its name/,
    ],
  };
}

/** Returns true if its reflectivity comes five minutes late: longer than a feed waits. */
function isLate(index: number): boolean {
  return index % 50 === 7 && (index < linkOutage.first || index > linkOutage.last);
}

function describe(file: Uint8Array): { byteLength: number; etag: string } {
  return { byteLength: file.byteLength, etag: createHash("md5").update(file).digest("hex") };
}

class DayScript {
  readonly expected: ExpectedWindow[] = [];
  duplicates = 0;
  readonly #server: BucketServer;
  readonly #startMs: number;
  readonly #makeMessage: MakeMessage;
  readonly #happenings: Happening[] = [];
  readonly #troubles: Trouble[] = [];
  #sorted = false;

  constructor(server: BucketServer, startMs: number, makeMessage: MakeMessage) {
    this.#server = server;
    this.#startMs = startMs;
    this.#makeMessage = makeMessage;
  }

  windowOf(index: number): number {
    return observationWindow(new Date(this.#atOf(index)).toISOString());
  }

  addWindow(index: number): void {
    if (index === neverThere.both) return;
    const layers = new Map<ProductId, string>();
    let revisions = 1;
    let later: ExpectedWindow["later"];
    for (const product of productIds) {
      if (product === mesh && index === neverThere.mesh) continue;
      const isBad = product === mesh && index === neverWhole;
      const arrivesMs = this.#arrivalOf(product, index);
      this.#put(product, index, { atMs: arrivesMs, version: 0 });
      if (!isBad) layers.set(product, this.#messageOf(product, index, 0));
    }
    if (isLate(index)) {
      revisions = 2;
      later = "completion";
    }
    if (index % 60 === 11) {
      this.#put(mesh, index, { atMs: this.#atOf(index) + 22 * minuteMs, version: 1 });
      layers.set(mesh, this.#messageOf(mesh, index, 1));
      revisions = 2;
      later = "correction";
    }
    if (index % 60 === 23) {
      this.#put(reflectivity, index, { atMs: this.#atOf(index) + 15 * minuteMs, version: 0, level: 9 });
      this.duplicates += 1;
    }
    this.expected.push({ window: this.windowOf(index), layers, revisions, later });
  }

  addTroubles(): void {
    this.#listingTroubles();
    this.#fileTroubles();
    const strange = `${dayPrefix(getProduct(mesh), this.#startMs)}MRMS_MESH_latest.grib2.gz`;
    this.#happenings.push({
      atMs: this.#atOf(strangeKeyAt),
      happen: () => {
        this.#server.put(strange, Buffer.from("?"));
      },
    });
    const wrong = this.#keyOf(mesh, 460);
    this.#happenings.push({
      atMs: this.#arrivalOf(mesh, 460),
      happen: () => {
        const right = this.#server.objects.get(wrong)!;
        const message = this.#makeMessage(reflectivity, this.#observedAt(mesh, 460), 0);
        this.#server.put(wrong, gzipSync(message, { level: usualLevel }));
        this.#happenLater(this.#atOf(460) + 6 * minuteMs, () => this.#server.objects.set(wrong, right));
      },
    });
    this.expected[this.expected.findIndex(({ window }) => window === this.windowOf(460))] = {
      ...this.expected.find(({ window }) => window === this.windowOf(460))!,
      revisions: 2,
      later: "completion",
    };
  }

  applyUntil(nowMs: number): void {
    if (!this.#sorted) this.#happenings.sort((a, b) => a.atMs - b.atMs);
    this.#sorted = true;
    while ((this.#happenings[0]?.atMs ?? Infinity) <= nowMs) this.#happenings.shift()!.happen();
  }

  misbehave(request: IncomingMessage, response: ServerResponse, url: URL, nowMs: number): boolean {
    const isListing = url.searchParams.has("list-type");
    const key = decodeURIComponent(url.pathname.slice(1));
    const trouble = this.#troubles.find(
      ({ fromMs, toMs, what, times = 1 }) =>
        nowMs >= fromMs &&
        nowMs < toMs &&
        times > 0 &&
        (what === "everything" || (what === "listing" ? isListing : what.key === key)),
    );
    if (!trouble) return false;
    if (trouble.times !== undefined) trouble.times -= 1;
    trouble.answer(request, response);
    return true;
  }

  #listingTroubles(): void {
    const during = (first: number, last: number, what: "listing" | "everything", answer: Answer): void => {
      this.#troubles.push({ fromMs: this.#atOf(first), toMs: this.#atOf(last + 1), what, answer });
    };
    let asked = 0;
    during(linkOutage.first, linkOutage.last, "everything", (_request, response) => {
      response.destroy();
    });
    during(400, 402, "listing", (_request, response) => {
      response.end("the disk of this server is full");
    });
    during(408, 409, "listing", (_request, response) => {
      asked += 1;
      sendXml(response, listingXml([], `page-${asked}`));
    });
    during(416, 417, "listing", (_request, response) => {
      sendXml(response, listingXml([], "again"));
    });
    // Small pages for an hour: files appear while the listing is being paged through.
    this.#happenings.push({ atMs: this.#atOf(600), happen: () => (this.#server.pageSize = 50) });
    this.#happenings.push({ atMs: this.#atOf(630), happen: () => (this.#server.pageSize = 1000) });
  }

  #fileTroubles(): void {
    const once = (index: number, answer: Answer, times?: number): void => {
      const what = { key: this.#keyOf(mesh, index) };
      this.#troubles.push({ fromMs: 0, toMs: Infinity, what, times: times ?? 1, answer });
    };
    const bytesOf = (index: number): Uint8Array => this.#server.objects.get(this.#keyOf(mesh, index))!.bytes;
    this.#troubles.push({
      fromMs: 0,
      toMs: Infinity,
      what: { key: this.#keyOf(mesh, neverWhole) },
      answer: (_request, response) => {
        response.end(bytesOf(neverWhole).subarray(0, 90));
      },
    });
    once(360, (_request, response) => response.end(Buffer.concat([bytesOf(360), bytesOf(360)])));
    once(370, (_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<html>Please sign in</html>");
    });
    once(380, (_request, response) => {
      response.writeHead(302, { location: "http://127.0.0.1:1/elsewhere" }).end();
    });
    once(390, (_request, response) => {
      const { etag, byteLength } = this.#server.objects.get(this.#keyOf(mesh, 390))!;
      response.writeHead(200, { etag: `"${etag}"`, "content-length": byteLength });
      response.write(bytesOf(390).subarray(0, 100), () => setTimeout(() => response.destroy(), 5));
    });
    once(395, (_request, response) => response.write("GRIB"));
  }

  #put(
    product: ProductId,
    index: number,
    { atMs, version, level = usualLevel }: { atMs: number; version: number; level?: number },
  ): void {
    const observedAt = this.#observedAt(product, index);
    const makeFile = (): Uint8Array => gzipSync(this.#makeMessage(product, observedAt, version), { level });
    const happen = (): void => {
      const { byteLength, etag } = describe(makeFile());
      const lastModifiedAt = new Date(atMs).toISOString();
      // A day of full-size files does not fit into memory: each is made on request.
      const object = {
        byteLength,
        etag,
        lastModifiedAt,
        get bytes() {
          return makeFile();
        },
      };
      this.#server.objects.set(this.#keyOf(product, index), object);
    };
    this.#happenings.push({ atMs, happen });
  }

  #happenLater(atMs: number, happen: () => void): void {
    this.#happenings.push({ atMs, happen });
    this.#sorted = false;
  }

  #messageOf(product: ProductId, index: number, version: number): string {
    const message = this.#makeMessage(product, this.#observedAt(product, index), version);
    return createHash("sha256").update(message).digest("hex");
  }

  /** Returns about 90 seconds after the observation; later for late files. */
  #arrivalOf(product: ProductId, index: number): number {
    const usual =
      this.#atOf(index) + (product === mesh ? 39 : 37) * 1000 + 80_000 + ((index * 7919) % 37) * 1000;
    if (product === reflectivity && isLate(index)) return usual + 5 * minuteMs;
    if (index >= sourceOutage.first && index <= sourceOutage.last) {
      return this.#arrivalOf(product, sourceOutage.last + 1) - 1000;
    }
    return usual;
  }

  #atOf(index: number): number {
    return this.#startMs + index * windowMs;
  }

  #observedAt(product: ProductId, index: number): string {
    return new Date(this.#atOf(index) + (product === mesh ? 39_000 : 37_000)).toISOString();
  }

  #keyOf(product: ProductId, index: number): string {
    const observedAt = this.#observedAt(product, index);
    return (
      dayPrefix(getProduct(product), Date.parse(observedAt)) + mrmsFileName(getProduct(product), observedAt)
    );
  }
}
