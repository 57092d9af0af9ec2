// `echotop token create|list|revoke`: the control plane's tokens. A running host honors each change at its next
// request.
import { Command, Option } from "@commander-js/extra-typings";
import { isAppError } from "../../shared/app-error.ts";
import { platformPermissions } from "../services/api/api-part.ts";
import type { PlatformTokens, PlatformTokensOptions } from "../services/api/platform-tokens.ts";
import type { DefineCommand, WorkContext } from "./command.ts";
import { dataOption, example, UsageError } from "./option-values.ts";
import { writeJsonLine, writeNote, writeProblem } from "./output.ts";

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
    .addOption(dataOption())
    .addHelpText("after", example("token create --permission artifacts:edit --expires-in 86400"))
    .action(({ data, permission, name, expiresIn: expiresInSeconds }) => {
      submit(async (context) => {
        try {
          const { id, plaintext, expiresAt } = await useTokens(data, "make", context, (tokens) =>
            tokens.create({ permission, name, expiresInSeconds }),
          );
          writeJsonLine({ id, plaintext, permission, expires_at: expiresAt });
          writeNote("The token is shown only now: copy it. Echotop stores its hash.");
          return 0;
        } catch (error) {
          if (isAppError(error, "invalid-input")) throw new UsageError(error.detail);
          throw error;
        }
      });
    });

const tokenList: DefineCommand = (submit) =>
  new Command("list")
    .summary("list tokens, oldest first, without their secrets")
    .description("Prints one JSON line for each token, oldest first, without its secret.")
    .addOption(dataOption())
    .addHelpText("after", example("token list"))
    .action(({ data }) => {
      submit(async (context) => {
        const list = await useTokens(data, "existing", context, (tokens) => tokens.list());
        for (const { createdAt, expiresAt, ...known } of list) {
          const { id, name, permission, state } = known;
          writeJsonLine({ id, name, permission, state, created_at: createdAt, expires_at: expiresAt });
        }
        return 0;
      });
    });

const tokenRevoke: DefineCommand = (submit) =>
  new Command("revoke")
    .summary("revoke a token")
    .description("Revokes a token. Prints one JSON line.")
    .argument("<id>", "id of the token")
    .addOption(dataOption())
    .addHelpText("after", example("token revoke 0a1b2c3d4e5f6789"))
    .action((id, { data }) => {
      submit(async (context) => {
        if (await useTokens(data, "existing", context, (tokens) => tokens.revoke(id))) {
          writeJsonLine({ id, state: "revoked" });
          return 0;
        }
        writeProblem(`There is no active token with the id "${id}".`);
        return 1;
      });
    });

async function useTokens<Result>(
  directory: string,
  file: PlatformTokensOptions["file"],
  { effects }: WorkContext,
  use: (tokens: PlatformTokens) => Result,
): Promise<Result> {
  const { openPlatformTokens } = await import("../services/api/platform-tokens.ts");
  const tokens = await openPlatformTokens({ directory, file, now: effects.now });
  try {
    return use(tokens);
  } finally {
    tokens.close();
  }
}

function parseSeconds(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new UsageError(`--expires-in takes a whole number of seconds, not "${text}".`);
}
