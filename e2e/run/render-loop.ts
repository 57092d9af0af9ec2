// Records the README's animation: the demonstration, stepped through in the viewer. Run it by hand after the viewer's
// look has changed: `node e2e/run/render-loop.ts`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import sharp from "sharp";
import { makeTemporaryDirectory, removeDirectory, startHost } from "../../electron/support/host-process.ts";
import { ViewerPage } from "../support/viewer-page.ts";
import { findBrowser } from "./browser.ts";
import { projectRoot } from "./steps.ts";

const target = join(projectRoot, "assets", "storm.webp");
const viewport = { width: 1200, height: 750 };
const widthPx = 900;
const frameMs = 350;
const lastFrameMs = 2000;

interface Events {
  readonly events: readonly { readonly id: string; readonly status: string }[];
}

/** Waits until the demonstration is published; returns its number of revisions. */
async function whenPublished(origin: string): Promise<number> {
  for (;;) {
    const { events } = (await (await fetch(`${origin}/v1/storm-events`)).json()) as Events;
    if (events.some(({ id, status }) => id === "demonstration" && status === "complete")) break;
  }
  const response = await fetch(`${origin}/v1/storm-events/demonstration/revisions?limit=2`);
  return ((await response.json()) as { readonly latestSequence: number }).latestSequence;
}

async function record(origin: string, count: number): Promise<Buffer[]> {
  const { executablePath } = await findBrowser();
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const page = await browser.newPage({ viewport });
    const viewer = new ViewerPage(page);
    await page.goto(origin);
    await viewer.expectSomethingDrawn();
    await viewer.timeline.focus();
    await viewer.timeline.press("Home");
    const frames: Buffer[] = [];
    for (let sequence = 1; sequence <= count; sequence += 1) {
      await viewer.expectDrawn(sequence);
      // Removes the focus ring and the tooltip from the timeline.
      await viewer.timeline.blur();
      frames.push(await page.screenshot());
      if (sequence < count) await viewer.timeline.press("ArrowRight");
    }
    return frames;
  } finally {
    await browser.close();
  }
}

const data = makeTemporaryDirectory("loop");
try {
  const host = await startHost(data, ["--demo"]);
  try {
    const frames = await record(host.origin, await whenPublished(host.origin));
    const scaled = await Promise.all(frames.map((frame) => sharp(frame).resize(widthPx).png().toBuffer()));
    const delay = scaled.map((_, index) => (index === scaled.length - 1 ? lastFrameMs : frameMs));
    writeFileSync(
      target,
      await sharp(scaled, { join: { animated: true } })
        .webp({ quality: 60, effort: 6, delay, loop: 0 })
        .toBuffer(),
    );
  } finally {
    await host.stop();
  }
} finally {
  removeDirectory(data);
}
