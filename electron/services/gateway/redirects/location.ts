// Where a redirect leads: always one absolute line of ASCII.
import { AppError } from "../../../../shared/app-error.ts";

/**
 * Made of what the configuration says, which may be relative to the public URL of the request. The query of the request is not
 * carried over.
 * @throws AppError `invalid-input` for what cannot be resolved to http(s), whatever the request
 */
export function createLocation(targetUrl: string, publicOrigin: string): (requestUrl: string) => string {
  const target = URL.parse(targetUrl, publicOrigin);
  if (target?.protocol !== "http:" && target?.protocol !== "https:") {
    throw new AppError("invalid-input", `A redirect leads to "${targetUrl}", which is no web address.`);
  }
  const { href } = target;
  if (URL.canParse(targetUrl)) return () => href;
  // Names of the zone's other hosts are as good as its first one.
  return (requestUrl) => URL.parse(targetUrl, requestUrl)?.href ?? href;
}
