import { defineConfig } from "vite";

// Relative addresses, so that the bundle can be served from any folder; nothing inline, for a strict Content-Security-Policy.
// --mode browser: the page of the static site that runs its world itself, in dist-browser.
export default defineConfig(({ mode }) => ({
    base: "./",
    worker: { format: "es" },
    build: {
        ...(mode === "browser" && { outDir: "dist-browser", rollupOptions: { input: "browser.html" } }),
        target: "es2022",
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 900,
        reportCompressedSize: false,
    },
}));
