import { defineRoute, idParameter, reply, type Contributions, type Route, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import type { Addressing } from "../addressing.js";
import type { NotificationChannel } from "../contract.js";
import { BadAddress } from "../errors.js";
import type { Address } from "../keeping/address-records.js";
import type { PreferenceRecords } from "../keeping/preference-records.js";
import { categories, preferencesSchema, type Preferences } from "../preferences.js";
import { addressChangeSchema, addressSchema, type channelSchema, choicesSchema, newAddressSchema } from "../shapes.js";

const access = "library.view";
const params = z.object({ id: idParameter });

export interface ChoiceRouteParts {
  readonly addressing: Addressing;
  readonly channels: Contributions<NotificationChannel>;
  readonly preferences: PreferenceRecords;
  readonly pushKey: string;
  readonly changed: (userIds: readonly number[]) => void;
  /** The script that shows pushed messages. */
  readonly serviceWorker: string;
}

/** The routes for the viewer's notification preferences and addresses. */
export function choiceRoutes(parts: ChoiceRouteParts): Route[] {
  return [...preferenceRoutes(parts), ...addressRoutes(parts), serviceWorkerRoute(parts)];
}

function preferenceRoutes({ addressing, channels, preferences, pushKey, changed }: ChoiceRouteParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/notifications/choices",
      access,
      summary: "Read your notification preferences, your addresses, and the available channels",
      response: choicesSchema,
      handle: async ({ viewer }) => ({
        preferences: await preferences.get(viewer.user.id),
        channels: await Promise.all(channels.all().map(toChannel)),
        addresses: (await addressing.list(viewer)).map(toAddress),
        pushKey,
      }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/notifications/choices",
      access,
      summary: "Change your notification preferences",
      body: preferencesSchema,
      response: preferencesSchema,
      handle: async ({ body, viewer }) => {
        await checkAddresses(addressing, body, viewer);
        await preferences.put(viewer.user.id, body);
        changed([viewer.user.id]);
        return body;
      },
    }),
  ];
}

/** Answers a change after notifying the viewer's other clients. */
function telling(changed: ChoiceRouteParts["changed"]): <T>(viewer: Viewer, value: T) => T {
  return (viewer, value) => {
    changed([viewer.user.id]);
    return value;
  };
}

function addressRoutes(parts: ChoiceRouteParts): Route[] {
  return [...editingRoutes(parts), ...verifyingRoutes(parts), tryRoute(parts)];
}

function editingRoutes({ addressing, changed }: ChoiceRouteParts): Route[] {
  const told = telling(changed);
  return [
    defineRoute({
      method: "POST",
      path: "/api/notifications/addresses",
      access,
      summary: "Add an address",
      body: newAddressSchema,
      response: addressSchema,
      handle: async ({ body, viewer }) => told(viewer, toAddress(await addressing.add(body, viewer))),
    }),
    defineRoute({
      method: "PATCH",
      path: "/api/notifications/addresses/{id}",
      access,
      summary: "Change one of your addresses, or enable or disable it",
      params,
      body: addressChangeSchema,
      response: addressSchema,
      handle: async ({ params: { id }, body, viewer }) =>
        told(viewer, toAddress(await addressing.change(id, body, viewer))),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/notifications/addresses/{id}",
      access,
      summary: "Remove one of your addresses",
      params,
      response: z.object({ removed: z.boolean() }),
      handle: async ({ params: { id }, viewer }) => {
        await addressing.remove(id, viewer);
        return told(viewer, { removed: true });
      },
    }),
  ];
}

function verifyingRoutes({ addressing, changed }: ChoiceRouteParts): Route[] {
  const told = telling(changed);
  return [
    defineRoute({
      method: "POST",
      path: "/api/notifications/addresses/{id}/code",
      access,
      summary: "Send a new code to an address of yours that is not verified",
      params,
      response: z.object({ ok: z.boolean(), message: z.string() }),
      handle: async ({ params: { id }, viewer }) => told(viewer, await addressing.sendCode(id, viewer)),
    }),
    defineRoute({
      method: "POST",
      path: "/api/notifications/addresses/{id}/verify",
      access,
      summary: "Enter the code that was sent to an address of yours",
      params,
      body: z.object({ code: z.string().trim().min(1).max(20) }),
      response: addressSchema,
      handle: async ({ params: { id }, body, viewer }) =>
        told(viewer, toAddress(await addressing.verify(id, body.code, viewer))),
    }),
  ];
}

function tryRoute({ addressing, changed }: ChoiceRouteParts): Route {
  const told = telling(changed);
  return defineRoute({
    method: "POST",
    path: "/api/notifications/addresses/{id}/try",
    access,
    summary: "Send a test message to one of your addresses",
    params,
    response: z.object({ ok: z.boolean(), message: z.string() }),
    handle: async ({ params: { id }, viewer }) => told(viewer, await addressing.attempt(id, viewer)),
  });
}

function serviceWorkerRoute({ serviceWorker }: ChoiceRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/notifications/service-worker.js",
    access,
    summary: "The service worker that shows push messages",
    responseType: "text/javascript",
    handle: () => reply.text(serviceWorker, "text/javascript; charset=utf-8"),
  });
}

async function checkAddresses(addressing: Addressing, preferences: Preferences, viewer: Viewer): Promise<void> {
  const own = new Set((await addressing.list(viewer)).map(({ id }) => id));
  for (const category of categories)
    if (preferences[category].addresses.some((id) => !own.has(id)))
      throw new BadAddress({ [`${category}.addresses`]: "names an address that is not yours" });
}

async function toChannel({
  id,
  label,
  fields,
  unavailable,
}: NotificationChannel): Promise<z.input<typeof channelSchema>> {
  const reason = await unavailable?.();
  return {
    id,
    label,
    fields: fields.map(({ secret = false, ...field }) => ({ ...field, secret })),
    ...(reason !== undefined && { unavailable: reason }),
  };
}

function toAddress({ id, channel, name, fields, enabled, verified, trouble, answers, createdAt }: Address) {
  return {
    id,
    channel,
    name,
    fields: { ...fields },
    enabled,
    verified,
    ...(trouble !== undefined && { trouble }),
    answers: answers.map(({ at, ok, text }) => ({ at: new Date(at).toISOString(), ok, text })),
    createdAt: new Date(createdAt).toISOString(),
  };
}
