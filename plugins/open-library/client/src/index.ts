import "./match.js";
import "./review.js";
import "./test.js";
import "./waiting.js";
