import "./import/import-page.js";
import "./keeping/files-page.js";
import "./series/series-actions.js";
import "./naming-preview.js";
