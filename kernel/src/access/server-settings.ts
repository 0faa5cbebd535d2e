import { z } from "zod";

/** The kernel's own group of settings, `server`. */
export const serverSettings = z.object({
  registration: z.boolean().default(false).meta({ title: "Open registration", description: "Anybody who reaches this server may make an account, with the role of a viewer." }),
  passwordLogin: z.boolean().default(true).meta({ title: "Sign in with a password", description: "Switched off, people sign in through an outside provider only. It has no effect while there is none." }),
  externalAccounts: z.boolean().default(true).meta({ title: "Accounts from outside", description: "Somebody whom a sign-in provider vouches for gets an account at the first visit." }),
});

export type ServerSettings = z.output<typeof serverSettings>;
