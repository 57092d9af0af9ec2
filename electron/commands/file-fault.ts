// The reason why a file that a person named cannot be read, in words.
import { messageOf } from "../../shared/app-error.ts";

const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "you may not read it",
  EPERM: "you may not read it",
};

export function toFileFault(error: unknown): string {
  return fileFaults[(error as NodeJS.ErrnoException).code ?? ""] ?? messageOf(error);
}
