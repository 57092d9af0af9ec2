// Reads what the tests need of a systemd unit.
import { existsSync, readFileSync } from "node:fs";

export interface Unit {
  /** `echotop@reader` */
  readonly name: string;
  /** Values of a key of `[Service]`, in the file's order. */
  readonly all: (key: string) => readonly string[];
  readonly last: (key: string) => string | undefined;
  /** Variables of `Environment` and `EnvironmentFile`. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Reads a unit by its name, with or without `.service`. @throws Error if there is none */
export function readUnit(given: string): Unit {
  const name = given.replace(/\.service$/, "");
  const [, base = "", instance] = /^([^@]+@?)(.*)$/.exec(name)!;
  const path = ["/etc/systemd/system", "/lib/systemd/system"]
    .map((folder) => `${folder}/${base}.service`)
    .find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`Unit ${name}.service not found.`);
  const section = /^\[Service\]$([^]*?)(?=^\[|(?![^]))/m.exec(readFileSync(path, "utf8"))?.[1] ?? "";
  const values = [...section.matchAll(/^([A-Za-z]+)=(.*)$/gm)].map(([, key, value]) => ({
    key,
    value: value!.replaceAll("%i", instance!).replaceAll("%I", instance!.replaceAll("-", "/")),
  }));
  const all = (key: string): string[] =>
    values.filter((entry) => entry.key === key).map(({ value }) => value);
  const environment = Object.fromEntries([
    ...all("Environment").flatMap((line) => [...line.matchAll(/"([^"=]+)=([^"]*)"/g)].map(toPair)),
    ...all("EnvironmentFile").flatMap((line) => readVariables(line.replace(/^-/, ""))),
  ]);
  return { name, all, last: (key) => all(key).at(-1), environment };
}

/** Splits a command at spaces and replaces its variables: `$NAME` by several words, `${NAME}` by one. */
export function toCommand(line: string, variables: Readonly<Record<string, string>>): string[] {
  return line
    .replace(/^-/, "")
    .split(/\s+/)
    .flatMap((word) => {
      const whole = /^\$(\w+)$/.exec(word)?.[1];
      if (whole !== undefined) return (variables[whole] ?? "").split(/\s+/).filter((part) => part !== "");
      return word.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => variables[name] ?? "");
    });
}

function readVariables(path: string): [string, string][] {
  if (!existsSync(path)) return [];
  return [...readFileSync(path, "utf8").matchAll(/^(\w+)=(.*)$/gm)].map(toPair);
}

function toPair([, name, value]: RegExpMatchArray): [string, string] {
  return [name!, value!];
}
