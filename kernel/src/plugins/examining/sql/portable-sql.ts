import { sqlTemplatesOf, withoutComments } from "./sql-templates.js";

// SQL that only one storage engine takes, as far as the text of a module shows it.

interface Rule {
  readonly pattern: RegExp;
  readonly because: string;
  /** Code that has nothing to do with a database may hold the same. */
  readonly isCommon?: true;
}

const onlyOne = "only one engine has it";

/** What the text of a statement or an expression may not contain. */
const inSql: readonly Rule[] = [
  {
    pattern: /^\s*(?:select|insert|update|delete|with|create|alter|drop|replace)\b/i,
    because: "a whole statement is for the query builder, or for perEngine() with a reason",
  },
  {
    pattern:
      /\b(?:group_concat|instr|printf|ifnull|iif|glob|julianday|strftime|unixepoch|changes|last_insert_rowid|typeof|hex|zeroblob|total|char|unicode|quote)\s*\(/i,
    because: onlyOne,
  },
  {
    pattern: /\b(?:json_each|json_tree|json_extract|json_array\w*|json_object|json_group_\w+|jsonb?_\w+)\s*\(/i,
    because: `${onlyOne}: use isAmong() or givenRows(), or keep columns`,
  },
  { pattern: /->>?/, because: "engines read JSON in different ways: keep a column" },
  { pattern: /\b(?:date|time|datetime)\s*\(/i, because: `${onlyOne}: pass the instant as a value` },
  {
    pattern:
      /\b(?:unnest|array_agg|to_tsvector|greatest|least|date_trunc|extract|ilike|similar to|any)\s*\(|::\s*[a-z]|\bilike\b/i,
    because: onlyOne,
  },
  {
    pattern: /\b(?:rowid|oid|_rowid_|sqlite_\w+|pragma|without rowid|strict|autoincrement|indexed by|materialized)\b/i,
    because: onlyOne,
  },
  { pattern: /\bcollate\b|\bnocase\b/i, because: "keep a folded column and compare that" },
  { pattern: /\bor\s+(?:ignore|replace|abort|fail|rollback)\b|\breplace\s+into\b/i, because: "use onConflict" },
  {
    pattern: /\blike\b|\bregexp\b|\bmatch\b/i,
    because: "engines differ in case: use beginsWith() or containsText() on a folded column, or full text",
  },
  { pattern: /\bglob\b/i, because: onlyOne },
  {
    pattern:
      /\b(?:strpos|split_part|position|to_char|to_timestamp|generate_\w+|string_to_array|regexp_\w+|left|right|lpad|rpad|md5|bool_and|bool_or|every|now|age|random|randomblob|concat|concat_ws)\s*\(/i,
    because: onlyOne,
  },
  {
    pattern: /\bcurrent_(?:timestamp|date|time)\b|\binterval\s+'/i,
    because: "engines give it as other values: pass the instant as a value",
  },
  {
    pattern:
      /\bas\s+(?:int|integer|int4|smallint|boolean|date|timestamp\w*|numeric\b[^)]*|decimal\b[^)]*|varchar)\s*\)/i,
    because: "an integer has 32 bits on one engine: cast to bigint, double precision or text",
  },
  { pattern: /\bround\s*\((?:[^(),]|\([^()]*\))*,/i, because: "with places only one engine has it for such numbers" },
  { pattern: /\b(?:distinct\s+on|lateral|for\s+(?:update|share)|merge\s+into)\b/i, because: onlyOne },
  { pattern: /\b(?:max|min)\s*\([^()]*,/i, because: "with several arguments only one engine has it: use case when" },
  {
    pattern: /\b(?:sum|avg|total)\s*\((?!\s*case\b)[^()]*(?:=|<|>|\blike\b|\bis\b|\bin\b|\band\b|\bor\b)/i,
    because: "a condition is not a number: use count(*) filter (where …)",
  },
  { pattern: /\bis\s+(?:not\s+)?[?\d]/i, because: `${onlyOne}: \`is\` takes null only; use = or is distinct from` },
  {
    pattern:
      /\b(?:where|and|or|not|when|on|having)\s+(?!not\b|exists\b|null\b|true\b|false\b|case\b)[a-z_]+(?:\.[a-z_]+)?\s*(?=$|\)|\band\b|\bor\b|\bthen\b)(?<!between\s+\S+\s+and\s+\S+\s*)/i,
    because: "a flag is not a condition: compare it with 1 or 0",
  },
  { pattern: /\b(?:where|when|on)\s+[01]\s*(?=$|\)|\band\b|\bor\b|\bthen\b)/i, because: "a number is not a condition" },
  { pattern: /\border\s+by\b(?!.*\bnulls\s+(?:first|last)\b)/is, because: "use orderBy, and say where nulls go" },
  { pattern: /"/, because: "names are quoted with sql.ref(), texts are values" },
  {
    pattern: /(?:=|<>|!=)\s*(?:true|false)\b|\b(?:true|false)\s*(?:=|<>|!=)/i,
    because: "a flag is a number: compare it with 1 or 0",
  },
  {
    pattern: /\b0x[0-9a-f]+|\b\d+_\d/i,
    because: "not every version of an engine reads such a number: write its digits",
  },
  { pattern: /(?:=|<>|!=|<|>)\s*'-?\d+(?:\.\d+)?'/, because: "engines compare a text with a number in different ways" },
  { pattern: /==/, because: `${onlyOne}: write =` },
  { pattern: /`|\[\w+\]/, because: "names are quoted with sql.ref()" },
];

/** What the code around may not do. */
const inCode: readonly Rule[] = [
  {
    pattern: /\bsql\s*\.\s*raw\b|\bCompiledQuery\s*\.\s*raw\b/g,
    because: "use rawMigration() or perEngine() with a reason",
  },
  {
    pattern: /\.(?:orIgnore|orReplace|orAbort|orFail|orRollback|replaceInto)\s*\(/g,
    because: "use onConflict",
  },
  { pattern: /\.(?:ignore|modifyEnd|modifyFront)\s*\(/g, because: "use onConflict", isCommon: true },
  { pattern: /\.insertId\b/g, because: 'only one engine has it: use returning("id")' },
  {
    pattern:
      /\b(?:where|having|on|eb)\(\s*["'][\w.]+["']\s*,\s*["'](?:(?:not )?i?like|glob|match|regexp|->>?|~\*?|@>|&&)["']/g,
    because: "engines differ in it: use beginsWith() or containsText() on a folded column, or full text",
  },
  {
    pattern: /"(?:(?:not )?i?like|glob|match|regexp|->>?|~\*?|@>|&&)"\s*,/g,
    because: "engines differ in it: use beginsWith() or containsText() on a folded column, or full text",
    isCommon: true,
  },
  {
    pattern:
      /\bfn\s*(?:\.agg)?(?:<[^>]*>)?\s*\(\s*"(?:group_concat|instr|printf|ifnull|iif|glob|json_\w+|strftime|datetime|date|greatest|least|typeof|total|max|min)"/g,
    because: onlyOne,
  },
  { pattern: /\bfn\s*\.\s*(?:jsonAgg|toJson|any)\b/g, because: onlyOne },
  {
    pattern: /\.(?:distinctOn|mergeInto|forUpdate|forShare|forNoKeyUpdate|skipLocked|\w+JoinLateral)\b/g,
    because: onlyOne,
  },
  { pattern: /\.(?:fetch\(\d|top\(\d)\b/g, because: onlyOne, isCommon: true },
  {
    pattern: /\.cast(?:<[^>]*>)?\([^()]*,\s*"(?!bigint"|double precision"|text")[^"]*"/g,
    because: "an integer has 32 bits on one engine: cast to bigint, double precision or text",
  },
  { pattern: /\.addColumn\(\s*"[^"]*"\s*,\s*(?:"|'|sql)/g, because: "take the type from the step's types" },
  { pattern: /\.(?:getExecutor|introspection)\b/g, because: "a plugin does not look at the engine", isCommon: true },
];

/** SQL of a module that an engine refuses, or reads in another way. */
export interface Unportable {
  /** Where it begins in the text. */
  readonly index: number;
  /** The part that is not portable. */
  readonly found: string;
  readonly because: string;
}

/**
 * What is not portable in the text of a module.
 * @param isAllOwn - whether all of it may be code about tables: not so with libraries in the same file
 */
export function unportableIn(text: string, isAllOwn: boolean): Unportable[] {
  const templates = sqlTemplatesOf(text, /\b(?:perEngine|rawMigration|\.raw)\s*(?:<[^(]*?>)?\(/g);
  const inTemplates = templates.flatMap((template) =>
    inSql.flatMap(({ pattern, because }) => {
      const [found] = pattern.exec(template.text) ?? [];
      return found === undefined ? [] : [{ index: template.index, found: found.trim(), because }];
    }),
  );
  const code = withoutComments(text);
  const around = inCode.filter(({ isCommon }) => isAllOwn || !isCommon);
  const inBuilders = around.flatMap(({ pattern, because }) =>
    [...code.matchAll(pattern)].map(({ 0: found, index }) => ({ index, found: found.trim(), because })),
  );
  return [...inTemplates, ...inBuilders];
}
