// A folder of files as an origin, answered in process: `index.html` stands for its folder. The threats are paths that lead
// out of it: dots, encoded slashes and symbolic links. A request names a file only by plain names below the folder, and
// what they come to is compared after every link is followed.
import type { ReadStream } from "node:fs";
import { open, realpath, stat, type FileHandle } from "node:fs/promises";
import { join, sep } from "node:path";
import { isCurrent } from "../../http/answer.ts";
import { pathOf } from "../../http/target.ts";
import { valueOf } from "./headers.ts";
import { mediaTypeOf } from "./media-type.ts";
import type { Origin, OriginExchange, OriginListener, OriginRequest } from "./origin.ts";

/** `directory` is absolute; while it is not there, there is no page. */
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
      // The disk refuses, or the file went away while it was read.
      if (!this.#isAborted) this.#listener.onFailure("unreachable");
    }
  }

  async #answer(directory: string, request: OriginRequest): Promise<void> {
    const { method, target, headers } = request;
    if (method !== "GET" && method !== "HEAD") {
      // Also keeps the listener from hearing anything before `send` has returned.
      await Promise.resolve();
      this.#say(method, 405, "Pages are there to be read.", ["Allow", "GET, HEAD"]);
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

  /** Rejects when there are not as many as were announced. */
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
    if (sent < byteLength && !this.#isAborted) throw new Error("The file is shorter than it was.");
  }
}

function isFresh({ etag, modified }: FoundFile, asked: readonly string[]): boolean {
  const tags = valueOf(asked, "if-none-match", ", ");
  if (tags !== undefined) return isCurrent(tags, etag);
  const since = Date.parse(valueOf(asked, "if-modified-since") ?? "");
  // The header knows whole seconds only.
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
  // Looked at first: opening a pipe waits for its other end.
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

/** The names that a path is made of, decoded; undefined for one that no file of a briefing has. */
function toNames(path: string): string[] | undefined {
  const names: string[] = [];
  const parts = path.slice(1).split("/");
  // What is behind the last slash of a folder's address.
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
