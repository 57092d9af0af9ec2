import { describe, expect, test } from "vitest";
import { fetchFrame } from "./fetch-frame.ts";

/** Answers with these one after another, and counts the calls. */
function createNetwork(...answers: (Response | Error)[]): { request: typeof fetch; calls: () => number } {
  let calls = 0;
  const request = (): Promise<Response> => {
    const answer = answers[calls];
    calls += 1;
    if (answer === undefined) throw new Error("There was one request too many.");
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { request, calls: () => calls };
}

const { signal } = new AbortController();
const bytes = Uint8Array.of(1, 2, 3);

describe("fetching a frame", () => {
  test("tries once more when the network fails", async () => {
    const network = createNetwork(new TypeError("reset"), new Response(bytes));
    expect(await fetchFrame("/f.png", signal, network.request)).toEqual(bytes);
  });

  test("fails with a sentence after the second failure", async () => {
    const network = createNetwork(new TypeError("reset"), new TypeError("reset"));
    await expect(fetchFrame("/f.png", signal, network.request)).rejects.toMatchObject({
      code: "upstream-unavailable",
      message: "The frame could not be fetched: the connection failed.",
    });
  });

  test.each([
    [404, "not-found"],
    [502, "upstream-unavailable"],
  ])("does not ask again after an answer of %i", async (status, code) => {
    const network = createNetwork(new Response("{}", { status }));
    await expect(fetchFrame("/f.png", signal, network.request)).rejects.toMatchObject({ code });
    expect(network.calls()).toBe(1);
  });

  test("refuses a file too large to be a frame without reading it", async () => {
    const network = createNetwork(new Response(bytes, { headers: { "content-length": "999999999" } }));
    await expect(fetchFrame("/f.png", signal, network.request)).rejects.toMatchObject({
      code: "stored-data-invalid",
    });
  });

  test("lets an abort pass through and does not try again", async () => {
    const abort = new AbortController();
    const reason = new DOMException("no longer wanted", "AbortError");
    abort.abort(reason);
    const network = createNetwork(reason);
    await expect(fetchFrame("/f.png", abort.signal, network.request)).rejects.toBe(reason);
    expect(network.calls()).toBe(1);
  });
});
