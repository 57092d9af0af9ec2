// Files and links that the system opens with Echotop, for the packager (macOS) and the installers (Linux, Windows).
import type { Configuration } from "electron-builder";
import { identity } from "../../shared/identity.ts";

export const linkProtocol = { name: `${identity.productName} view`, schemes: [identity.protocol] };

type FileAssociation = Extract<NonNullable<Configuration["fileAssociations"]>, { readonly ext: unknown }>;

const gribFile = {
  name: "MRMS GRIB2 file",
  description: "MRMS GRIB2 file",
  mimeType: "application/wmo-grib2",
  role: "Viewer",
};

const viewFile = {
  ext: "echotop-view",
  name: `${identity.productName} view`,
  description: `${identity.productName} view`,
  mimeType: "application/vnd.echotop.view+json",
  role: "Viewer",
};

/** Windows knows a file by its last ending only, and `.gz` belongs to others. */
export const windowsFiles: FileAssociation[] = [{ ...gribFile, ext: ["grib2", "grb2"] }, viewFile];

/** Linux matches whole names; electron-builder writes one pattern for each entry. */
export const linuxFiles: FileAssociation[] = [
  ...["grib2", "grb2", "grib2.gz", "grb2.gz"].map((ext) => ({ ...gribFile, ext })),
  viewFile,
];

/** Keys of the bundle's Info.plist; macOS, too, knows only the last ending. */
export const macDocumentTypes = {
  CFBundleDocumentTypes: windowsFiles.map(({ name, ext, role }) => ({
    CFBundleTypeName: name,
    CFBundleTypeExtensions: [ext].flat(),
    CFBundleTypeRole: role,
    LSHandlerRank: "Alternate",
  })),
};
