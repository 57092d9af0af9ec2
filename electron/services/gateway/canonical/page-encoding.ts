// The character encoding of a page: from its Content-Type header, or from a declaration in its first bytes (HTML
// standard, 13.2.3.2: "prescan a byte stream to determine its encoding").
import { MIMEType } from "node:util";
import sniffEncoding from "html-encoding-sniffer";
import { canonicalLimits } from "../gateway-limits.ts";

/**
 * Returns the encoding's name in lower case. Returns undefined for an unknown label, and for the labels of encodings
 * that browsers refuse to decode (`replacement`).
 */
function findEncoding(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns the encoding that the header's `charset` names. */
export function encodingOfContentType(header: string | undefined): string | undefined {
  if (header === undefined || !/charset/i.test(header)) return undefined;
  try {
    const label = new MIMEType(header).params.get("charset");
    return label === null ? undefined : findEncoding(label);
  } catch (error) {
    // An invalid media type names no encoding.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

const undeclared = "undeclared";

/**
 * Returns the encoding that a byte order mark, a `meta` element or an XML declaration names. Returns undefined as
 * long as more bytes could decide otherwise. `isWhole`: no more bytes follow, or as many as are searched are there.
 */
export function prescanEncoding(
  bytes: Uint8Array,
  { isWhole }: { readonly isWhole: boolean },
): string | undefined {
  const searched = bytes.subarray(0, canonicalLimits.prescanBytes);
  // A `meta` element that follows an XML declaration takes precedence.
  if (!isWhole && Buffer.from(searched.subarray(0, 5)).toString("latin1") === "<?xml") return undefined;
  const label = sniffEncoding(searched, { defaultEncoding: undeclared });
  return label === undeclared ? undefined : findEncoding(label);
}
