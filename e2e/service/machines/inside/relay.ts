// Runs on the network of a site: passes connections to its address on to a Unix socket of this computer.
import { connect, createServer } from "node:net";

const [address, port, path] = process.argv.slice(2) as [string, string, string];

createServer((client) => {
  const target = connect(path);
  client.pipe(target).pipe(client);
  client.on("error", () => target.destroy());
  target.on("error", () => client.destroy());
}).listen(Number(port), address, () => process.send!("ready"));
process.once("disconnect", () => process.exit());
