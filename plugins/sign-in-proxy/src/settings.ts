import { z } from "zod";
import { addressesOf } from "./addresses.js";

const header = z
  .string()
  .trim()
  .max(100)
  .regex(/^[A-Za-z0-9-]*$/, "must be the name of a header");

export const proxySettings = z
  .object({
    proxies: z
      .string()
      .trim()
      .max(2000)
      .default("")
      .refine(
        (text) => addressesOf(text) !== undefined,
        "must list addresses or networks, such as 10.0.0.2, 10.1.0.0/16",
      )
      .meta({
        title: "Addresses of the proxy",
        description:
          "Addresses or networks from which the headers are believed: those of the connection itself. Nothing is offered while it is empty",
      }),
    label: z.string().trim().min(1).max(100).default("Single sign-on").meta({
      title: "Name",
      description: "On the button of the sign-in page",
    }),
    userHeader: header.min(1).default("Remote-User").meta({ title: "Header of the user name" }),
    emailHeader: header.default("Remote-Email").meta({ title: "Header of the e-mail address" }),
    groupsHeader: header.default("Remote-Groups").meta({
      title: "Header of the groups",
      description: "The names of the groups, divided by commas",
    }),
    newAccounts: z.boolean().default(false).meta({
      title: "Create accounts",
      description:
        "For users of the proxy who have none; the server's own setting for external accounts must be on, too",
    }),
    matchNames: z.boolean().default(false).meta({
      title: "Use existing accounts of the same name",
      description:
        "The proxy then decides who is signed in to which account, also to yours. Otherwise users link their accounts themselves, on their account page",
    }),
    roles: z
      .string()
      .max(5000)
      .regex(/^(\s*[^=,\n]+=\s*[a-z][a-z0-9-]*\s*([,\n]|$))*$/, "must look like: editors = trusted, owners = admin")
      .default("")
      .meta({
        title: "Roles of groups",
        description:
          "Group = role, divided by commas; the first that fits decides, at each sign-in. Users in none of the groups are viewers. Empty: new accounts are viewers, and roles are changed here",
      }),
    logoutAddress: z
      .union([z.literal(""), z.url({ protocol: /^https?$/ })])
      .default("")
      .meta({ title: "Sign-out address of the proxy", description: "Where to go to end the proxy's own session" }),
  })
  .meta({ title: "Signing in through a proxy", task: "people" });
export type ProxySettings = z.output<typeof proxySettings>;
