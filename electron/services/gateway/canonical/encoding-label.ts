// The character encodings of the Encoding standard by their labels, and the one that a Content-Type header names.
import { MIMEType } from "node:util";

/**
 * The encoding's name, lower case; undefined for a label that names none. So are the labels of encodings that browsers
 * refuse to read at all (`replacement`): there is no decoder of them.
 */
export function findEncoding(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The encoding that the header's `charset` names. */
export function encodingOfContentType(header: string | undefined): string | undefined {
  if (header === undefined || !/charset/i.test(header)) return undefined;
  try {
    const label = new MIMEType(header).params.get("charset");
    return label === null ? undefined : findEncoding(label);
  } catch (error) {
    // A header that is no media type names no encoding.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
