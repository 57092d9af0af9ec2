import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { PlaceSearchResponse } from "../../../shared/contract/index.ts";
import { ApiError } from "../../api/service-errors.ts";
import { searchPauseMs } from "../../platform/viewer-limits.ts";
import { createPlaceSearch } from "./place-query.ts";
import { judgeQuery } from "../slices/places-slice.ts";
import { createViewerStore } from "../store.ts";

interface Question {
  readonly query: string;
  readonly signal: AbortSignal;
  readonly answer: (names: readonly string[]) => Promise<void>;
  readonly fail: (error: Error) => Promise<void>;
}

function createSearch(): {
  store: ReturnType<typeof createViewerStore>;
  questions: Question[];
  search: ReturnType<typeof createPlaceSearch>;
} {
  const store = createViewerStore();
  const questions: Question[] = [];
  const search = createPlaceSearch(store, {
    searchPlaces: (query, signal) =>
      new Promise((resolve, reject) => {
        questions.push({
          query,
          signal: signal!,
          answer: async (names) => {
            resolve(toResponse(names));
            await vi.advanceTimersByTimeAsync(0);
          },
          fail: async (error) => {
            reject(error);
            await vi.advanceTimersByTimeAsync(0);
          },
        });
      }),
  });
  return { store, questions, search };
}

function toResponse(names: readonly string[]): PlaceSearchResponse {
  return {
    attribution: "GeoNames",
    provider: "place-data",
    results: names.map((label) => ({
      id: label,
      label,
      context: "Iowa",
      coordinate: [-93, 42],
      provider: "place-data",
    })),
  };
}

describe("place search", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("asks once after the typing pauses", async () => {
    const { store, questions, search } = createSearch();
    search.searchPlaces("am");
    search.searchPlaces("ame");
    search.searchPlaces("ames");
    expect(store.getState().placeSearch.kind).toBe("searching");
    await vi.advanceTimersByTimeAsync(searchPauseMs);
    expect(questions.map((question) => question.query)).toEqual(["ames"]);
    await questions[0]!.answer(["Ames"]);
    expect(store.getState().placeSearch).toMatchObject({ kind: "found", attribution: "GeoNames" });
  });

  test("aborts a search that a newer one replaces, and ignores its late answer", async () => {
    const { store, questions, search } = createSearch();
    search.searchPlaces("om");
    await vi.advanceTimersByTimeAsync(searchPauseMs);
    search.searchPlaces("ames");
    expect(questions[0]!.signal.aborted).toBe(true);
    await questions[0]!.answer(["Omaha"]);
    expect(store.getState().placeSearch.kind).toBe("searching");
  });

  test.each(["rate-limited", "unavailable", "unreachable"] as const)(
    "reports that it is %s",
    async (code) => {
      const { store, questions, search } = createSearch();
      search.searchPlaces("ames");
      await vi.advanceTimersByTimeAsync(searchPauseMs);
      await questions[0]!.fail(new ApiError(code, "No."));
      expect(store.getState().placeSearch).toEqual({ kind: "failed", problem: code });
    },
  );

  test("forgets everything when cleared", async () => {
    const { store, questions, search } = createSearch();
    search.searchPlaces("ames");
    await vi.advanceTimersByTimeAsync(searchPauseMs);
    search.clearPlaces();
    await questions[0]!.fail(new DOMException("", "AbortError"));
    expect(store.getState().placeSearch).toEqual({ kind: "idle" });
  });

  test("counts a query in code points, as the contract does", () => {
    expect(judgeQuery("")).toEqual({ kind: "idle" });
    expect(judgeQuery("   ")).toEqual({ kind: "idle" });
    expect(judgeQuery("🌪")).toEqual({ kind: "too-short" });
    expect(judgeQuery("🌪🌪")).toBeUndefined();
    expect(judgeQuery("é".repeat(160))).toBeUndefined();
    expect(judgeQuery("🌪".repeat(160))).toBeUndefined();
    expect(judgeQuery("a".repeat(161))).toEqual({ kind: "too-long" });
  });
});
