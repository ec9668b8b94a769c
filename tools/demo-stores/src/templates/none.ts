import { menu } from '../html.ts';
import type { Template } from './template.ts';

/** A site that is not a shop: information without prices or baskets. */
export const none: Template = {
  home: ({ store, title, tagline, apps, footer }) => `<!DOCTYPE html>
<html lang="${store.language}">
<head><meta charset="utf-8"><title>${title}</title>
<meta name="description" content="${tagline}">${apps}</head>
<body><header><h1>${title}</h1>${menu(store, '/')}</header>
<main><article><h2>${tagline}</h2>
<p>The reading room opens at nine. Bring your card; visitors can ask at the desk. Our shop on a well-known platform closed years ago,
and the old link (https://example.myshopify.com) leads nowhere.</p></article></main>
${footer}</body></html>`,
  robots: ['Disallow:'],
};
