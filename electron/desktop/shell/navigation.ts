// Where a page of this application may go, and what it may load. Everything is judged by origin as the URL parser sees
// it, never by prefix: `http://127.0.0.1:47800.example` begins like our address and is somebody else's.

export type NavigationVerdict = "allow" | "open-externally" | "deny";

/** Sites that our own text links to: sources of the data, and licences. Opened in the system's browser, https only. */
export const externalHosts: ReadonlySet<string> = new Set([
  "creativecommons.org",
  "mrms.nssl.noaa.gov",
  "openfontlicense.org",
  "www.census.gov",
  "www.geonames.org",
  "www.naturalearthdata.com",
  "www.ncei.noaa.gov",
  "www.noaa.gov",
  "www.nssl.noaa.gov",
  "www.weather.gov",
]);

export function isOwnOrigin(url: string, ownOrigin: string): boolean {
  return ownOrigin !== "null" && parseUrl(url)?.origin === ownOrigin;
}

/** What becomes of a navigation or of a window that a page asks for. */
export function judgeNavigation(target: string, ownOrigin: string): NavigationVerdict {
  if (isOwnOrigin(target, ownOrigin)) return "allow";
  const parsed = parseUrl(target);
  if (parsed?.protocol !== "https:") return "deny";
  const isPlain = parsed.port === "" && parsed.username === "" && parsed.password === "";
  return isPlain && externalHosts.has(parsed.hostname) ? "open-externally" : "deny";
}

/** Whether a request may leave the window at all: our own HTTP and WebSocket origin, and data that the page made. */
export function isRequestAllowed(url: string, ownOrigin: string, mayUseDevTools: boolean): boolean {
  const parsed = parseUrl(url);
  if (parsed === undefined) return false;
  switch (parsed.protocol) {
    case "data:":
      return true;
    case "blob:":
      return parsed.origin === ownOrigin;
    case "ws:":
      return `http://${parsed.host}` === ownOrigin;
    case "devtools:":
      return mayUseDevTools;
    default:
      return parsed.origin === ownOrigin;
  }
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
