// `echotop token create|list|revoke`: the control plane's tokens, of a data directory or a service. Running hosts honor
// each change at their next request.
import { Command, Option } from "@commander-js/extra-typings";
import { isAppError } from "../../shared/app-error.ts";
import { platformPermissions } from "../services/api/api-part.ts";
import type { PlatformTokensOptions } from "../services/api/platform-tokens.ts";
import type { TokenStore } from "../services/api/token-rules.ts";
import type { DefineCommand } from "./command.ts";
import { example, UsageError } from "./option-values.ts";
import { writeJsonLine, writeNote, writeProblem } from "./output.ts";
import { configOption, onStores, storesOption, type StoresContext } from "./stores-option.ts";

export const token: DefineCommand = (submit) =>
  new Command("token")
    .summary("manage tokens of the control plane")
    .description("Creates, lists or revokes the tokens of the control plane. Prints JSON lines.")
    .usage("<command> [options]")
    .addHelpText("after", example("token list", "help token create"))
    .addCommand(tokenCreate(submit))
    .addCommand(tokenList(submit))
    .addCommand(tokenRevoke(submit));

const tokenCreate: DefineCommand = (submit) =>
  new Command("create")
    .summary("create a token, which is shown once")
    .description("Creates a token and prints it in one JSON line. It is not shown again.")
    .addOption(
      new Option("--permission <permission>", "what the token may do")
        .choices(platformPermissions)
        .makeOptionMandatory(),
    )
    .option("--name <text>", "name for people, 1 to 100 characters (default: none)")
    .addOption(
      new Option("--expires-in <seconds>", "lifetime in seconds (default: no end)").argParser(parseSeconds),
    )
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText("after", example("token create --permission artifacts:edit --expires-in 86400"))
    .action(({ data, config, permission, name, expiresIn: expiresInSeconds }) => {
      submit(
        onStores({ data, config }, async (context) => {
          const { id, plaintext, expiresAt } = await useTokens("make", context, async (tokens) => {
            try {
              return await tokens.create({ permission, name, expiresInSeconds });
            } catch (error) {
              if (isAppError(error, "invalid-input")) throw new UsageError(error.detail);
              throw error;
            }
          });
          writeJsonLine({ id, plaintext, permission, expires_at: expiresAt });
          writeNote("The token is shown only now: copy it. Echotop stores its hash.");
          return 0;
        }),
      );
    });

const tokenList: DefineCommand = (submit) =>
  new Command("list")
    .summary("list tokens, oldest first, without their secrets")
    .description("Prints one JSON line for each token, oldest first, without its secret.")
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText("after", example("token list"))
    .action((options) => {
      submit(
        onStores(options, async (context) => {
          const list = await useTokens("existing", context, (tokens) => tokens.list());
          for (const { createdAt, expiresAt, ...known } of list) {
            const { id, name, permission, state } = known;
            writeJsonLine({ id, name, permission, state, created_at: createdAt, expires_at: expiresAt });
          }
          return 0;
        }),
      );
    });

const tokenRevoke: DefineCommand = (submit) =>
  new Command("revoke")
    .summary("revoke a token")
    .description("Revokes a token. Prints one JSON line.")
    .argument("<id>", "id of the token")
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText("after", example("token revoke 0a1b2c3d4e5f6789"))
    .action((id, options) => {
      submit(
        onStores(options, async (context) => {
          if (await useTokens("existing", context, (tokens) => tokens.revoke(id))) {
            writeJsonLine({ id, state: "revoked" });
            return 0;
          }
          writeProblem(`There is no active token with the id "${id}".`);
          return 1;
        }),
      );
    });

async function useTokens<Result>(
  file: PlatformTokensOptions["file"],
  context: StoresContext,
  use: (tokens: TokenStore) => Result | Promise<Result>,
): Promise<Result> {
  const { tokens, close } = await openTokens(file, context);
  try {
    return await use(tokens);
  } finally {
    await close();
  }
}

interface OpenTokens {
  readonly tokens: TokenStore;
  readonly close: () => Promise<void> | void;
}

async function openTokens(
  file: PlatformTokensOptions["file"],
  { location, effects }: StoresContext,
): Promise<OpenTokens> {
  if (location.kind === "service") {
    const { openServiceDatabase } = await import("../catalog/stores/service-stores.ts");
    const { createServiceTokens } = await import("../services/api/service-tokens.ts");
    const database = await openServiceDatabase(location.catalogUrl, { connections: 1 });
    return { tokens: createServiceTokens(database), close: () => database.close() };
  }
  const { openPlatformTokens } = await import("../services/api/platform-tokens.ts");
  const { directory } = location;
  const tokens = await openPlatformTokens({ directory, file, now: effects.now });
  return {
    tokens,
    close: () => {
      tokens.close();
    },
  };
}

function parseSeconds(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new UsageError(`--expires-in takes a whole number of seconds, not "${text}".`);
}
