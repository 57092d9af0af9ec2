// Finds the password of a database as libpq does: PGPASSWORD, else the pgpass file.
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { DatabaseAddress, DatabaseHost } from "./database-url.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns undefined if there is none. Ignores a file that others may read. */
export async function findPassword(
  { host, port }: DatabaseHost,
  { database, user }: Pick<DatabaseAddress, "database" | "user">,
  environment: Environment = process.env,
): Promise<string | undefined> {
  if (environment.PGPASSWORD !== undefined) return environment.PGPASSWORD;
  const text = await readPrivately(environment.PGPASSFILE ?? join(homedir(), ".pgpass"));
  const wanted = [host.startsWith("/") ? "localhost" : host, String(port), database, user];
  return text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .map(splitLine)
    .find(
      (fields) =>
        fields.length === 5 && wanted.every((part, at) => fields[at] === "*" || fields[at] === part),
    )
    ?.at(-1);
}

/** Splits at colons; a backslash before a colon or a backslash makes it part of the field. */
function splitLine(line: string): string[] {
  const fields = line.replace(/\r$/, "").match(/(?:\\.|[^:\\])*(?::|$)/g) ?? [];
  return fields.slice(0, 5).map((field) => field.replace(/:$/, "").replaceAll(/\\(.)/g, "$1"));
}

async function readPrivately(file: string): Promise<string> {
  try {
    const facts = await stat(file);
    const isPrivate = process.platform === "win32" || (facts.mode & 0o077) === 0;
    return facts.isFile() && isPrivate ? await readFile(file, "utf8") : "";
  } catch {
    return "";
  }
}
