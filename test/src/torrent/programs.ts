import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { pbkdf2Sync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A torrent client that runs for a test, on loopback, with nothing of the machine's own settings. */
export interface RunningClient extends AsyncDisposable {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Where it saves. */
  readonly folder: string;
  /** Ends it at once, without a chance to store anything, and starts it again; `meanwhile` is called in between. */
  killAndRestart(meanwhile: () => void): Promise<void>;
}

const patienceMs = 60_000;

/** Whether a program is there to be started. */
export function isInstalled(program: string): boolean {
  try {
    execFileSync("/bin/sh", ["-c", `command -v ${program}`], { stdio: "ignore" });
    return true;
  } catch {
    // `command -v` ends with a failure where there is none.
    return false;
  }
}

export async function startQbittorrent(password: string): Promise<RunningClient> {
  const home = await mkdtemp(join(tmpdir(), "longbox-qbittorrent-"));
  const [port, peerPort] = [await freePort(), await freePort()];
  const folder = join(home, "downloads");
  await mkdir(join(home, "qBittorrent", "config"), { recursive: true });
  await mkdir(folder);
  await writeFile(
    join(home, "qBittorrent", "config", "qBittorrent.conf"),
    qbittorrentSettings({ port, peerPort, folder, password }),
  );
  const start = () => spawn("qbittorrent-nox", [`--profile=${home}`], { stdio: "ignore", env: environment(home) });
  return running(start, { url: `http://127.0.0.1:${port}`, username: "admin", password, folder, home });
}

export async function startTransmission(password: string): Promise<RunningClient> {
  const home = await mkdtemp(join(tmpdir(), "longbox-transmission-"));
  const [port, peerPort] = [await freePort(), await freePort()];
  const folder = join(home, "downloads");
  await mkdir(folder);
  const options = ["-f", "-g", home, "-w", folder, "-p", String(port), "-r", "127.0.0.1", "-a", "127.0.0.1"];
  const access = ["-t", "-u", "admin", "-v", password];
  const peers = ["-P", String(peerPort), "--bind-address-ipv4", "127.0.0.1", "--no-dht", "--no-lpd", "--no-portmap"];
  const all = [...options, ...access, ...peers, "--no-utp"];
  const start = () => spawn("transmission-daemon", all, { stdio: "ignore", env: environment(home) });
  return running(start, { url: `http://127.0.0.1:${port}`, username: "admin", password, folder, home });
}

const environment = (home: string) => ({ PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8" });

type Started = Omit<RunningClient, "killAndRestart" | keyof AsyncDisposable> & { readonly home: string };

async function running(start: () => ChildProcess, { home, ...client }: Started): Promise<RunningClient> {
  let child = start();
  const stop = async () => {
    await end(child);
    await rm(home, { recursive: true, force: true });
  };
  try {
    await answering(client.url, child);
  } catch (fault) {
    await stop();
    throw fault;
  }
  return {
    ...client,
    async killAndRestart(meanwhile) {
      const closed = once(child, "close");
      child.kill("SIGKILL");
      await closed;
      meanwhile();
      child = start();
      await answering(client.url, child);
    },
    [Symbol.asyncDispose]: stop,
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  // It would tell its trackers that it ends; nothing of what it keeps is looked at again.
  child.kill("SIGKILL");
  await closed;
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (child.exitCode === null) {
    const [answer] = await Promise.allSettled([fetch(url, { redirect: "manual" })]);
    if (answer.status === "fulfilled") return void (await answer.value.body?.cancel());
    if (Date.now() > deadline) throw new Error(`${url} does not answer.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${child.spawnfile} ended with ${child.exitCode}.`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface QbittorrentPlan {
  readonly port: number;
  readonly peerPort: number;
  readonly folder: string;
  readonly password: string;
}

function qbittorrentSettings({ port, peerPort, folder, password }: QbittorrentPlan): string {
  const salt = randomBytes(16);
  const digest = pbkdf2Sync(password, salt, 100_000, 64, "sha512");
  return `[LegalNotice]
Accepted=true
[BitTorrent]
Session\\DHTEnabled=false
Session\\PeXEnabled=false
Session\\LSDEnabled=false
Session\\BTProtocol=TCP
Session\\Port=${peerPort}
Session\\Interface=lo
Session\\InterfaceName=lo
Session\\InterfaceAddress=127.0.0.1
Session\\DefaultSavePath=${folder}
[Preferences]
WebUI\\Address=127.0.0.1
WebUI\\Port=${port}
WebUI\\LocalHostAuth=true
WebUI\\UseUPnP=false
WebUI\\Username=admin
WebUI\\Password_PBKDF2="@ByteArray(${salt.toString("base64")}:${digest.toString("base64")})"
`;
}
