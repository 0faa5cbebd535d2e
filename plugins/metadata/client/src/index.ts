import "./add-page.js";
import "./match-review.js";
import "./series-actions.js";
import "./welcome/welcome.js";
