// A process that looks at a file of repositories again and again, as a host does that starts: `look-again.ts FILE`.
import { checkVersion } from "../../sqlite/open-file.ts";
import { repositoriesKind } from "../database.ts";

process.send!("looking");
for (;;) checkVersion(process.argv[2]!, repositoriesKind);
