// Hears from the system what a person opens with Echotop while it runs or starts: files, links, second starts.
import type { App } from "electron";
import * as z from "zod";
import { parseOpenArguments } from "../opening/open-arguments.ts";
import type { Opening } from "../opening/opening.ts";

/** Command line that a second start hands over, which Chromium would reorder and extend. */
export const SecondStart = z.object({ args: z.array(z.string()), workingDirectory: z.string() });
export type SecondStart = z.infer<typeof SecondStart>;

export interface OpenedListener {
  readonly open: Opening["open"];
  /** Brings the window to the front. */
  readonly focus: () => void;
}

/** Must run before Electron is ready: macOS hands over what started the application first. */
export function listenForOpened(app: App, { open, focus }: OpenedListener): void {
  app.on("second-instance", (_event, _args, _workingDirectory, handedOver) => {
    focus();
    const { data } = SecondStart.safeParse(handedOver);
    if (data !== undefined) open(parseOpenArguments(data.args, data.workingDirectory));
  });
  app.on("open-file", (event, path) => {
    event.preventDefault();
    focus();
    open({ paths: [path], link: undefined });
  });
  app.on("open-url", (event, url) => {
    event.preventDefault();
    focus();
    open({ paths: [], link: url });
  });
}
