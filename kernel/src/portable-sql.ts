// What finds SQL that is not portable, for the checks of this repository.
export { unportableIn } from "./plugins/examining/sql/portable-sql.js";
export { closingOf, withoutComments } from "./plugins/examining/sql/sql-templates.js";
