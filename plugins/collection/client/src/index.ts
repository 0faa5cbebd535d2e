import "./forms.js";
import "./wanted-page.js";
