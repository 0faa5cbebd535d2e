// The program of Verdaccio's own process, which brings express and 130 MB with it.
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { runServer } from "verdaccio";
import { verdaccioConfiguration, type VerdaccioSettings } from "./verdaccio-configuration.js";

const settings = JSON.parse(process.argv[2] ?? "") as VerdaccioSettings;
// The types of Verdaccio want the whole configuration, of which it fills in most itself.
const server = (await runServer(verdaccioConfiguration(settings) as never)) as Server;
server.listen(0, "127.0.0.1");
await once(server, "listening");

const stop = () => process.exit(0); // Verdaccio writes packages atomically, so there is nothing to wait for.
process.on("disconnect", stop);
process.on("SIGTERM", stop);
// Ctrl-C in a terminal reaches every process; this one stops when its parent does.
process.on("SIGINT", () => {});
process.send?.({ port: (server.address() as AddressInfo).port });
