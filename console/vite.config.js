import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // The server writes the base path into the page: it may be served under any prefix.
  base: './',
  plugins: [react()],
  build: {
    manifest: true,
    // What the bundle is made of, for THIRD-PARTY-NOTICES.md.
    license: { fileName: '.vite/license.json' },
    target: 'es2023',
    // Images and fonts are files of ours, whatever their size: no data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
  },
  logLevel: 'warn',
});
