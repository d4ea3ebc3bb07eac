import { defineConfig } from "vite";

// The page goes into the Python package; no other host is contacted from it.
export default defineConfig({
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: { outDir: "../src/likewise/server/static", emptyOutDir: true, target: "es2022" },
  server: { proxy: { "/api": "http://127.0.0.1:8117" } },
});
