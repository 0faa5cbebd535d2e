import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { NntpServer } from "./nntp-server.js";
import { freePort, isInstalled, RunningProgram } from "./running-program.js";

export const hasSabnzbd = isInstalled("sabnzbdplus");

/** A real SABnzbd on loopback, with its own configuration in a folder of the test. */
export class SabnzbdProgram implements AsyncDisposable {
  readonly apiKey = "1234567890abcdef1234567890abcdef";

  private constructor(
    readonly url: string,
    /** Where finished downloads are, with a folder for each category. */
    readonly completeFolder: string,
    private readonly program: RunningProgram,
  ) {}

  static async start(folder: string, news: NntpServer): Promise<SabnzbdProgram> {
    const port = await freePort();
    const configuration = join(folder, "sabnzbd.ini");
    const complete = join(folder, "complete");
    await mkdir(complete, { recursive: true });
    const url = `http://127.0.0.1:${port}`;
    const isReady = async () => (await fetch(`${url}/api?mode=version&output=json`)).ok;
    const parameters = ["-f", configuration, "-s", `127.0.0.1:${port}`, "-b", "0", "--console", "-l", "0"];
    const program = new RunningProgram("sabnzbdplus", parameters, isReady);
    const sabnzbd = new SabnzbdProgram(url, complete, program);
    await writeFile(configuration, sabnzbd.#configuration(folder, { port, news }));
    await program.start();
    return sabnzbd;
  }

  /** Asks SABnzbd itself, past Longbox. */
  async call(parameters: Readonly<Record<string, string>>): Promise<any> {
    const query = new URLSearchParams({ output: "json", apikey: this.apiKey, ...parameters });
    return (await fetch(`${this.url}/api?${query.toString()}`)).json();
  }

  /** Ends it, and starts it again on the same folders. */
  async restart(): Promise<void> {
    await this.program.stop();
    await this.program.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program.kill();
  }

  #configuration(folder: string, { port, news }: { readonly port: number; readonly news: NntpServer }): string {
    const lines = (options: Readonly<Record<string, string | number>>) =>
      Object.entries(options).map(([name, value]) => `${name} = ${value}`);
    return [
      "__version__ = 19",
      "[misc]",
      ...lines({
        api_key: this.apiKey,
        nzb_key: "fedcba0987654321fedcba0987654321",
        host: "127.0.0.1",
        port,
        download_dir: join(folder, "incomplete"),
        complete_dir: this.completeFolder,
        admin_dir: join(folder, "admin"),
        log_dir: join(folder, "logs"),
        auto_browser: 0,
        check_new_rel: 0,
        enable_https: 0,
        ipv6_hosting: 0,
      }),
      "[servers]",
      "[[test]]",
      ...lines({
        name: "test",
        host: "127.0.0.1",
        port: news.port,
        username: news.username,
        password: news.password,
        connections: 2,
        ssl: 0,
        enable: 1,
      }),
      "[categories]",
      "[[*]]",
      ...lines({ name: "*", priority: 0, pp: 3, dir: '""' }),
      "[[comics]]",
      ...lines({ name: "comics", priority: -100, pp: '""', dir: "comics" }),
      "",
    ].join("\n");
  }
}
