// A process that checks a repositories file repeatedly, as a starting host does: `look-again.ts FILE`.
import { checkVersion } from "../../../platform/sqlite/open-sqlite-file.ts";
import { repositoriesKind } from "../hosting-database.ts";

process.send!("looking");
for (;;) checkVersion(process.argv[2]!, repositoriesKind);
