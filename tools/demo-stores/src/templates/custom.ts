import { menu } from '../html.ts';
import type { Template } from './template.ts';

/** A shop without a known platform: a Next.js front end. */
export const custom: Template = {
  headers: () => ({ 'x-powered-by': 'Next.js' }),
  card: ({ product, name, price, words }) => `
<li><a href="/p/${product.handle}">${name}</a> <b>${price}</b>
<button type="button" data-add="${product.id}">${words.buy}</button></li>`,
  home({ store, title, tagline, words, head, footer, cards }) {
    const data = { props: { pageProps: { shop: store.title, currency: store.currency } }, page: '/', buildId: 'demo' };
    return `<!DOCTYPE html>
<html lang="${store.language}">
<head>
<meta charSet="utf-8"/><meta name="viewport" content="width=device-width"/>
<title>${title} — ${tagline}</title><meta property="og:site_name" content="${title}"/>
<meta name="description" content="${tagline}"/>
<link rel="stylesheet" href="/_next/static/css/0badc0de.css" data-n-g=""/>
<script src="/_next/static/chunks/main-0badc0de.js" defer=""></script>
${head}
</head>
<body><div id="__next"><header><h1>${title}</h1>${menu(store, '/c/')} <a href="/cart">${words.cart}</a> <a href="/checkout">→</a></header>
<main><h2>${tagline}</h2><ul>${cards}</ul></main>
${footer}</div>
<script id="__NEXT_DATA__" type="application/json">${JSON.stringify(data)}</script>
</body></html>`;
  },
  robots: ['Disallow: /checkout'],
};
