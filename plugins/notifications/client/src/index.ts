import "./bell.js";
import "./choices-panel.js";
import "./list-panel.js";
import "./page.js";
