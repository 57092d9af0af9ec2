// Control characters in what is printed: names in a listing and in a watched folder come from outside, and a terminal that
// prints them must not be steered by them.

/** Writes each control character, line ends and tabs among them, as JSON's `\u001b`. */
export function showControls(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
