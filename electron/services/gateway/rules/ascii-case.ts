// Case as the language knows it: of the ASCII letters alone.

export function toAsciiLower(text: string): string {
  return text.replace(/[ -~]+/g, (run) => run.toLowerCase());
}

export function toAsciiUpper(text: string): string {
  return text.replace(/[ -~]+/g, (run) => run.toUpperCase());
}
