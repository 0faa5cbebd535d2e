/** Reads and writes without a pause at some servers, and notes what failed. */
export class Load {
  readonly failures: string[] = [];
  /** The numbers whose writing was acknowledged. */
  readonly written: number[] = [];
  /** How many reads were answered by each version. */
  readonly versions = new Map<string, number>();
  readonly #headers: Record<string, string>;
  #isOver = false;
  #number = 0;
  readonly #running: Promise<void>[];

  /** @param servers - for each of them two loops run, one that reads and one that writes */
  constructor(servers: readonly string[], headers: Record<string, string>) {
    this.#headers = headers;
    this.#running = servers.flatMap((url) => [this.#loop(() => this.#read(url)), this.#loop(() => this.#write(url))]);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  async #loop(turn: () => Promise<void>): Promise<void> {
    while (!this.#isOver) await turn().catch((fault: Error) => this.failures.push(String(fault.cause ?? fault)));
  }

  async #read(url: string): Promise<void> {
    const answer = await this.#ask("GET", `${url}/api/counted`);
    if (answer === undefined) return;
    const { version } = answer as { version: string };
    this.versions.set(version, (this.versions.get(version) ?? 0) + 1);
  }

  async #write(url: string): Promise<void> {
    const number = ++this.#number;
    if (await this.#ask("PUT", `${url}/api/counted/${number}`)) this.written.push(number);
  }

  async #ask(method: string, url: string): Promise<unknown> {
    const answer = await fetch(url, { method, headers: this.#headers });
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text);
    this.failures.push(`${method} ${url}: ${answer.status} ${text}`);
    return undefined;
  }
}
