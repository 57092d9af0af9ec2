// The page of a benchmark: built like the viewer, and served with its frames.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import viewerConfig from "../../renderer/vite.config.ts";

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

/** Builds the page in a folder next to this file. */
export async function buildPage(folder: string, outDir: string): Promise<void> {
  const root = fileURLToPath(new URL(folder, import.meta.url));
  const { rolldownOptions } = viewerConfig.build!;
  await build({
    ...viewerConfig,
    configFile: false,
    logLevel: "error",
    root,
    build: {
      ...viewerConfig.build,
      outDir,
      emptyOutDir: true,
      // One page instead of the viewer's own.
      rolldownOptions: { ...rolldownOptions, input: join(root, "index.html") },
    },
  });
}

export interface PageServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves the built page, and frames by their path. */
export async function startPageServer(
  directory: string,
  frames: ReadonlyMap<string, Uint8Array>,
): Promise<PageServer> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const name = path === "/" ? "/index.html" : path;
    const frame = frames.get(name);
    const content = frame ? Promise.resolve(frame) : readFile(join(directory, normalize(name)));
    content.then(
      (bytes) => {
        response.setHeader("content-type", contentTypes[extname(name)] ?? "application/octet-stream");
        response.setHeader("cache-control", "public, max-age=31536000, immutable");
        response.end(bytes);
      },
      () => {
        response.writeHead(404).end();
      },
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => {
        resolve();
      });
    });
  return { url: `http://127.0.0.1:${port}/`, close };
}
