// Bytes to text: UTF-8, or UTF-16 with its byte order mark. Broken text is refused, never repaired.
import { refuse } from "../../shared/overlays/reading/shape-gatherer.ts";

export function decodeText(bytes: Uint8Array, name: string): string {
  const encoding = findEncoding(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refuse(name, `is damaged, or not ${encoding === "utf-8" ? "UTF-8" : "UTF-16"} text`, cause);
  }
}

function findEncoding([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
