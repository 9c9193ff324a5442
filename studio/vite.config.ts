import { defineConfig } from 'vitest/config';

// PREJOIN: where `npm run dev` finds the server that answers the DynamoDB and model APIs.
const server = process.env.PREJOIN ?? 'http://127.0.0.1:8000';

export default defineConfig({
  base: '/studio/',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  // Inline assets would need `data:` in the content-security policy.
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { proxy: { '^/model/': server, '^/$': server, '^/(partitions|clock|faults)$': server } },
  test: { include: ['tests/unit/**/*.test.ts'], setupFiles: ['tests/unit/node_crypto.ts'] },
});
