import "./page.js";
import "./queue-panel.js";
import "./history-panel.js";
import "./blocklist-panel.js";
import "./sources-panel.js";
import "./search-dialog.js";
import "./summary.js";
import "./get-all-dialog.js";
