import "./details/series-details.js";
import "./forms.js";
import "./wanted-page.js";
