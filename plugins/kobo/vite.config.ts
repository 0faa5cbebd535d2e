import { clientBuild } from "@longbox/sdk/client-build";

export default clientBuild(import.meta.url, "kobo");
