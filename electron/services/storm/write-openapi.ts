// `node electron/services/storm/write-openapi.ts`: writes the OpenAPI document to assets/openapi.json, for reading
// without a running service. A test fails if it is out of date.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { toOpenApiDocument } from "../../../shared/contract/openapi.ts";

const file = fileURLToPath(new URL("../../../assets/openapi.json", import.meta.url));

await mkdir(dirname(file), { recursive: true });
await writeFile(file, `${JSON.stringify(toOpenApiDocument(), null, 2)}\n`);
