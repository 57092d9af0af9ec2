// Rules for navigation and loading. They compare parsed origins, not prefixes: `http://127.0.0.1:47800.example`
// begins like our address and belongs to somebody else.

export type NavigationVerdict = "allow" | "open-externally" | "deny";

/** Sites that our text links to: data sources and licenses. They open in the system's browser, over https only. */
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

/** Judges a navigation, or the window that a page requests. */
export function judgeNavigation(target: string, ownOrigin: string): NavigationVerdict {
  if (isOwnOrigin(target, ownOrigin)) return "allow";
  const parsed = parseUrl(target);
  if (parsed?.protocol !== "https:") return "deny";
  const isPlain = parsed.port === "" && parsed.username === "" && parsed.password === "";
  return isPlain && externalHosts.has(parsed.hostname) ? "open-externally" : "deny";
}

/** Returns true for requests to our own HTTP and WebSocket origin, and for data that the page made. */
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
