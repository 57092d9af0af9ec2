// Copies files that are named by their SHA-256, checking the bytes on the way: what arrives is what the name says.
import { readFile } from "node:fs/promises";
import { sha256Of } from "../compose-manifest.ts";
import { writeNewFile } from "../../platform/disk/replace-file.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";

/** How many bytes were copied, or what is wrong with the original, which is then not copied. */
export type CopyOutcome = { readonly byteLength: number } | { readonly problem: "missing" | "damaged" };

/** The copy is on disk when the promise resolves, but for its name in its folder. @throws errors of the disk */
export async function copyFileChecked(from: string, to: string, sha256: string): Promise<CopyOutcome> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(from);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return { problem: "missing" };
    throw error;
  }
  if (sha256Of(bytes) !== sha256) return { problem: "damaged" };
  await writeNewFile(to, bytes);
  return { byteLength: bytes.byteLength };
}
