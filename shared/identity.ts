// Who this application is: the names, ids and colors that the window, the packager and the installers must agree on.

export const identity = {
  productName: "Echotop",
  /** The executable's and the Debian package's name. */
  executableName: "echotop",
  /** Bundle id on macOS, application user model id on Windows, desktop entry id on Linux. */
  appId: "org.echotop.Echotop",
  description: "Desktop MRMS storm viewer",
  copyright: "Copyright © 2026 The Echotop authors",
  // A Debian package must name a home page and a person to write to; `.invalid` is reserved for what nobody has.
  homepage: "https://echotop.invalid/",
  maintainer: "The Echotop authors <authors@echotop.invalid>",
  macCategory: "public.app-category.weather",
  linuxCategory: "Science",
  /** What the window shows before the first paint; also the viewer's own background. */
  backgroundColor: "#0a0e13",
} as const;
