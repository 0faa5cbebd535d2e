import "./wanted-page.js";
