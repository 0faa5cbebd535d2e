import "./add-page.js";
import "./series-actions.js";
