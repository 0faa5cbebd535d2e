import type { TinyPlugin } from "../support.js";
import { inActivate } from "./mistakes/activating.js";
import { amongOthers } from "./mistakes/among-others.js";
import { carelessly } from "./mistakes/careless.js";
import type { MistakeCase } from "./mistakes/case.js";
import { inTheModule } from "./mistakes/module.js";
import { inOtherForms } from "./mistakes/other-forms.js";
import { unreadably } from "./mistakes/unreadable.js";
import { inUnfitForms } from "./mistakes/unfit.js";
import { inThePackage } from "./mistakes/package.js";

/** What stands for the web interface, with its pages and slots, and opens an extension point with rules. */
export const shell: TinyPlugin = {
  id: "shell",
  manifest: {
    ...{ site: "site", sitePages: ["/library"], siteSlots: ["home", "settings.*"] },
    ...{ opens: { lanterns: "1.0.0" }, contributes: { lanterns: "^1.0.0" } },
  },
  head: `import { z } from "zod";
    const lantern = z.object({ id: z.string().min(1), colour: z.enum(["red", "green"]), light: z.custom((value) => typeof value === "function", "must be a function") });`,
  activate: `
    const point = extensionPoint("lanterns", "1.0.0");
    context.open(point, { schema: lantern, unique: "id" });
    context.contribute(point, { id: "porch", colour: "red", light: async () => {} });`,
};

export type { MistakeCase } from "./mistakes/case.js";
export { packedCases } from "./mistakes/packed.js";
export { uncompiledCases } from "./mistakes/uncompiled.js";

export const mistakeCases: readonly MistakeCase[] = [
  ...inActivate,
  ...inTheModule,
  ...inThePackage,
  ...amongOthers,
  ...inOtherForms,
  ...carelessly,
  ...inUnfitForms,
  ...unreadably,
];
