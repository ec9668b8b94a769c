import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defaultClientConditions, defaultServerConditions, defineConfig } from 'vite';

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  // Workspace packages are bundled from their sources, so the web application needs none of them built.
  resolve: { conditions: ['@shopscope/source', ...defaultClientConditions] },
  ssr: { resolve: { conditions: ['@shopscope/source', ...defaultServerConditions] } },
  build: {
    // An inlined asset is a data: URL, which the content security policy refuses.
    assetsInlineLimit: 0,
  },
});
