// A process that looks at a file of repositories again and again, as a host does that starts: `look-again.ts FILE`.
import { checkVersion } from "../../../platform/sqlite/open-sqlite-file.ts";
import { repositoriesKind } from "../hosting-database.ts";

process.send!("looking");
for (;;) checkVersion(process.argv[2]!, repositoriesKind);
