import { isWithin } from "@longbox/sdk";

/** Folders of operating systems, which are no libraries. */
const system = [
  "/bin",
  "/boot",
  "/dev",
  "/etc",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/proc",
  "/run",
  "/sbin",
  "/sys",
  "/usr",
  "/var/cache",
  "/var/lib",
  "/var/log",
  "/var/run",
  "/var/spool",
  "/Library",
  "/System",
  "/private/etc",
  "/private/var/db",
  "C:\\Windows",
  "C:\\Program Files",
  "C:\\Program Files (x86)",
  "C:\\ProgramData",
];
/** Folders inside of them that are for users. */
const forPeople = ["/run/media", "/run/user", "/usr/home", "/usr/local/share"];

/** @param options.above - whether a folder that contains one of the system's counts too */
export function isOfTheSystem(folder: string, { above }: { readonly above: boolean }): boolean {
  if (forPeople.some((place) => isWithin(place, folder))) return false;
  return system.some((place) => isWithin(place, folder) || (above && isWithin(folder, place)));
}
