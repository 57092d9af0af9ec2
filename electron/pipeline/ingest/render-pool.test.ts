// The render pool: order, parallelism, failing workers, aborts, and closing.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { writeGribFile } from "../../support/grib-files.ts";
import { mostTimesPassed, workBudgetBytes } from "./ingest-limits.ts";
import { createRenderPool, type RenderPool } from "./render-pool.ts";
import { workerUrl } from "./support/workshop.ts";

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "echotop-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function makePool(url: URL, size: number): RenderPool {
  const pool = createRenderPool({ workerUrl: url, size });
  onTestFinished(() => pool.close());
  return pool;
}

/** Worker of this test; `task.path` selects its behavior. */
async function makeWorker(body: string): Promise<URL> {
  const file = join(await makeFolder(), "worker.mjs");
  await writeFile(file, `import { parentPort } from "node:worker_threads";\n${body}`);
  return pathToFileURL(file);
}

const obedient = `
  parentPort.on("message", ({ path }) => {
    if (path === "die") process.exit(7);
    if (path === "throw") throw new Error("secret");
    if (path === "hang") return;
    if (path === "grow") { const all = []; for (;;) all.push(new Array(1_000_000).fill(all.length + 0.5)); }
    parentPort.postMessage({ kind: "done", result: { sha256: path } });
  });
  parentPort.postMessage({ kind: "ready" });`;

const source = { product: "mrms-mesh", observedAt: "2024-05-01T20:00:02Z", fill: 30 } as const;

test("a file is rendered, with the hashes of its bytes", async () => {
  const path = writeGribFile(await makeFolder(), source);
  const pool = makePool(workerUrl, 1);
  const rendered = await pool.render(path);
  expect(rendered).toMatchObject({
    productId: "mrms-mesh",
    observedAt: source.observedAt,
    bounds: [-98, 35.9, -97.8, 36],
  });
  expect(Buffer.from(rendered.png).subarray(1, 4).toString()).toBe("PNG");
  const { messageSha256, sha256 } = await pool.identify(path);
  expect({ messageSha256, sha256 }).toEqual({
    messageSha256: rendered.messageSha256,
    sha256: rendered.sha256,
  });
});

test("an invalid file fails with its error code, and its worker continues", async () => {
  const folder = await makeFolder();
  const bad = join(folder, "bad.grib2");
  await writeFile(bad, "GRIB and nothing else");
  const pool = makePool(workerUrl, 1);
  await expect(pool.render(bad)).rejects.toMatchObject({ code: "source-invalid" });
  await expect(pool.render(join(folder, "missing"))).rejects.toMatchObject({
    code: "source-invalid",
    detail: "There is no such file or folder.",
  });
  await expect(pool.render(writeGribFile(folder, source))).resolves.toMatchObject({ productId: "mrms-mesh" });
});

test.each([
  ["dies", "die"],
  ["throws", "throw"],
  ["runs out of memory", "grow"],
])("a worker that %s fails its file with a message, and the next files are rendered", async (_name, path) => {
  const pool = makePool(await makeWorker(obedient), 1);
  const [first, doomed, last] = await Promise.allSettled(["a", path, "b"].map((each) => pool.identify(each)));
  expect(first).toMatchObject({ value: { sha256: "a" } });
  expect(doomed).toMatchObject({
    reason: {
      code: "source-invalid",
      detail: expect.stringMatching(/^It could not be decoded: .+\.$/) as string,
    },
  });
  expect(last).toMatchObject({ value: { sha256: "b" } });
});

test.each([
  ["is missing", async () => pathToFileURL(join(await makeFolder(), "missing.js"))],
  ["fails while it loads", () => makeWorker("throw new Error('no');")],
])("if the worker's code %s, this thread does the work", async (_name, makeUrl) => {
  const path = writeGribFile(await makeFolder(), source);
  const pool = makePool(await makeUrl(), 2);
  const started = vi.fn();
  const results = await Promise.all([1, 2, 3].map(() => pool.render(path, { onStart: started })));
  expect(results.map(({ productId }) => productId)).toEqual(["mrms-mesh", "mrms-mesh", "mrms-mesh"]);
  await expect(pool.render("/nowhere")).rejects.toMatchObject({ code: "source-invalid" });
});

