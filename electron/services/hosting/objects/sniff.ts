// Which media type pushed bytes may be shown as: a short list of types that no browser runs anything of. The bytes decide, never
// the name.
import { isUtf8 } from "node:buffer";

export const safeTypes = {
  png: "image/png",
  json: "application/json",
  text: "text/plain; charset=utf-8",
  other: "application/octet-stream",
} as const;
export type SafeType = (typeof safeTypes)[keyof typeof safeTypes];

/** PNG (third edition), 5.2. */
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Longer JSON is sent as the text that it also is. */
const maxJsonBytes = 1024 * 1024;
/** C0 but for tab, newline, form feed and return; DEL. */
const controlPattern = /[\u0000-\u0008\u000b\u000e-\u001f\u007f]/;

export function sniffType(bytes: Buffer): SafeType {
  if (bytes.subarray(0, pngSignature.length).equals(pngSignature)) return safeTypes.png;
  if (!isUtf8(bytes)) return safeTypes.other;
  const text = bytes.toString("utf8");
  if (controlPattern.test(text)) return safeTypes.other;
  return bytes.length <= maxJsonBytes && isJsonDocument(text) ? safeTypes.json : safeTypes.text;
}

/** An object or an array; a lone number or word is text. */
function isJsonDocument(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
