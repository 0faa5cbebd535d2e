import { addressOf, t } from "@longbox/sdk/ui";

const workerPath = "/api/notifications/service-worker.js";

/** Whether this browser supports push messages, which need https or localhost. */
export function canPush(): boolean {
  return "serviceWorker" in navigator && "PushManager" in globalThis && isSecureContext;
}

/** Asks the user and the browser's push service. @param key - The server's key. @returns the fields of an address */
export async function subscribe(key: string): Promise<Record<string, string>> {
  const permission = await Notification.requestPermission();
  if (permission !== "granted") throw new Error(t("pushing.doesNotAllow"));
  const registration = await navigator.serviceWorker.register(addressOf(workerPath));
  await activated(registration);
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint = "", keys = {} } = subscription.toJSON();
  return { endpoint, p256dh: keys["p256dh"] ?? "", auth: keys["auth"] ?? "" };
}

async function activated(registration: ServiceWorkerRegistration): Promise<void> {
  const worker = registration.installing ?? registration.waiting;
  if (!worker || registration.active) return;
  await new Promise<void>((resolve) => {
    worker.addEventListener("statechange", () => worker.state === "activated" && resolve());
  });
}
