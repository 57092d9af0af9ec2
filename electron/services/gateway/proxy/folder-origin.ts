// A folder of files as an origin, answered in process; `index.html` stands for its folder. Threat: paths that lead
// out of the folder by dots, encoded slashes or symbolic links. A request may name files below the folder only by
// plain names, and the real path is compared after all links are followed.
import type { ReadStream } from "node:fs";
import { open, realpath, stat, type FileHandle } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { isCurrent } from "../../http/answer.ts";
import { pathOf } from "../../http/routes.ts";
import { valueOf } from "./headers.ts";
import type { Origin, OriginExchange, OriginListener, OriginRequest } from "./origin.ts";

/** `directory` is absolute. While it does not exist, every page is missing. */
export function createFolderOrigin(directory: string): Origin {
  const exchanges = new Set<FolderExchange>();
  return {
    send(request, listener) {
      const exchange = new FolderExchange(listener);
      exchanges.add(exchange);
      void exchange.answer(directory, request).finally(() => exchanges.delete(exchange));
      return exchange;
    },
    close() {
      for (const exchange of exchanges) exchange.abort();
      return Promise.resolve();
    },
  };
}

interface FoundFile {
  readonly handle: FileHandle;
  readonly name: string;
  readonly byteLength: number;
  readonly etag: string;
  readonly modified: Date;
}

type Finding = FoundFile | "folder-without-slash" | undefined;

class FolderExchange implements OriginExchange {
  readonly #listener: OriginListener;
  #isAborted = false;
  #stream: ReadStream | undefined;
  #isPaused = false;

  constructor(listener: OriginListener) {
    this.#listener = listener;
  }

  pause(): void {
    this.#isPaused = true;
    this.#stream?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#stream?.resume();
  }

  abort(): void {
    this.#isAborted = true;
    this.#stream?.destroy();
  }

  /** Never rejects. */
  async answer(directory: string, request: OriginRequest): Promise<void> {
    request.body?.resume();
    try {
      await this.#answer(directory, request);
    } catch {
      // The disk failed, or the file disappeared while it was read.
      if (!this.#isAborted) this.#listener.onFailure("unreachable");
    }
  }

  async #answer(directory: string, request: OriginRequest): Promise<void> {
    const { method, target, headers } = request;
    if (method !== "GET" && method !== "HEAD") {
      // The listener must not be called before `send` has returned.
      await Promise.resolve();
      this.#say(method, 405, "Only GET and HEAD are allowed here.", ["Allow", "GET, HEAD"]);
      return;
    }
    const path = pathOf(target);
    const found = await findFile(directory, path);
    if (found === "folder-without-slash") {
      const location = `${path.replace(/^\/+/, "/")}/${target.slice(path.length)}`;
      this.#say(method, 308, "The page is at its folder's address.", ["Location", location]);
    } else if (!found) this.#say(method, 404, "There is no such page.", []);
    else {
      try {
        await this.#sendFile(found, method, headers);
      } finally {
        await found.handle.close();
      }
    }
  }

  #say(method: string, status: number, text: string, more: readonly string[]): void {
    if (this.#isAborted) return;
    const body = Buffer.from(`${text}\n`, "utf8");
    const plain = ["Content-Type", "text/plain; charset=utf-8", "Content-Length", String(body.byteLength)];
    this.#listener.onHead(status, "", [...plain, ...more]);
    if (method !== "HEAD") this.#listener.onData(body);
    this.#listener.onEnd([]);
  }

  async #sendFile(file: FoundFile, method: string, asked: readonly string[]): Promise<void> {
    const listener = this.#listener;
    const validators = [
      "ETag",
      file.etag,
      "Last-Modified",
      file.modified.toUTCString(),
      "Cache-Control",
      "no-cache",
    ];
    if (this.#isOver()) return;
    if (isFresh(file, asked)) {
      listener.onHead(304, "", validators);
      listener.onEnd([]);
      return;
    }
    const about = ["Content-Type", mediaTypeOf(file.name), "Content-Length", String(file.byteLength)];
    listener.onHead(200, "", [...about, ...validators, "X-Content-Type-Options", "nosniff"]);
    if (method === "GET" && file.byteLength > 0) await this.#sendBytes(file);
    if (!this.#isOver()) listener.onEnd([]);
  }

  #isOver(): boolean {
    return this.#isAborted;
  }

  /** Rejects if the file is shorter than announced. */
  async #sendBytes({ handle, byteLength }: FoundFile): Promise<void> {
    const stream = handle.createReadStream({ end: byteLength - 1 });
    this.#stream = stream;
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    let sent = 0;
    stream.on("data", (bytes) => {
      sent += bytes.length;
      this.#listener.onData(bytes as Buffer);
    });
    stream.once("error", reject).once("close", () => {
      resolve(undefined);
    });
    if (this.#isPaused) stream.pause();
    if (this.#isAborted) stream.destroy();
    await promise;
    if (sent < byteLength && !this.#isAborted) throw new Error("The file became shorter while it was read.");
  }
}

function isFresh({ etag, modified }: FoundFile, asked: readonly string[]): boolean {
  const tags = valueOf(asked, "if-none-match", ", ");
  if (tags !== undefined) return isCurrent(tags, etag);
  const since = Date.parse(valueOf(asked, "if-modified-since") ?? "");
  // The header has whole seconds.
  return Math.floor(modified.getTime() / 1000) * 1000 <= since;
}

async function findFile(directory: string, path: string): Promise<Finding> {
  const names = toNames(path);
  if (!names) return undefined;
  const file = path.endsWith("/") ? join(directory, ...names, "index.html") : join(directory, ...names);
  try {
    const root = await realpath(directory);
    const real = await realpath(file);
    if (real !== root && !real.startsWith(root + sep)) return undefined;
    return await openFile(real);
  } catch (error) {
    if (absences.has((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

const absences: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EISDIR"]);

async function openFile(file: string): Promise<Finding> {
  // Checked before opening: opening a pipe would wait for its writer.
  const found = await stat(file);
  if (found.isDirectory()) return "folder-without-slash";
  if (!found.isFile()) return undefined;
  const handle = await open(file, "r");
  try {
    const { size, mtimeNs, mtime } = await handle.stat({ bigint: true });
    const etag = `"${size.toString(36)}-${mtimeNs.toString(36)}"`;
    return { handle, name: file, byteLength: Number(size), etag, modified: mtime };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Returns the decoded names of a path; undefined for a path that no briefing has. */
function toNames(path: string): string[] | undefined {
  const names: string[] = [];
  const parts = path.slice(1).split("/");
  // A folder's address ends with a slash.
  if (parts.at(-1) === "") parts.pop();
  for (const part of parts) {
    const name = decode(part);
    if (name === undefined || name === "" || name.startsWith(".") || forbidden.test(name)) return undefined;
    names.push(name);
  }
  return names;
}

/** Separators of any system, drive letters and control characters. */
const forbidden = /[/\\:]|\p{Cc}/u;

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Media types of the files of a briefing, by extension. */
const mediaTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  gif: "image/gif",
  htm: "text/html; charset=utf-8",
  html: "text/html; charset=utf-8",
  ico: "image/vnd.microsoft.icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  webp: "image/webp",
  woff2: "font/woff2",
  xml: "application/xml",
};

function mediaTypeOf(fileName: string): string {
  const extension = extname(fileName).slice(1).toLowerCase();
  return Object.hasOwn(mediaTypes, extension) ? mediaTypes[extension]! : "application/octet-stream";
}
