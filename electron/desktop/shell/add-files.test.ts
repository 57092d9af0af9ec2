import { describe, expect, test } from "vitest";
import { AppError } from "../../../shared/app-error.ts";
import { type AddedFile, type AddFilesResult, FilesProgress } from "../../../shared/contract/desktop.ts";
import { createAddFiles, type IngestRequest } from "./add-files.ts";
import { summarize } from "./added-files-summary.ts";
import { toBarValue } from "./show-progress.ts";

const good: AddedFile = {
  file: "/home/somebody/a.grib2",
  status: "complete",
  product: "mrms-mesh",
  observedAt: "2022-07-04T11:00:40Z",
  sequence: 1,
};
const bad: AddedFile = { file: "/home/somebody/b.grib2", status: "failed", error: "It is cut short." };

function setUp(paths: readonly string[], ingest: (request: IngestRequest) => Promise<void>) {
  const told: FilesProgress[] = [];
  const requests: IngestRequest[] = [];
  const addFiles = createAddFiles({
    choose: () => Promise.resolve(paths),
    ingest: (request) => {
      requests.push(request);
      return ingest(request);
    },
    tell: (progress) => told.push(FilesProgress.parse(progress)),
  });
  return { addFiles, told, requests };
}

function finishBoth({ onFile, onProgress }: IngestRequest): Promise<void> {
  onProgress(0, 2);
  onFile(good);
  onProgress(1, 2);
  onFile(bad);
  onProgress(2, 2);
  return Promise.resolve();
}

describe("adding files", () => {
  test("ingests into the event of added files, and reports each file's result", async () => {
    const { addFiles, requests } = setUp(["/home/somebody"], finishBoth);
    expect(await addFiles({ choose: "folder" })).toEqual({
      chosen: true,
      eventId: "added-files",
      files: [
        { ...good, file: "a.grib2" },
        { ...bad, file: "b.grib2" },
      ],
    });
    expect(requests[0]).toMatchObject({
      eventId: "added-files",
      label: "Added files",
      paths: ["/home/somebody"],
    });
  });

  test("ingests into a named event and keeps its label", async () => {
    const { addFiles, requests } = setUp(["/x"], finishBoth);
    await addFiles({ choose: "files", eventId: "plains-2024" });
    expect(requests[0]).toMatchObject({ eventId: "plains-2024", label: undefined });
  });

  test("reports progress to the end, and no local path", async () => {
    const { addFiles, told } = setUp(["/x"], finishBoth);
    await addFiles({ choose: "files" });
    expect(told[0]).toEqual({ eventId: "added-files", doneCount: 0, totalCount: 0, isFinished: false });
    expect(told.map(({ doneCount }) => doneCount)).toEqual([0, 0, 0, 1, 1, 2, 2]);
    expect(told.at(-1)).toMatchObject({ doneCount: 2, totalCount: 2, isFinished: true });
    expect(told.filter(({ isFinished }) => isFinished)).toHaveLength(1);
    expect(JSON.stringify(told)).not.toContain("somebody");
  });

  test("a closed dialog ingests nothing and reports nothing", async () => {
    const { addFiles, told, requests } = setUp([], finishBoth);
    expect(await addFiles({ choose: "files" })).toEqual({ chosen: false, eventId: "added-files", files: [] });
    expect([told, requests]).toEqual([[], []]);
  });

  test("a failed ingest ends the progress, and the next call works", async () => {
    let attempts = 0;
    const { addFiles, told } = setUp(["/x"], (request) => {
      attempts += 1;
      return attempts === 1 ? Promise.reject(new AppError("conflict", "Archived.")) : finishBoth(request);
    });
    await expect(addFiles({ choose: "files" })).rejects.toThrow("Archived.");
    expect(told.at(-1)?.isFinished).toBe(true);
    await expect(addFiles({ choose: "files" })).resolves.toMatchObject({ chosen: true });
  });

  test("a second call during the first is refused", async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { addFiles } = setUp(["/x"], () => promise);
    const first = addFiles({ choose: "files" });
    await expect(addFiles({ choose: "files" })).rejects.toMatchObject({ code: "conflict" });
    resolve(undefined);
    await first;
  });
});

describe("the summary", () => {
  const result = (...files: AddedFile[]): AddFilesResult => ({ chosen: true, eventId: "added-files", files });

  test("is empty if there is news on the map, or if the dialog was closed", () => {
    expect(summarize(result(good))).toBeUndefined();
    expect(summarize({ ...result(), chosen: false })).toBeUndefined();
  });

  test("reports that nothing was found, or that nothing is new", () => {
    expect(summarize(result())?.message).toBe("No GRIB2 file was found there.");
    expect(summarize(result({ ...good, status: "unchanged" }))?.tone).toBe("info");
  });

  test("lists failures with their reasons, and counts the others", () => {
    const summary = summarize(result(good, ...Array.from({ length: 10 }, () => bad)));
    expect(summary?.message).toBe("10 of 11 files could not be added.");
    expect(summary?.detail.split("\n")).toHaveLength(9);
    expect(summary?.detail).toContain("b.grib2: It is cut short.");
    expect(summary?.detail.endsWith("and 2 more")).toBe(true);
    expect(summarize(result(bad))?.message).toBe("1 of 1 file could not be added.");
  });
});

test("the task bar shows a share, an unknown length, or nothing", () => {
  const progress = { eventId: "e", doneCount: 1, totalCount: 4, isFinished: false };
  expect(toBarValue(progress)).toBe(0.25);
  expect(toBarValue({ ...progress, totalCount: 0 })).toBeGreaterThan(1);
  expect(toBarValue({ ...progress, isFinished: true })).toBeLessThan(0);
});
