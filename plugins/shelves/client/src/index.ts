import "./browser.js";
import "./facet.js";
import "./home-strips.js";
import "./rate.js";
