// Headers and request targets reach us with a character for each byte. Expressions are written in text.

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text whose UTF-8 the bytes are; unchanged where they are ASCII, or no UTF-8. */
export function toText(bytes: string): string {
  if (!/[\u0080-\u00FF]/.test(bytes) || /[^\u0000-\u00FF]/.test(bytes)) return bytes;
  try {
    return decoder.decode(Buffer.from(bytes, "latin1"));
  } catch {
    // Bytes of another charset have no text that we could know.
    return bytes;
  }
}
