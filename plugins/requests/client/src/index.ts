import "./page.js";
import "./search.js";
