// Creates a control-plane token with the command line.
import { runCommand } from "../../electron/support/host-process.ts";

export async function createPlatformToken(data: string, permission: string): Promise<string> {
  const { status, lines, stderr } = await runCommand([
    ...["token", "create", "--data", data, "--permission", permission],
  ]);
  if (status !== 0) throw new Error(`token create ended with ${String(status)}: ${stderr}`);
  return (lines[0] as { plaintext: string }).plaintext;
}
