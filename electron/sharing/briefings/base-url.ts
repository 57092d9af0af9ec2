// The address that a folder of briefings will have.
import { AppError } from "../../../shared/app-error.ts";

/** With a slash at its end. @throws AppError `invalid-input` for what is no plain http or https address */
export function toBaseUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url !== undefined &&
    (url.protocol === "http:" || url.protocol === "https:") &&
    [url.username, url.password, url.search, url.hash].every((part) => part === "");
  if (!isPlain) {
    throw new AppError(
      "invalid-input",
      "The base address must be a plain http or https address, such as https://brief.example/storms/.",
    );
  }
  return url.href.endsWith("/") ? url.href : `${url.href}/`;
}
