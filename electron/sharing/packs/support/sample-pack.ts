// Repositories in the form of event packs, for tests of transfers: each revision adds an entry to folders and a frame
// that cannot be compressed. The content of the files does not matter.
import { createHash } from "node:crypto";
import { git, makeRepository } from "./git-service.ts";

export interface SamplePack {
  readonly gitdir: string;
  /** Adds revisions up to this sequence; existing ones stay. */
  readonly revisions: number;
  readonly from?: number;
  readonly frameBytes?: number;
  readonly tags?: boolean;
}

/** Creates equal commits for equal samples. Returns the commit of `main`. */
export function writeSamplePack({
  gitdir,
  revisions,
  from = 1,
  frameBytes = 3000,
  tags = true,
}: SamplePack): string {
  if (from === 1) makeRepository(gitdir);
  const pieces: Buffer[] = [];
  const say = (text: string): void => {
    pieces.push(Buffer.from(text));
  };
  for (let sequence = from; sequence <= revisions; sequence++) {
    say("commit refs/heads/main\n");
    say(`committer Echotop <echotop@localhost> ${1_700_000_000 + sequence * 120} +0000\n`);
    say(`data 11\nRevision ${String(sequence % 100).padStart(2, "0")}\n`);
    if (sequence === from && from > 1) say("from refs/heads/main^0\n");
    const file = (path: string, bytes: Buffer): void => {
      say(`M 100644 inline ${path}\ndata ${bytes.length}\n`);
      pieces.push(bytes);
      say("\n");
    };
    const name = createHash("sha1").update(String(sequence)).digest("hex");
    file("pack.json", Buffer.from(JSON.stringify({ sequence })));
    file(`revisions/r-${name}/manifest.json`, Buffer.from(JSON.stringify({ sequence, name })));
    file(`sources/r-${name}.json`, Buffer.from(JSON.stringify({ name, sequence })));
    for (const product of ["mrms-mesh", "mrms-reflectivity"]) {
      const bytes = noise(`${product} ${sequence}`, frameBytes);
      file(`frames/${product}/${createHash("sha256").update(bytes).digest("hex")}.png`, bytes);
    }
    if (tags) say(`reset refs/tags/rev/${sequence}\nfrom refs/heads/main\n\n`);
  }
  git(gitdir, ["fast-import", "--quiet"], Buffer.concat(pieces));
  return git(gitdir, ["rev-parse", "refs/heads/main"]);
}

/** Returns bytes that cannot be compressed, always the same for a seed. */
export function noise(seed: string, byteLength: number): Buffer {
  const bytes = Buffer.alloc(byteLength);
  for (let at = 0, block = 0; at < byteLength; at += 64, block++) {
    createHash("sha512").update(`${seed} ${block}`).digest().copy(bytes, at);
  }
  return bytes;
}
