/** Information about an error code that is not in the source. */
export interface KnownError {
  readonly remedy?: string;
  /** Where the code is written without its message. */
  readonly meaning?: string;
  /** Where the code is written without its kind. */
  readonly kind?: string;
  readonly status?: string;
}

/** The remedies by kind, for codes without their own remedy. */
export const remedyOfKind: Readonly<Record<string, string>> = {
  "bad-input": "Correct the fields that `details` names, and send the request again.",
  "not-signed-in": "Sign in again, or send a valid API key.",
  forbidden: "Ask an administrator for the permission, or use another account.",
  "not-found": "Reload the list: it was removed, or it is hidden from you.",
  "wrong-method": "Use one of the methods that the `Allow` header names.",
  conflict: "Read the current state again, and repeat the request if it still applies.",
  "too-large": "Send less, or raise the limit if it is a setting.",
  "unsupported-type": "Send a type that the message names.",
  "too-many-requests": "Wait for the seconds in `Retry-After`.",
  upstream: "Try again later; if the error persists, check the other server and the log.",
  unavailable: "Try again after `Retry-After` seconds, or when the reason in the message no longer applies.",
  "precondition-failed": "Read the current state again, and decide with it.",
  "storage-full": "Free space on the disk that holds the data folder.",
  internal: "Search the log for the request id, and report a bug.",
  wire: "Correct the client: its request violates HTTP, as the message says.",
};

const reportToAuthor = "Report it to the author of the plugin: its code and its manifest disagree.";
const otherPackage = "Do not install it. Ask the author to publish a correct package, or check who runs the registry.";
const askAgain = "Send the request again.";

/**
 * The remedies by code, or by the part behind the slash; a text is the remedy. `no error` is a text
 * that only looks like a code.
 */
