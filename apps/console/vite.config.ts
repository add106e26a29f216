import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type UserConfig } from "vite";
import { compressAssets } from "./compress-assets.ts";
import { joinSharedChunks, keepDocumentsApart, listScreenFiles } from "./shared-chunks.ts";

declare const process: { readonly env: Readonly<Record<string, string | undefined>> };

const api = `http://127.0.0.1:${process.env["FOLLOWSPOT_API_PORT"] ?? "3000"}`;
const stage = { target: api, ws: true };

/** Paths and modules as `app/screens.ts` pairs them; read as text, for what it imports cannot be run here. */
function screens(): readonly { readonly path: string; readonly module: string }[] {
  const text = readFileSync(new URL("src/app/screens.ts", import.meta.url), "utf8");
  const pairs = text.matchAll(/path: "([^"]*)",\s*read: \(\) => import\("\.+\/([^"]+)"\)/g);
  return [...pairs].map(([, path = "", module = ""]) => ({ path, module }));
}

const config: UserConfig = {
  base: "/admin/",
  // Scripts and styles find each other by relative addresses: only the documents name the path below which they are served.
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === "html" ? `/admin/${file}` : { relative: true }),
  },
  plugins: [react(), tailwindcss(), keepDocumentsApart(), listScreenFiles(screens()), compressAssets()],
  resolve: {
    alias: [
      {
        find: /^.*\/buf\/validate\/validate_pb\.js$/,
        replacement: fileURLToPath(new URL("src/lib/validation-rules.ts", import.meta.url)),
      },
    ],
  },
  server: {
    proxy: {
      "/followspot.": api,
      "/api": api,
      "/proxy": api,
      "/media": api,
      "/health": api,
      "/e/": api,
      "/ws": stage,
      "/lights": stage,
    },
  },
  // The page's policy allows scripts from our own files only, so the small preload helper stays a file, too.
  build: {
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The console; documents of their own without the shell: a stage screen, the player at the PA, the page of guests with
    // what keeps it on their phones; and what draws films.
    rolldownOptions: {
      input: [
        "index.html",
        "stage.html",
        "player.html",
        "guest.html",
        "event.html",
        "stage-film.html",
        "src/guest/worker.ts",
      ],
      // A browser finds the worker by its address, which stays.
      output: { entryFileNames: ({ name }) => (name === "worker" ? "guest-worker.js" : "assets/[name]-[hash].js") },
    },
    reportCompressedSize: true,
    // Three.js, read by those who look at the stage alone: 118 KB as it travels.
    chunkSizeWarningLimit: 600,
  },
};

export default defineConfig({ ...config, plugins: [config.plugins, joinSharedChunks(config)] });
