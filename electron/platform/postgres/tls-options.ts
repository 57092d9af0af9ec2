// TLS of a connection to PostgreSQL, as `sslmode` means it in libpq.
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { ConnectionOptions } from "node:tls";
import { AppError } from "../../../shared/app-error.ts";
import type { DatabaseAddress } from "./database-url.ts";

/** Returns false for a connection without TLS. @throws AppError `invalid-input` if there is nothing to verify with */
export async function findTlsOptions({
  sslMode,
  sslRootCertificate,
}: Pick<DatabaseAddress, "sslMode" | "sslRootCertificate">): Promise<false | ConnectionOptions> {
  if (sslMode === "disable") return false;
  const roots = sslRootCertificate === "system" ? "system" : await findRoots(sslRootCertificate);
  if (roots === undefined) {
    if (sslMode === "require") return { rejectUnauthorized: false };
    throw new AppError(
      "invalid-input",
      `The sslmode ${sslMode} of \`catalog.url\` needs trusted certificates: add sslrootcert=FILE or sslrootcert=system.`,
    );
  }
  const trusted = roots === "system" ? {} : { ca: roots };
  // With trusted certificates, `require` verifies them too.
  return sslMode === "verify-full" || roots === "system"
    ? trusted
    : { ...trusted, checkServerIdentity: () => undefined };
}

async function findRoots(file: string | undefined): Promise<Buffer | undefined> {
  try {
    return await readFile(file ?? join(homedir(), ".postgresql", "root.crt"));
  } catch (cause) {
    if (file === undefined) return undefined;
    throw new AppError("invalid-input", "The sslrootcert of `catalog.url` cannot be read.", { cause });
  }
}
