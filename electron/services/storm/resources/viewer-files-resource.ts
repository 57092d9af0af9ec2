// The viewer's built files, read once and served from memory by exact path, so no path can lead out of the folder.
// Without a built viewer, the root says so.
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { serviceLimitMeta, type ServiceLimit } from "../../../../shared/contract/identifiers.ts";
import { sha256Of } from "../../../platform/sha256.ts";
import { cacheRules, createAnswer, strongEtag, textType, type Answer } from "../../http/answer.ts";
import { viewerPolicy } from "../content-security-policy.ts";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".geojson": "application/geo+json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".txt": textType,
  ".svg": "image/svg+xml; charset=utf-8",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".woff": "font/woff",
  ".wasm": "application/wasm",
  ".pbf": "application/x-protobuf",
};

/** Matches files with a content hash in their name, which never change. */
const hashedName = /^\/assets\/.*-[\w-]{8}\.\w+$/;

/**
 * Returns answers by request path. The viewer is not built if `directory` is undefined, missing or without an index.
 * The page has the service's limit in its head.
 */
export async function loadViewerFiles(
  directory: string | undefined,
  limit: ServiceLimit | undefined,
): Promise<ReadonlyMap<string, Answer>> {
  const answers = new Map<string, Answer>();
  for (const file of directory === undefined ? [] : await listFiles(directory)) {
    const path = `/${relative(directory!, file).split(sep).join("/")}`;
    const body = await readFile(file);
    answers.set(path, toFileAnswer(path, limit && path === "/index.html" ? markPage(body, limit) : body));
  }
  const index = answers.get("/index.html") ?? notBuilt;
  return answers.set("/", index);
}

function markPage(page: Buffer, limit: ServiceLimit): Buffer {
  const mark = `<meta name="${serviceLimitMeta}" content="${limit}" />`;
  return Buffer.from(page.toString("utf8").replace("<head>", `<head>${mark}`), "utf8");
}

const notBuilt = createAnswer({
  body: "The viewer is not built. Build it with `npm run build` and start again; the data is under /v1/.\n",
  type: textType,
});

async function listFiles(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function toFileAnswer(path: string, body: Uint8Array): Answer {
  return createAnswer({
    body,
    type: types[extname(path).toLowerCase()] ?? "application/octet-stream",
    etag: strongEtag(sha256Of(body)),
    cache: hashedName.test(path) ? cacheRules.immutable : cacheRules.revalidate,
    contentSecurityPolicy: viewerPolicy,
  });
}
