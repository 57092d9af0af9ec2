// The viewer in a browser of 1920 by 1080, at an event of moving CONUS revisions whose newest one is on screen.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "@playwright/test";
import {
  makeTemporaryDirectory,
  removeDirectory,
  runCommand,
  startHost,
} from "../../electron/support/host-process.ts";
import { launchBrowser } from "./bench-browser.ts";
import { loadConusMessage, writeMovingConusFiles } from "./conus-files.ts";

export interface ConusViewer {
  readonly page: Page;
  /** A folder for the benchmark's own files, which is removed afterward. */
  readonly root: string;
  /** The data and the browser, for the note of a row. */
  readonly note: string;
}

export interface ConusViewerOptions {
  readonly name: string;
  readonly revisions: number;
  readonly executablePath: string;
  readonly permissions?: BrowserContextOptions["permissions"];
}

export async function withConusViewer<T>(
  { name, revisions, executablePath, permissions = [] }: ConusViewerOptions,
  use: (viewer: ConusViewer) => Promise<T>,
): Promise<T> {
  const root = makeTemporaryDirectory(name);
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
      const context = await browser.newContext({ viewport: { width: 1920, height: 1080 }, permissions });
      const page = await context.newPage();
      await page.goto(host.origin);
      await waitForDrawn(page, revisions);
      const note = `${message.source}; browser ${browser.version()}, ${await findRenderer(page)}`;
      return await use({ page, root, note });
    } finally {
      await browser.close();
      await host.stop();
    }
  } finally {
    removeDirectory(root);
  }
}

export async function waitForDrawn(page: Page, sequence: number): Promise<void> {
  await page.locator(`[aria-label="Storm map"][data-sequence="${sequence}"]`).waitFor({ timeout: 120_000 });
}

/** Returns who draws: a graphics card, or the processor in its place. */
function findRenderer(page: Page): Promise<string> {
  return page.evaluate(() => {
    const gl = document.createElement("canvas").getContext("webgl2");
    const facts = gl?.getExtension("WEBGL_debug_renderer_info");
    return facts ? String(gl!.getParameter(facts.UNMASKED_RENDERER_WEBGL)) : "unknown graphics";
  });
}
