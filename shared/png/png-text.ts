// Text in PNG: uncompressed iTXt chunks (PNG specification 11.3.4.5).
import type { PngChunk } from "./chunks.ts";
import { PngError } from "./png-error.ts";

export interface PngText {
  /** 1 to 79 Latin-1 characters, no space at either end. */
  readonly keyword: string;
  readonly text: string;
}

const MAX_KEYWORD_LENGTH = 79;

/**
 * Returns the text of the first iTXt chunk with this keyword; undefined if there is none.
 * @throws PngError if that chunk is compressed, malformed or not UTF-8
 */
export function findText(chunks: readonly PngChunk[], keyword: string): string | undefined {
  for (const chunk of chunks) {
    if (chunk.type === "iTXt" && readKeyword(chunk) === keyword) return parseText(chunk).text;
  }
  return undefined;
}

/** Parses one iTXt chunk. @throws PngError if it is compressed, malformed or not UTF-8 */
export function parseText(chunk: PngChunk): PngText {
  const keyword = readKeyword(chunk);
  const { content, offset } = chunk;
  const flagsAt = keyword.length + 1;
  if (content.length < flagsAt + 2) throw new PngError(`the iTXt chunk "${keyword}" is cut short`, offset);
  if (content[flagsAt] !== 0) {
    throw new PngError(`the iTXt chunk "${keyword}" is compressed, which is not supported`, offset + flagsAt);
  }
  const languageEnd = content.indexOf(0, flagsAt + 2);
  const translationEnd = languageEnd < 0 ? -1 : content.indexOf(0, languageEnd + 1);
  if (translationEnd < 0) throw new PngError(`the iTXt chunk "${keyword}" has no text`, offset + flagsAt + 2);
  const text = findUtf8(content.subarray(translationEnd + 1));
  if (text === undefined) {
    throw new PngError(`the iTXt chunk "${keyword}" is not UTF-8`, offset + translationEnd + 1);
  }
  return { keyword, text };
}

/**
 * Decodes UTF-8 strictly; returns undefined if it is invalid. Percent decoding is the only UTF-8 decoder of the
 * language itself: this folder may not use a browser's or Node's.
 */
function findUtf8(bytes: Uint8Array): string | undefined {
  let escaped = "";
  for (const byte of bytes) {
    const plain = byte < 0x80 && byte !== 0x25;
    escaped += plain ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, "0")}`;
  }
  try {
    return decodeURIComponent(escaped);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function readKeyword({ content, offset }: PngChunk): string {
  const end = content.indexOf(0);
  if (end < 1 || end > MAX_KEYWORD_LENGTH) throw new PngError("an iTXt chunk has no keyword", offset);
  return String.fromCharCode(...content.subarray(0, end));
}
