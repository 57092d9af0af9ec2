// Judges what a person opened with Echotop from outside. A link and a view file are data: they are checked for size and
// characters here, and parsed by the viewer alone.
import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Opened } from "../../../shared/contract/desktop.ts";
import { longestViewFile, viewFileExtension } from "../../../shared/views/view-file.ts";
import { longestViewLink } from "../../../shared/views/view-link.ts";

/** Most bytes of a view file: the longest one in characters of four bytes. */
export const largestView = 4 * longestViewFile;

type Judged = Extract<Opened, { kind: "link" | "view" | "refused" }>;

const refuse = (sentence: string): Judged => ({ kind: "refused", sentence });

export function judgeLink(text: string): Judged {
  if (text.length > longestViewLink) return refuse("The link was not opened: it is too long.");
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)) {
    return refuse("The link was not opened: it contains control characters.");
  }
  if (/["`\s\\<>]/.test(text)) return refuse("The link was not opened: it contains more than a link.");
  if (!text.startsWith("echotop:")) return refuse("The link was not opened: it is not an echotop link.");
  if (!URL.canParse(text)) return refuse("The link was not opened: it is damaged.");
  return { kind: "link", text };
}

export type OpenedFile = { readonly kind: "grib2"; readonly path: string } | Judged;

/** Reads a view file; leaves GRIB2 files to the ingest. Never rejects. */
export async function judgeFile(path: string): Promise<OpenedFile> {
  const name = basename(path);
  if (/\.(?:grib2|grb2)(?:\.gz)?$/i.test(name)) return { kind: "grib2", path };
  if (!name.toLowerCase().endsWith(viewFileExtension)) {
    return refuse(`${name} was not opened: Echotop opens GRIB2 files and view files.`);
  }
  try {
    return await readView(path, name);
  } catch (error) {
    if (error instanceof TypeError) return refuse(`${name} was not opened: it is not a view file.`);
    return refuse(`${name} could not be read.`);
  }
}

/** @throws TypeError for bytes that are not UTF-8 */
async function readView(path: string, name: string): Promise<Judged> {
  const { size, isFile } = await stat(path).then((facts) => ({ size: facts.size, isFile: facts.isFile() }));
  if (!isFile) return refuse(`${name} was not opened: it is not a file.`);
  if (size > largestView) return refuse(`${name} was not opened: it is too large.`);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return { kind: "view", text: decoder.decode(await readFile(path)) };
}