export const knownErrors: Readonly<Record<string, string | KnownError>> = {
  "kernel/import-missing": {
    kind: "bad-input",
    meaning: "A plugin imports, while it starts, what is neither in its package nor in the server.",
    remedy: "Report it to the author of the plugin: a package or a file is missing in it.",
  },
  "downloads/given-up": { meaning: "An item of the queue ended; the item says why." },
  "downloads/release-unusable": { meaning: "A release cannot be used; the item and the blocklist say why." },
  "gamify/not-ready": {
    meaning: "Quests are off, or the plugins that they are computed from are; the message says which.",
  },
  "downloads/try-later": { meaning: "An item of the queue waits; the item says for what." },
  "open-library/failed": {
    meaning: "Open Library cannot be reached, or its answer cannot be used; the message says which.",
  },
  "source-opds/not-a-catalog": {
    kind: "upstream",
    meaning: "What the address of a catalog answered cannot be read as one.",
    remedy: "Check the address in the settings of the source.",
  },
  "source-torrent/not-torznab": {
    kind: "upstream",
    meaning: "What the indexer answered is not Torznab.",
    remedy: "Check the address in the settings: it has to lead to the Torznab API, which ends in `/api`.",
  },
  "source-usenet/not-an-nzb": {
    kind: "bad-input",
    meaning: "What an indexer gave is not an NZB, or names nothing to download; the blocklist says which.",
    remedy: "Nothing: another release is tried.",
  },
  "source-usenet/not-an-indexer": {
    kind: "upstream",
    meaning: "What the address of an indexer answered cannot be read as its API.",
    remedy: "Check the address in the settings of the indexer.",
  },
  "source-usenet/not-a-client": {
    kind: "upstream",
    meaning: "What the address of a download client answered is not that of the program.",
    remedy: "Check the address and the program in the settings of the client.",
  },
  "source-usenet/not-allowed": {
    kind: "upstream",
    meaning: "The indexer refuses the API key.",
    remedy: "Check the key, and the account at the indexer.",
  },
  "source-usenet/request-refused": { kind: "upstream", meaning: "The indexer cannot answer this request." },
  "source-usenet/limit-reached": {
    kind: "upstream",
    meaning: "The indexer allows no more requests now.",
    remedy: "Wait: it is asked again by itself.",
  },
  "source-usenet/no-answer": { kind: "upstream", meaning: "The indexer answered with an error." },
  "source-usenet/client-refuses": {
    kind: "upstream",
    meaning: "The download client refuses the key, or the user and password.",
    remedy: "Check them in the settings of the client.",
  },
  "source-usenet/client-failed": { kind: "upstream", meaning: "The download client answered with an error." },
  "source-usenet/client-refuses-file": {
    kind: "bad-input",
    meaning: "The download client did not take the NZB.",
    remedy: "Nothing: another release is tried.",
  },
  "files/cancelled": {
    meaning: "The work was cancelled before its answer was sent.",
    remedy: "Start it again if it is still needed.",
  },
  "operations/no-copy-place": "Choose a place for copies of backups in the settings of operations.",
  "operations/copy-place-unusable": {
    kind: "bad-input",
    meaning: "The place for copies of backups cannot be used; the message names the setting and the reason.",
    remedy: "Correct the setting, and try it there.",
  },
  "operations/copy-lost": "Check the storage: it forgets what is written to it.",
  "operations/s3-refused": {
    kind: "upstream",
    meaning: "The storage for copies of backups refuses; the message says why.",
    remedy: "Check the keys, the bucket and the region in the settings, and the rights of the key.",
  },
  "operations/not-s3": {
    kind: "upstream",
    meaning: "What the address of the storage for copies answered is not S3.",
    remedy: "Check the address in the settings.",
  },
  "kernel/activate-too-slow":
    "Check the plugin's log; disable and enable it again, or roll back to its previous version.",
  "kernel/answer-unreadable": {
    meaning: "The answer of another server is not JSON, too large, or does not match the schema.",
    remedy: "Check `details.problem` and the other server: its address may be wrong.",
  },
  "kernel/already-set-up": "Sign in with the account that was made.",
  "kernel/backup-damaged": "Use another backup.",
  "kernel/backup-exists": "Name another file, or remove that one first.",
  "kernel/backup-not-whole":
    "Check the disk of the data folder and the log, and make another backup; the older ones were kept.",
  "kernel/backup-passphrase-needed":
    "Give the passphrase: of `longbox restore` in `LONGBOX_BACKUP_PASSPHRASE`, otherwise in the field.",
  "kernel/backup-passphrase-wrong": "Give the passphrase that the backup was encrypted with.",
  "kernel/backup-running": "Wait until it is done.",
  "kernel/bad-credentials": {
    meaning: "The name or the password is wrong, or the key or session is not valid any more.",
  },
  "kernel/bad-manifest": "Correct the fields of `longbox` in package.json that the message names.",
  "kernel/bad-plugin-module": "Make the package's entry export the value of `definePlugin` as its default.",
  "kernel/beyond-own-rights": "Ask an account that holds these rights.",
  "kernel/breaks-others": "Upgrade the plugins that the message names first, or choose another version.",
  "kernel/cannot-isolate":
    "Ask the author for a version that can be isolated, or let the plugin run with the server's rights if you trust it that far.",
  "kernel/capability-gone": "Enable the plugin that provides it, or wait until it runs again.",
  "kernel/capability-not-provided": reportToAuthor,
  "kernel/content-changed": askAgain,
  "kernel/cross-site": "Send changes from a page of this server, or with an API key instead of a cookie.",
  "kernel/data-pointer-unreadable": "Restore a backup, or write the number of the newest data folder into the file.",
  "kernel/engine-not-isolated":
    "Let the role in LONGBOX_DATABASE make roles (`alter role … createrole`) and the server let them in by a password, and restart Longbox; or let the plugin run with the server's rights if you trust it that far.",
  "kernel/statement-ended": "Report it to the author of the plugin, who can ask for less at once.",
  "kernel/statement-refused": "Report it to the author of the plugin.",
  "kernel/leader-lost": "Look whether the change was made, and repeat the request if it was not.",
  "kernel/database-busy": "Try again; as an author, use only the transaction inside of a transaction.",
  "kernel/domain-taken": "Only one of the two plugins can run; disable one of them.",
  "kernel/fetch-timeout": { kind: "upstream", meaning: "The other server did not answer in time." },
  "kernel/input-refused":
    "Ask an administrator to look into the log: the plugin that it names must be mended, or the file that was asked for removed.",
  "kernel/json-unreadable": {
    meaning: "A document is not JSON, too large, or does not match the schema.",
    remedy: "Correct the document as `details` says.",
  },
  "kernel/host-failed": {
    kind: "upstream",
    meaning: "The other server failed; requests to it are suspended for a while.",
  },
  "kernel/headers-too-large": { kind: "wire", status: "431", remedy: "Send fewer or shorter headers and cookies." },
  "kernel/id-taken": "Uninstall the other package first.",
  "kernel/integrity-changed": otherPackage,
  "kernel/integrity-mismatch": otherPackage,
  "kernel/internal": "Search the log for the request id, and report a bug.",
  "kernel/last-admin": "Create another administrator first.",
  "kernel/migration-breaks-keys": "Report it to the author of the plugin; the data is as it was.",
  "kernel/migration-changed":
    "Install the version that the data was made with; as an author, add a migration instead of changing one.",
  "kernel/no-integrity": otherPackage,
  "kernel/no-previous-data": "Use a backup.",
  "kernel/no-supervisor": "Stop and start the server where it was started.",
  "kernel/not-a-plugin": "Choose a package with the keyword `longbox-plugin`.",
  "kernel/own-account": "Ask another administrator.",
  "kernel/permission-taken": "Only one of the two plugins can run; disable one of them.",
  "kernel/plugin-linked": "Start the server without `--plugin` for this folder.",
  "kernel/plugin-stopped": "Enable the plugin; as an author, end work when `context.signal` aborts.",
  "kernel/held-back": {
    kind: "unavailable",
    meaning: "The server ended again and again, and was started without this plugin.",
    remedy: "Look for the reason in the log and the audit trail; then enable the plugin, or remove it.",
  },
  "kernel/range-not-satisfiable": {
    kind: "wire",
    status: "416",
    meaning: "The requested range is outside of the content.",
    remedy: "Request a range within the length that `Content-Range` gives.",
  },
  "kernel/registry-broken": "Check the registry's log; name another one with `LONGBOX_REGISTRY`.",
  "kernel/registry-redirects":
    "Name the address that it redirects to with `LONGBOX_REGISTRY`, if that is your registry.",
  "kernel/registry-unreachable": "Start the registry, or name another one with `LONGBOX_REGISTRY`.",
  "kernel/request-malformed": { kind: "wire", status: "400" },
  "kernel/request-too-slow": {
    kind: "wire",
    status: "408",
    remedy: "Send the request again over a better connection.",
  },
  "kernel/required-by-others": "Disable the plugins that the message names first.",
  "kernel/requirement-cycle": reportToAuthor,
  "kernel/route-path": reportToAuthor,
  "kernel/route-taken": "Only one of the two plugins can run; disable one of them.",
  "kernel/route-twice": {
    meaning: "The plugin has one route twice, perhaps with other names of its parameters.",
    remedy: reportToAuthor,
  },
  "kernel/sdk-too-different": "Choose a version of the plugin that fits this server, or upgrade the server.",
  "kernel/server-unreachable": { kind: "upstream", meaning: "The other server cannot be reached." },
  "kernel/setup-first": "Create the first account.",
  "kernel/setup-token-needed": "Open the server on its own machine, or send the token as `X-Setup-Token`.",
  "kernel/stopped": askAgain,
  "kernel/stopping": "Send the request again once the server is back.",
  "kernel/tarball-backslash": otherPackage,
  "kernel/tarball-bad-name": otherPackage,
  "kernel/tarball-broken": otherPackage,
  "kernel/tarball-device": otherPackage,
  "kernel/tarball-duplicate": otherPackage,
  "kernel/tarball-elsewhere": otherPackage,
  "kernel/tarball-link": otherPackage,
  "kernel/tarball-outside": otherPackage,
  "kernel/tarball-too-large": otherPackage,
  "kernel/tarball-too-many-files": otherPackage,
  "kernel/tarball-slow": "Try again; the connection to the registry is too slow.",
  "kernel/tarball-truncated": "Try again; the connection to the registry broke off.",
  "kernel/too-many-streams": "Close windows of this account that are not used.",
  "kernel/trial-import-failed": "Read the reason in the message; report it to the author of the plugin.",
  "kernel/trust-proxy": "Correct `TRUST_PROXY`.",
  "kernel/undeclared-capability": reportToAuthor,
  "kernel/too-many-contributions": reportToAuthor,
  "kernel/undeclared-contribution": reportToAuthor,
  "kernel/undeclared-domain": reportToAuthor,
  "kernel/undeclared-extension-point": reportToAuthor,
  "kernel/undeclared-permission": reportToAuthor,
  "kernel/undeclared-worker": reportToAuthor,
  "kernel/unknown-expectation": { kind: "wire", status: "417", remedy: "Leave the `Expect` header out." },
  "kernel/unpacked-too-large": otherPackage,
  "kernel/upgrade-failed":
    "The earlier version runs on. Read the reason in the message; report it to the author of the plugin.",
  "kernel/wrong-package": otherPackage,
  "not-of-this-series": { meaning: "The issue or the file does not belong to this series." },
  "no-downloader": "Install a plugin for downloads.",
  "no-reader": {
    meaning: "No running plugin reads archives of the file's kind, such as RAR.",
    remedy: "Install the reader that the message names, or enable it.",
  },
  unreadable: { meaning: "The file, or this page of it, cannot be read; `details.reason` says why." },
  "too-many": { meaning: "The list would grow beyond what a list may hold." },
  "key-refused": { meaning: "The provider does not accept the API key.", remedy: "Correct the key in the settings." },
  "provider-failed": { meaning: "The provider did not answer, or not as it should." },
  "no-provider": "Install the metadata plugin.",
  "no-import-folder": "Set the import folder in the settings.",
  "no-library": "Create a library first.",
  "no-folder": "Scan the library, or put a file of the series into it.",
  "budget-spent": "Wait as long as the message says; the provider limits the number of requests.",
  "catalog-off": "Set the address of the community catalog in the settings.",
};
