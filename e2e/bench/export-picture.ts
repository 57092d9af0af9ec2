// A picture of 1920 by 1080 from the key to the clipboard, after each step to another CONUS revision, against a
// screenshot of the page, which has the map but no words for a picture. The second row is the same picture copied
// again. `ECHOTOP_BENCH=short` takes few.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import {
  makeTemporaryDirectory,
  removeDirectory,
  runCommand,
  startHost,
} from "../../electron/support/host-process.ts";
import { findBrowser, launchBrowser } from "./bench-browser.ts";
import type { BenchRow } from "./bench-row.ts";
import { loadConusMessage, writeMovingConusFiles } from "./conus-files.ts";
import { median } from "./timed-process.ts";

const revisions = 4;
const rounds = process.env.ECHOTOP_BENCH === "short" ? 3 : 12;
const mostMs = 300;

const metric = "ms from key to clipboard (median)";
const stepped = { row: 0, name: "picture at 1080p after a step", metric } as const;
const again = { row: 0, name: "the same picture again", metric } as const;
const target = `under ${mostMs}`;

export async function run(): Promise<BenchRow[]> {
  const executablePath = findBrowser();
  if (executablePath === undefined) {
    const nothing = { ours: null, peer: null, peerName: "-", ratio: null, met: null } as const;
    return [{ ...stepped, ...nothing, target, note: "No browser is installed: nothing was measured." }];
  }
  const root = makeTemporaryDirectory("export-picture");
  try {
    const files = join(root, "files");
    const data = join(root, "data");
    mkdirSync(files);
    const message = loadConusMessage();
    writeMovingConusFiles(message, files, revisions);
    await runCommand(["ingest", "--data", data, "--event", "conus", files]);
    const host = await startHost(data);
    const browser = await launchBrowser(executablePath);
    try {
      const context = await browser.newContext({
        viewport: { width: 1920, height: 1080 },
        permissions: ["clipboard-read", "clipboard-write"],
      });
      const page = await context.newPage();
      await page.goto(host.origin);
      await waitForDrawn(page, revisions);
      const note = `${message.source}; browser ${browser.version()}, ${await findRenderer(page)}`;
      return await measure(page, note);
    } finally {
      await browser.close();
      await host.stop();
    }
  } finally {
    removeDirectory(root);
  }
}

async function measure(page: Page, note: string): Promise<BenchRow[]> {
  await page.keyboard.press("e");
  await page.getByRole("radio", { name: "1080p" }).check({ force: true });
  await page.keyboard.press("Escape");
  // The first one makes the map off screen, which stays.
  await copy(page);
  const times: Record<"stepped" | "again" | "screenshot", number[]> = {
    stepped: [],
    again: [],
    screenshot: [],
  };
  for (let round = 0; round < rounds; round++) {
    const sequence = 1 + (round % revisions);
    await page.getByRole("slider", { name: "Revision timeline" }).focus();
    await page.keyboard.press(sequence === 1 ? "Home" : "ArrowRight");
    await waitForDrawn(page, sequence);
    times.stepped.push(await copy(page));
    times.again.push(await copy(page));
    const startedMs = performance.now();
    await page.screenshot();
    times.screenshot.push(performance.now() - startedMs);
  }
  const peer = median(times.screenshot);
  return (
    [
      [stepped, median(times.stepped)],
      [again, median(times.again)],
    ] as const
  ).map(([row, ours]) => ({
    ...row,
    ...{ ours, peer, peerName: "page screenshot", ratio: peer / ours, target, met: ours < mostMs, note },
  }));
}

/** Presses the key on the map, and returns the milliseconds until the page says that the picture is copied. */
function copy(page: Page): Promise<number> {
  return page.getByRole("region", { name: "Storm map" }).evaluate(async (map: HTMLElement) => {
    const status = [...document.querySelectorAll("[role=status]")].find((one) =>
      one.classList.contains("export-status"),
    )!;
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    map.focus();
    const startedMs = performance.now();
    const observer = new MutationObserver(() => {
      const words = status.textContent;
      if (words.startsWith("Copied")) resolve(performance.now() - startedMs);
      else if (status.getAttribute("data-kind") === "failed") reject(new Error(words));
    });
    observer.observe(status, { characterData: true, childList: true, subtree: true });
    map.dispatchEvent(new KeyboardEvent("keydown", { key: "c", ctrlKey: true, bubbles: true }));
    const elapsedMs = await promise;
    observer.disconnect();
    return elapsedMs;
  });
}

/** Returns who draws: a graphics card, or the processor in its place. */
function findRenderer(page: Page): Promise<string> {
  return page.evaluate(() => {
    const gl = document.createElement("canvas").getContext("webgl2");
    const facts = gl?.getExtension("WEBGL_debug_renderer_info");
    return facts ? String(gl!.getParameter(facts.UNMASKED_RENDERER_WEBGL)) : "unknown graphics";
  });
}

async function waitForDrawn(page: Page, sequence: number): Promise<void> {
  await page.locator(`[aria-label="Storm map"][data-sequence="${sequence}"]`).waitFor({ timeout: 120_000 });
}
