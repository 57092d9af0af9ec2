// The Content-Security-Policy of the viewer's files: everything from its own origin, plus images that it makes itself.
// Data answers have a stricter one (`electron/services/http/answer.ts`).

export const viewerPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
