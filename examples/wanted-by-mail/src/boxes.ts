import { hash, timingSafeEqual } from "node:crypto";
import type { CredentialScheme, KernelUsers, PluginSettings, UserSummary } from "@longbox/sdk";
import type { Box, MailSettings } from "./settings.js";

const shortestSecret = 16;

/** The mail boxes that an admin has set up. */
export class Boxes {
  constructor(
    private readonly settings: PluginSettings<MailSettings>,
    private readonly users: KernelUsers,
  ) {}

  /** How a mail server proves which box it posts for. The account behind the request is that of the box's user. */
  readonly scheme: CredentialScheme = {
    id: "mail-box",
    secretHeaders: ["x-box-secret"],
    identify: async ({ header }) => {
      const box = this.find(header("x-box-secret"));
      return box && (await this.#userOf(box))?.id;
    },
  };

  find(secret: string | undefined): Box | undefined {
    if (secret === undefined || secret.length < shortestSecret) return undefined;
    return this.settings.current.boxes.find((box) => isSame(box.secret, secret));
  }

  /** What is wrong with a box; undefined when files can arrive in it. */
  async problemOf(box: Box): Promise<string | undefined> {
    if (box.secret.length < shortestSecret) return `The secret has fewer than ${shortestSecret} characters.`;
    if (!(await this.#userOf(box))) return `No active user "${box.user}" may manage the library.`;
    return undefined;
  }

  /** Asked for each time, since what a user may do can change at any time. */
  async #userOf({ user }: Box): Promise<UserSummary | undefined> {
    const managers = await this.users.listWithPermission("library.manage");
    return managers.find(({ username }) => username.toLowerCase() === user.toLowerCase());
  }
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hash("sha256", one, "buffer"), hash("sha256", other, "buffer"));
}
