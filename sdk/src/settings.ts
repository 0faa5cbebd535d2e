import { z } from "zod";

/** What a settings field may say of itself, by zod's `.meta()`. */
export interface SettingMeta {
  title: string;
  description?: string;
  /** Shown as `********` once set, never sent out, redacted in logs and backups that leave the house. */
  secret?: boolean;
}

/** A text setting that is kept secret; `""` means not set. */
export function secretSetting(meta: Omit<SettingMeta, "secret">) {
  return z.string().max(10_000).default("").meta({ ...meta, secret: true });
}
