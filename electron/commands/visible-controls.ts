// Control characters in output: names in listings and watched folders are untrusted and must not control a terminal.

/** Escapes each control character, line ends and tabs included, as `\u001b`. */
export function showControls(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
