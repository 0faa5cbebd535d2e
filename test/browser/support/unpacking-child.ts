// Unpacks the browser that npm brought along into the folder for temporary files; its libraries only where it takes the
// machine for one of its own.
import chromium from "@sparticuz/chromium";

await chromium.executablePath();
