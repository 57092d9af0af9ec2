// Names, ids and colors of the application, for the window, the packager and the installers.

export const identity = {
  productName: "Echotop",
  /** Name of the executable and the Debian package. */
  executableName: "echotop",
  /** Bundle id on macOS, application user model id on Windows, desktop entry id on Linux. */
  appId: "org.echotop.Echotop",
  /** Scheme of links to views. */
  protocol: "echotop",
  description: "Desktop MRMS storm viewer",
  copyright: "Copyright © 2026 The Echotop authors",
  // A Debian package needs a home page and a maintainer; `.invalid` is a reserved domain.
  homepage: "https://echotop.invalid/",
  maintainer: "The Echotop authors <authors@echotop.invalid>",
  macCategory: "public.app-category.weather",
  linuxCategory: "Science",
  /** Color of the window before the first paint; also the viewer's background. */
  backgroundColor: "#0a0e13",
} as const;
