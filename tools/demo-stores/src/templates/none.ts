import { escapeHtml, footer, menu } from '../html.ts';
import type { Answer, PageContext, Template } from './template.ts';

/** A site that is no shop: information without prices or baskets. */
function home({ store, apps }: PageContext): Answer {
  return {
    body: `<!DOCTYPE html>
<html lang="${store.language}">
<head><meta charset="utf-8"><title>${escapeHtml(store.title)}</title>
<meta name="description" content="${escapeHtml(store.tagline)}">${apps}</head>
<body><header><h1>${escapeHtml(store.title)}</h1>${menu(store, '/')}</header>
<main><article><h2>${escapeHtml(store.tagline)}</h2>
<p>The reading room opens at nine. Bring your card; visitors can ask at the desk. Our shop on a well-known platform closed years ago,
and the old link (https://example.myshopify.com) leads nowhere.</p></article></main>
${footer(store)}</body></html>`,
  };
}

export const none: Template = { home, robots: ['Disallow:'] };
