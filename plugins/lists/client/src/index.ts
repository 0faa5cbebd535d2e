import "./add-to-list.js";
import "./list-page.js";
import "./lists-page.js";
