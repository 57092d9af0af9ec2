// The address of releases: https, or http on this machine.
import { AppError } from "../../../shared/app-error.ts";

const loopbackHosts: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** Returns the folder of the releases; its path ends in a slash. @throws AppError `invalid-input` */
export function parseUpdateAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new AppError("invalid-input", "The update address is not a web address.");
  const isLoopback = loopbackHosts.has(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback)) {
    throw new AppError("invalid-input", "The update address must begin with https.");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new AppError(
      "invalid-input",
      "The update address must be a plain folder, without a password or a query.",
    );
  }
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}
