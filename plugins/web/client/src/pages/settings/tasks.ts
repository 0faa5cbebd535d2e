import { t } from "@longbox/sdk/ui";
import type { SettingSchema } from "../../shell/setting-fields.js";

export interface SettingTask {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
}

/**
 * What people want to do who come to the settings, in the order of the page. The last one has whatever says nothing of
 * it.
 */
const tasks: readonly SettingTask[] = [
  { id: "library", title: t("tasks.keepFilesInOrder"), hint: t("tasks.howFilesAreNamed") },
  { id: "details", title: t("tasks.titlesCoversAndPeople"), hint: t("tasks.whereTheDetailsOf") },
  { id: "reading", title: t("tasks.reading"), hint: t("tasks.theReaderListsAnd") },
  { id: "getting", title: t("tasks.findWhatIsMissing"), hint: t("tasks.whereToSearchAnd") },
  { id: "devices", title: t("tasks.otherAppsAndDevices"), hint: t("tasks.whatReadingAppsOn") },
  { id: "people", title: t("tasks.accountsAndSignIn"), hint: t("tasks.whoMaySignIn") },
  { id: "messages", title: t("tasks.notificationsAndEMail"), hint: t("tasks.whatIsSentAnd") },
  { id: "server", title: t("tasks.server"), hint: t("tasks.backupsAndSupport") },
  { id: "", title: t("tasks.more"), hint: t("tasks.settingsOfOtherPlugins") },
];

export interface TaskGroups extends SettingTask {
  readonly groups: ReadonlyArray<readonly [id: string, group: SettingSchema]>;
}

/**
 * The groups of settings by task; tasks without groups are left out.
 * @param search - Only groups that have these words
 */
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
