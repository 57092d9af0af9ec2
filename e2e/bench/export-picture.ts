// A picture of 1920 by 1080 from the key to the clipboard, after each step to another CONUS revision, against a
// screenshot of the page, which has the map but no words for a picture. The second row is the same picture copied
// again. `ECHOTOP_BENCH=short` takes few.
import type { Page } from "@playwright/test";
import { findBrowser } from "./bench-browser.ts";
import type { BenchRow } from "./bench-row.ts";
import { waitForDrawn, withConusViewer } from "./conus-viewer.ts";
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
  const permissions = ["clipboard-read", "clipboard-write"];
  const options = { name: "export-picture", revisions, executablePath, permissions };
  return await withConusViewer(options, ({ page, note }) => measure(page, note));
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
