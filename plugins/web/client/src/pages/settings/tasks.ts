import type { SettingSchema } from "../../shell/setting-fields.js";

export interface SettingTask {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
}

/** What people want to do who come to the settings, in the order of the page. The last one has whatever says nothing of it. */
const tasks: readonly SettingTask[] = [
  { id: "library", title: "Keep files in order", hint: "How files are named, found and tagged." },
  { id: "details", title: "Describe what you own", hint: "Where titles, covers and people come from." },
  { id: "reading", title: "Read", hint: "What readers, lists and quests offer." },
  { id: "getting", title: "Get what is missing", hint: "Where to search, and what users may request." },
  { id: "devices", title: "Use other apps", hint: "What reading apps on other devices see." },
  { id: "people", title: "Decide who may come in", hint: "Accounts, signing in, and addresses." },
  { id: "messages", title: "Send messages", hint: "Notifications and the mail server." },
  { id: "server", title: "Run the server", hint: "Backups and support." },
  { id: "", title: "More", hint: "Settings of other plugins." },
];

export interface TaskGroups extends SettingTask {
  readonly groups: ReadonlyArray<readonly [id: string, group: SettingSchema]>;
}

/** The groups of settings by task; tasks without groups are left out. @param search - Only groups that have these words */
export function groupsByTask(schema: SettingSchema, search: string): TaskGroups[] {
  const words = search.toLowerCase().split(/\s+/);
  const groups = Object.entries(schema.properties ?? {}).filter(
    ([id, group]) =>
      Object.keys(group.properties ?? {}).length > 0 && words.every((word) => textOf(id, group).includes(word)),
  );
  const known = new Set(tasks.map(({ id }) => id));
  const taskOf = ({ task = "" }: SettingSchema) => (known.has(task) ? task : "");
  return tasks
    .map((task) => ({ ...task, groups: groups.filter(([, group]) => taskOf(group) === task.id) }))
    .filter((task) => task.groups.length > 0);
}

export function headingOf(id: string, group: SettingSchema): string {
  return group.title ?? id.charAt(0).toUpperCase() + id.slice(1);
}

/** All that is written about a group, to find it by. */
function textOf(id: string, group: SettingSchema): string {
  const fields = Object.entries(group.properties ?? {});
  const texts = fields.flatMap(([key, { title, description }]) => [title ?? key, description ?? ""]);
  return [headingOf(id, group), ...texts].join(" ").toLowerCase();
}
