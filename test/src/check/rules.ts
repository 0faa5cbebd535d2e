import { answersCheck } from "./answers.js";
import { arrowsCheck } from "./arrows.js";
import type { Check } from "./check.js";
import { circlesCheck } from "./circles.js";
import { clientAddressesCheck } from "./client-addresses.js";
import { apiReportCheck } from "./documents/api-report.js";
import { contractIndexCheck } from "./documents/contract-index.js";
import { dependenciesCheck } from "./documents/dependencies.js";
import { documentsCheck } from "./documents/documents.js";
import { promisesCheck } from "./documents/promises.js";
import { errorCodesCheck } from "./documents/error-codes.js";
import { foldersCheck } from "./folders.js";
import { linesCheck } from "./lines.js";
import { lockFileCheck } from "./lock-file.js";
import { packagesCheck } from "./packages.js";
import { plainWordsCheck } from "./plain-words.js";
import { portableSqlCheck } from "./portable-sql.js";
import { shapeCheck } from "./shape.js";
import { statusesCheck } from "./statuses.js";
import { clientTextsCheck } from "./texts/client-texts.js";
import { toolCheck } from "./tool.js";
import { viewersCheck } from "./viewers.js";
import { wordsCheck } from "./words.js";

export const typesCheck = toolCheck("types of the tests", "tsc", ["-p", "tsconfig.tests.json"]);
const linted = ["sdk", "kernel", "registry", "plugins", "examples", "test"];
export const lintCheck = toolCheck("lint", "oxlint", ["--type-aware", "--deny-warnings", ...linted]);
export const formatCheck = toolCheck("format", "oxfmt", ["--check", "."]);
export const unusedCheck = toolCheck("unused files, exports and dependencies", "knip", [
  "--no-progress",
  "--no-config-hints",
]);

/**
 * Every rule of the repository that a program can hold; those that take the longest first, as others run beside them.
 */
export const rules: readonly Check[] = [
  lintCheck,
  typesCheck,
  unusedCheck,
  arrowsCheck,
  circlesCheck,
  wordsCheck,
  plainWordsCheck,
  clientTextsCheck,
  clientAddressesCheck,
  statusesCheck,
  answersCheck,
  viewersCheck,
  portableSqlCheck,
  foldersCheck,
  shapeCheck,
  formatCheck,
  linesCheck,
  lockFileCheck,
  packagesCheck,
  dependenciesCheck,
  documentsCheck,
  promisesCheck,
  errorCodesCheck,
  contractIndexCheck,
  apiReportCheck,
];
