// The real proxies, started with the configurations of kernel/proxies. Only what is of the machine is replaced: ports,
// the address of Longbox, and where certificates are.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { promisify } from "node:util";

export const publicName = "books.example.org";
const configurations = join(import.meta.dirname, "../../kernel/proxies");
const programPaths = (name: string) => ["/usr/sbin", "/usr/bin"].map((folder) => join(folder, name));
export const nginxProgram = programPaths("nginx").find((path) => existsSync(path));
export const caddyProgram = programPaths("caddy").find((path) => existsSync(path));

/** A proxy that speaks TLS for `books.example.org` on a port of loopback. */
export interface RunningProxy extends AsyncDisposable {
  readonly port: number;
  /** The certificate to trust. */
  readonly ca: string;
}

/** @param changes - What is replaced in the configuration besides, by what */
export type StartProxy = (longbox: string, changes?: Readonly<Record<string, string>>) => Promise<RunningProxy>;

export const startNginx: StartProxy = async (longbox, changes = {}) => {
  const home = await mkdtemp(join(tmpdir(), "longbox-nginx-"));
  const [port, plainPort] = await freePorts();
  const key = join(home, "privkey.pem");
  const certificate = join(home, "fullchain.pem");
  const subject = ["-subj", `/CN=${publicName}`, "-addext", `subjectAltName=DNS:${publicName}`];
  const making = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  await promisify(execFile)("openssl", [...making, ...subject, "-keyout", key, "-out", certificate]);
  const site = replaceEach(await readFile(join(configurations, "nginx.conf"), "utf8"), {
    "listen 80;": `listen 127.0.0.1:${plainPort};`,
    "listen 443 ": `listen 127.0.0.1:${port} `,
    "/etc/ssl/books.example.org": home,
    ...changes,
    "127.0.0.1:8787": new URL(longbox).host,
  });
  await mkdir(join(home, "logs"));
  const scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${home}/${name};`)
    .join(" ");
  const frame = `daemon off; master_process off; pid ${home}/nginx.pid; error_log stderr warn;
events { worker_connections 256; }
http { access_log off; ${scratch}
${site}
}`;
  const file = join(home, "nginx.conf");
  await writeFile(file, frame);
  const ca = await readFile(certificate, "utf8");
  return running({ program: nginxProgram!, args: ["-p", home, "-c", file], home, port, ca: async () => ca });
};

/** Caddy makes certificates of its own instead of asking Let's Encrypt. */
export const startCaddy: StartProxy = async (longbox, changes = {}) => {
  const home = await mkdtemp(join(tmpdir(), "longbox-caddy-"));
  const [port, plainPort] = await freePorts();
  const site = replaceEach(await readFile(join(configurations, "Caddyfile"), "utf8"), {
    ...changes,
    "127.0.0.1:8787": new URL(longbox).host,
  });
  const machine = `{
  admin off
  default_bind 127.0.0.1
  https_port ${port}
  http_port ${plainPort}
  auto_https disable_redirects
  local_certs
  skip_install_trust
  grace_period 1s
  storage file_system ${home}/storage
}
`;
  const file = join(home, "Caddyfile");
  await writeFile(file, machine + site);
  const args = ["run", "--config", file, "--adapter", "caddyfile"];
  const ca = () => readFile(join(home, "storage/pki/authorities/local/root.crt"), "utf8");
  return running({ program: caddyProgram!, args, home, port, ca });
};

interface Program {
  readonly program: string;
  readonly args: readonly string[];
  /** Removed at the end. */
  readonly home: string;
  readonly port: number;
  readonly ca: () => Promise<string>;
}

/** Starts it, and waits until it speaks TLS with the right certificate. */
async function running({ program, args, home, port, ca }: Program): Promise<RunningProxy> {
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home };
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"], env });
  const ended = once(child, "exit");
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-10_000)));
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
    await rm(home, { recursive: true, force: true });
  };
  for (const deadline = Date.now() + 30_000; Date.now() < deadline && child.exitCode === null;) {
    const trusted = await ca().catch(() => undefined);
    if (trusted !== undefined && (await speaksTls(port, trusted)))
      return { port, ca: trusted, [Symbol.asyncDispose]: stop };
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  await stop();
  throw new Error(`${program} does not answer: ${said}`);
}

function speaksTls(port: number, ca: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, ca, servername: publicName });
    socket.once("secureConnect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("secureConnect", () => socket.destroy());
  });
}

/** @throws {Error} when a text to replace is not there: then the configuration was changed, and the test must follow */
function replaceEach(text: string, replacements: Record<string, string>): string {
  return Object.entries(replacements).reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`The configuration does not contain "${from}".`);
    return changed.replaceAll(from, to);
  }, text);
}

/** Two ports that were free a moment ago. */
async function freePorts(): Promise<[number, number]> {
  const servers = [createServer().listen(0, "127.0.0.1"), createServer().listen(0, "127.0.0.1")];
  const ports = await Promise.all(
    servers.map(async (server) => {
      await once(server, "listening");
      return (server.address() as AddressInfo).port;
    }),
  );
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports as [number, number];
}
