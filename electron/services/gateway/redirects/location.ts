// The Location of a redirect: always one absolute line of ASCII.
import { AppError } from "../../../../shared/app-error.ts";

/**
 * Resolves the configured target, which may be relative, against the public URL of a request. The request's query is dropped.
 * @throws AppError `invalid-input` for a target that is not http or https
 */
export function createLocation(targetUrl: string, publicOrigin: string): (requestUrl: string) => string {
  const target = URL.parse(targetUrl, publicOrigin);
  if (target?.protocol !== "http:" && target?.protocol !== "https:") {
    throw new AppError("invalid-input", `The target "${targetUrl}" of a redirect is not a web address.`);
  }
  const { href } = target;
  if (URL.canParse(targetUrl)) return () => href;
  // A relative target belongs to the host that was asked for, which may be any of the zone's.
  return (requestUrl) => URL.parse(targetUrl, requestUrl)?.href ?? href;
}
