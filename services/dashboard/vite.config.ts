import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  build: {
    // An inlined asset is a data: URL, which the content security policy refuses.
    assetsInlineLimit: 0,
  },
});
