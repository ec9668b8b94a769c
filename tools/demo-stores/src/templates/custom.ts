import { escapeHtml, footer, menu, money, organizationLd, productListLd, wordsOf } from '../html.ts';
import type { Answer, PageContext, Template } from './template.ts';

/** A shop without a known platform: a Next.js front end. */
function home({ store, products, apps, origin }: PageContext): Answer {
  const words = wordsOf(store);
  const cards = products.slice(0, 12).map(
    (
      product,
    ) => `<li><a href="/p/${product.handle}">${escapeHtml(product.name)}</a> <b>${money(store, product.price)}</b>
<button type="button" data-add="${product.id}">${words.buy}</button></li>`,
  );
  const data = { props: { pageProps: { shop: store.title, currency: store.currency } }, page: '/', buildId: 'demo' };
  return {
    headers: { 'x-powered-by': 'Next.js' },
    body: `<!DOCTYPE html>
<html lang="${store.language}">
<head>
<meta charSet="utf-8"/><meta name="viewport" content="width=device-width"/>
<title>${escapeHtml(`${store.title} — ${store.tagline}`)}</title><meta property="og:site_name" content="${escapeHtml(store.title)}"/>
<meta name="description" content="${escapeHtml(store.tagline)}"/>
<link rel="stylesheet" href="/_next/static/css/0badc0de.css" data-n-g=""/>
<script src="/_next/static/chunks/main-0badc0de.js" defer=""></script>
${apps}
${organizationLd(store, origin)}
${productListLd(store, origin, products)}
</head>
<body><div id="__next"><header><h1>${escapeHtml(store.title)}</h1>${menu(store, '/c/')} <a href="/cart">${words.cart}</a> <a href="/checkout">→</a></header>
<main><h2>${escapeHtml(store.tagline)}</h2><ul>${cards.join('\n')}</ul></main>
${footer(store)}</div>
<script id="__NEXT_DATA__" type="application/json">${JSON.stringify(data)}</script>
</body></html>`,
  };
}

export const custom: Template = { home, robots: ['Disallow: /checkout'] };
