import { z } from "zod";
import { readAllowedPlaces } from "../outgoing/allowed-places.js";
import { token } from "../injection.js";
import type { PluginSettings } from "@longbox/sdk";

/** The kernel's own group of settings, `server`. */
export const serverSettings = z
  .object({
    registration: z.boolean().default(false).meta({
      title: "Open registration",
      description: "Anyone who can reach this server can create a viewer account.",
    }),
    passwordLogin: z.boolean().default(true).meta({
      title: "Sign in with a password",
      description:
        "When disabled, users sign in only through an external provider. It has no effect while there is none.",
    }),
    externalAccounts: z.boolean().default(true).meta({
      title: "External accounts",
      description: "Users of an external sign-in provider get an account at the first visit.",
    }),
    outgoingAllowed: z
      .string()
      .max(2_000)
      .default("")
      .refine((list) => typeof readAllowedPlaces(list) !== "string", "must list host names, addresses or networks")
      .meta({
        advanced: true,
        title: "Allowed addresses in the local network",
        description:
          "Hosts, addresses or networks inside this network that may be fetched from when their address comes from outside, such as a cover's: covers.lan, 192.168.1.0/24. Servers that you enter yourself need no entry.",
      }),
    pluginSignatures: z.boolean().default(false).meta({
      advanced: true,
      title: "Only signed plugins",
      description:
        "Plugins of other publishers are only installed when their registry has signed them. Longbox's own plugins come from this server's registry and need no signature.",
    }),
    pluginProvenance: z.boolean().default(false).meta({
      title: "Only plugins of proven origin",
      description:
        "Plugins of other publishers are only installed when a signed statement says from which source they were built. Few registries keep such statements.",
      advanced: true,
    }),
    isolatedGuests: z.boolean().default(true).meta({
      advanced: true,
      title: "Isolate plugins of other publishers",
      description:
        "Each runs in a process of its own, without access to the server's files. It applies from the next start of a plugin, unless something else was chosen for that plugin.",
    }),
    memoryMegabytes: z
      .number()
      .int()
      .min(0)
      .max(65_536)
      .refine((megabytes) => megabytes === 0 || megabytes >= 64, "must be 0 or at least 64")
      .default(0)
      .meta({
        advanced: true,
        title: "Memory for images and archives, in MB",
        description: "The limit for unpacking and rendering. 0 chooses a limit by the machine's memory.",
      }),
    publicUrl: z
      .string()
      .max(500)
      .default("")
      .refine((text) => text === "" || isBaseUrl(text), "must be an http or https address without query or fragment")
      .meta({
        title: "Public address",
        description:
          "The address under which people reach this server, such as https://books.example.org. Links in feeds use it; if empty, they use the address of the client's request.",
      }),
  })
  .meta({ title: "Accounts and access", task: "people" });

function isBaseUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { search, hash, username, password } = new URL(text);
  return search === "" && hash === "" && username === "" && password === "";
}

export type ServerSettings = z.output<typeof serverSettings>;

/** The current values of the settings group `server`. */
export type ServerSettingsSource = Pick<PluginSettings<ServerSettings>, "current">;
export const ServerSettingsSource = token<ServerSettingsSource>("the server's settings");
