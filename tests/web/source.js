/* Modules of the viewer's source, bundled so that Node can import them: for tests that need no browser. */
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../client/web/", import.meta.url));
const { build } = createRequire(`${root}package.json`)("esbuild");

/** path: below client/web/src, such as "scene/pick.ts". */
export async function source(path) {
    const { outputFiles } = await build({ entryPoints: [`${root}src/${path}`], bundle: true, write: false, format: "esm", platform: "node", logLevel: "error" });
    return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
