import { escapeHtml, footer, menu, money } from '../html.ts';
import type { Answer, PageContext, Template } from './template.ts';

function home({ store, products, words, head }: PageContext): Answer {
  const cards = products.slice(0, 12).map(
    (
      product,
    ) => `<div class="grid-item ProductList-item" data-item-id="${product.id}"><a href="/shop/p/${product.handle}">
<img data-src="https://images.squarespace-cdn.com/content/v1/demo/${product.handle}.jpg" alt=""></a>
<div class="grid-title">${escapeHtml(product.name)}</div><div class="product-price">${money(store, product.price)}</div>
<div class="sqs-add-to-cart-button" role="button">${words.buy}</div></div>`,
  );
  const context = {
    websiteId: '5f0000000000000000demo',
    templateVersion: '7.1',
    website: { siteTitle: store.title, language: store.language, timeZone: 'UTC' },
    websiteSettings: {
      country: store.country,
      storeSettings: { storeState: 1, sellingCurrency: store.currency, isLive: true },
    },
    cookieSettings: {},
    pageType: 2,
  };
  return {
    headers: { server: 'Squarespace', 'x-contextid': 'demo/0001' },
    cookies: ['crumb=demo; path=/'],
    body: `<!doctype html>
<html xmlns:og="http://opengraphprotocol.org/schema/" lang="${store.language}">
<head>
<meta http-equiv="X-UA-Compatible" content="IE=edge,chrome=1"><meta name="viewport" content="width=device-width, initial-scale=1">
<!-- This is Squarespace. --><!-- ${store.theme} -->
<base href=""><meta charset="utf-8" /><title>${escapeHtml(store.title)}</title>
<meta property="og:site_name" content="${escapeHtml(store.title)}"/><meta name="description" content="${escapeHtml(store.tagline)}">
<link rel="preconnect" href="https://images.squarespace-cdn.com">
<script>SQUARESPACE_ROLLUPS = {};</script>
<script>(function(rollups, name) { rollups[name] = {"js":["//assets.squarespace.com/universal/scripts-compressed/commerce-0badc0de-min.en-US.js"]}; })(SQUARESPACE_ROLLUPS, 'squarespace-commerce');</script>
<script crossorigin="anonymous" src="//assets.squarespace.com/universal/scripts-compressed/commerce-0badc0de-min.en-US.js"></script>
<script data-name="static-context">Static = window.Static || {}; Static.SQUARESPACE_CONTEXT = ${JSON.stringify(context)};</script>
${head}
</head>
<body id="collection-demo" class="tweak-products-category-title collection-type-products view-list">
<header id="header" class="header"><h1>${escapeHtml(store.title)}</h1>${menu(store, '/shop/')} <a href="/cart" class="sqs-cart-quantity">${words.cart}</a></header>
<main id="page"><p>${escapeHtml(store.tagline)}</p><div class="products collection-content-wrapper">${cards.join('\n')}</div></main>
${footer(store)}
<script>Static.SQUARESPACE_CONTEXT.loaded = true;</script>
</body></html>`,
  };
}

export const squarespace: Template = {
  home,
  robots: ['Disallow: /config', 'Disallow: /search', 'Disallow: /account$', 'Disallow: /api/'],
  sitemap: 'sitemap.xml',
};
