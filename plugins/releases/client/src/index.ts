import "./feeds.js";
import "./month.js";
import "./page.js";
import "./week.js";
