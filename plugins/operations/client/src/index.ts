import "./activity.js";
import "./health-panel.js";
import "./jobs-panel.js";
import "./log-panel.js";
import "./page.js";
import "./schedules-panel.js";
import "./support-panel.js";
import "./tools-panel.js";
