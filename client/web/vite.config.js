import { defineConfig } from "vite";

// Relative addresses, so that the bundle can be served from any folder; nothing inline, for a strict Content-Security-Policy.
export default defineConfig({
    base: "./",
    build: {
        target: "es2022",
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 900,
        reportCompressedSize: false,
    },
});
