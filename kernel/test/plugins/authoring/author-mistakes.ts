import { inActivate } from "./mistakes/activating.js";
import { amongOthers } from "./mistakes/among-others.js";
import { carelessly } from "./mistakes/careless.js";
import type { MistakeCase } from "./mistakes/case.js";
import { inTheModule } from "./mistakes/module.js";
import { inOtherForms } from "./mistakes/other-forms.js";
import { unreadably } from "./mistakes/unreadable.js";
import { inUnfitForms } from "./mistakes/unfit.js";
import { inThePackage } from "./mistakes/package.js";

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
