import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { NntpServer } from "./nntp-server.js";
import { freePort, isInstalled, RunningProgram } from "./running-program.js";

export const hasNzbget = isInstalled("nzbget");

/** A real NZBGet on loopback, with its own configuration in a folder of the test. */
export class NzbgetProgram implements AsyncDisposable {
  readonly username = "nzbget-user";
  readonly password = "nzbget-password-0123456789";

  private constructor(
    readonly url: string,
    /** Where finished downloads are, with a folder for each category. */
    readonly completeFolder: string,
    private readonly program: RunningProgram,
  ) {}

  static async start(folder: string, news: NntpServer): Promise<NzbgetProgram> {
    const port = await freePort();
    const configuration = join(folder, "nzbget.conf");
    const complete = join(folder, "complete");
    await mkdir(complete, { recursive: true });
    const url = `http://127.0.0.1:${port}`;
    const isReady = async () => (await fetch(`${url}/`)).status === 401;
    const program = new RunningProgram("nzbget", ["-s", "-c", configuration], isReady);
    const nzbget = new NzbgetProgram(url, complete, program);
    await writeFile(configuration, nzbget.#configuration(folder, { port, news }));
    await program.start();
    return nzbget;
  }

  /** Asks NZBGet itself, past Longbox. */
  async call(method: string, ...params: readonly unknown[]): Promise<any> {
    const authorization = `Basic ${Buffer.from(`${this.username}:${this.password}`).toString("base64")}`;
    const body = JSON.stringify({ method, params, id: 1 });
    const answer = await fetch(`${this.url}/jsonrpc`, { method: "POST", body, headers: { authorization } });
    return ((await answer.json()) as { result: unknown }).result;
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
    const options = {
      MainDir: folder,
      DestDir: this.completeFolder,
      InterDir: join(folder, "inter"),
      NzbDir: join(folder, "nzb"),
      QueueDir: join(folder, "queue"),
      TempDir: join(folder, "tmp"),
      LockFile: join(folder, "nzbget.lock"),
      LogFile: join(folder, "nzbget.log"),
      WebDir: "",
      ControlIP: "127.0.0.1",
      ControlPort: port,
      ControlUsername: this.username,
      ControlPassword: this.password,
      "Server1.Active": "yes",
      "Server1.Host": "127.0.0.1",
      "Server1.Port": news.port,
      "Server1.Username": news.username,
      "Server1.Password": news.password,
      "Server1.Encryption": "no",
      "Server1.Connections": 2,
      "Category1.Name": "comics",
      OutputMode: "log",
      DiskSpace: 0,
      ArticleInterval: 1,
      ArticleRetries: 0,
      HealthCheck: "none",
    };
    return Object.entries(options)
      .map(([name, value]) => `${name}=${value}\n`)
      .join("");
  }
}
