// What the files of a briefing are, by their names.

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  gif: "image/gif",
  htm: "text/html; charset=utf-8",
  html: "text/html; charset=utf-8",
  ico: "image/vnd.microsoft.icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  webp: "image/webp",
  woff2: "font/woff2",
  xml: "application/xml",
};

export function mediaTypeOf(fileName: string): string {
  const dot = fileName.lastIndexOf(".");
  const ending = dot < 0 ? "" : fileName.slice(dot + 1).toLowerCase();
  return Object.hasOwn(types, ending) ? types[ending]! : "application/octet-stream";
}