test("each worker renders one file at a time, and the other files wait in the queue", async () => {
  const pool = makePool(await makeWorker(obedient), 2);
  const started: string[] = [];
  const controllers = ["hang", "hang", "c"].map((path, index) => {
    const controller = new AbortController();
    const done = pool.identify(path, {
      signal: controller.signal,
      onStart: () => started.push(`${path}${index}`),
    });
    return { controller, done };
  });
  expect(started).toEqual(["hang0", "hang1"]);
  controllers[0]!.controller.abort();
  await expect(controllers[0]!.done).rejects.toMatchObject({ name: "AbortError" });
  await expect(controllers[2]!.done).resolves.toEqual({ sha256: "c" });
  expect(started).toEqual(["hang0", "hang1", "c2"]);
  controllers[1]!.controller.abort();
  await expect(controllers[1]!.done).rejects.toMatchObject({ name: "AbortError" });
});

test("big files wait for each other, and small ones are rendered meanwhile", async () => {
  const pool = makePool(await makeWorker(obedient), 3);
  const started: string[] = [];
  const run = (path: string, workBytes: number, signal?: AbortSignal): Promise<unknown> =>
    Promise.allSettled([pool.identify(path, { workBytes, signal, onStart: () => started.push(path) })]);
  const most = workBudgetBytes / 2;
  const controller = new AbortController();
  const all = [run("hang", most + 1, controller.signal), run("b", most), run("c", 10 * workBudgetBytes)];
  await run("d", 1);
  expect(started).toEqual(["hang", "d"]);
  controller.abort();
  await Promise.all(all);
  // The greatest is rendered alone.
  expect(started).toEqual(["hang", "d", "b", "c"]);
});

test("a big file is passed a limited number of times", async () => {
  const pool = makePool(await makeWorker(obedient), 3);
  const started: string[] = [];
  const controller = new AbortController();
  const run = (path: string, workBytes: number, signal?: AbortSignal): Promise<unknown> =>
    Promise.allSettled([pool.identify(path, { workBytes, signal, onStart: () => started.push(path) })]);
  const all = [run("hang", 1, controller.signal), run("big", workBudgetBytes)];
  const small = Array.from({ length: mostTimesPassed }, () => run("small", 1));
  await Promise.all(small);
  const late = run("late", 1);
  expect(started.filter((path) => path === "small")).toHaveLength(mostTimesPassed);
  controller.abort();
  await Promise.all([...all, late]);
  expect(started.slice(-2)).toEqual(["big", "late"]);
});

test("an aborted file in the queue fails immediately and is never started", async () => {
  const pool = makePool(await makeWorker(obedient), 1);
  const hanging = Promise.allSettled([pool.identify("hang")]);
  const controller = new AbortController();
  const onStart = vi.fn();
  const waiting = pool.identify("a", { signal: controller.signal, onStart });
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
  await expect(pool.identify("a", { signal: controller.signal, onStart })).rejects.toMatchObject({
    name: "AbortError",
  });
  expect(onStart).not.toHaveBeenCalled();
  await pool.close();
  expect(await hanging).toMatchObject([{ status: "rejected", reason: { name: "AbortError" } }]);
});

test("an abort during the loading of a worker costs only that worker", async () => {
  const marker = join(await makeFolder(), "marker");
  const url = await makeWorker(`
    import { existsSync } from "node:fs";
    if (existsSync(${JSON.stringify(marker)})) {${obedient}} else parentPort.on("message", () => {});`);
  const pool = makePool(url, 1);
  const controller = new AbortController();
  const first = Promise.allSettled([pool.identify("a", { signal: controller.signal })]);
  controller.abort();
  expect(await first).toMatchObject([{ reason: { name: "AbortError" } }]);
  await writeFile(marker, "");
  await expect(pool.identify("a")).resolves.toEqual({ sha256: "a" });
});

test("closing ends all work, can be repeated, and refuses new files", async () => {
  const pool = makePool(await makeWorker(obedient), 1);
  const all = Promise.allSettled([pool.identify("hang"), pool.identify("a")]);
  await pool.close();
  await pool.close();
  expect((await all).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await expect(pool.identify("a")).rejects.toMatchObject({ name: "AbortError" });
});
