import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const program = ["/usr/sbin/nginx", "/usr/bin/nginx"].find((path) => existsSync(path));

export interface Nginx extends AsyncDisposable {
  readonly url: string;
}

/** Serves a folder by nginx on a free port of loopback; undefined where there is no nginx. */
export async function startNginx(folder: string): Promise<Nginx | undefined> {
  if (program === undefined) return undefined;
  const home = await mkdtemp(join(tmpdir(), "longbox-bench-nginx-"));
  await mkdir(join(home, "logs"));
  const port = await freePort();
  const scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${home}/${name};`)
    .join(" ");
  await writeFile(
    join(home, "nginx.conf"),
    `daemon off; master_process off; worker_processes 1; pid ${home}/nginx.pid; error_log ${home}/logs/error.log;
events { worker_connections 256; }
http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; ${scratch} types { image/jpeg jpg; } server { listen 127.0.0.1:${port}; root ${folder}; } }`,
  );
  const child = spawn(program, ["-p", home, "-c", join(home, "nginx.conf")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  await untilAnswering(url);
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function untilAnswering(url: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const answers = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answers) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("nginx does not answer.");
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
