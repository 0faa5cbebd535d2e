import "./page.js";
import "./summary.js";
