import { menu } from '../html.ts';
import type { Template } from './template.ts';

export const squarespace: Template = {
  headers: () => ({ server: 'Squarespace', 'x-contextid': 'demo/0001' }),
  cookies: ['crumb=demo; path=/'],
  card: ({ product, name, price, words }) => `
<div class="grid-item ProductList-item" data-item-id="${product.id}"><a href="/shop/p/${product.handle}">
<img data-src="https://images.squarespace-cdn.com/content/v1/demo/${product.handle}.jpg" alt=""></a>
<div class="grid-title">${name}</div><div class="product-price">${price}</div>
<div class="sqs-add-to-cart-button" role="button">${words.buy}</div></div>`,
  home({ store, title, tagline, words, head, footer, cards }) {
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
    return `<!doctype html>
<html xmlns:og="http://opengraphprotocol.org/schema/" lang="${store.language}">
<head>
<meta http-equiv="X-UA-Compatible" content="IE=edge,chrome=1"><meta name="viewport" content="width=device-width, initial-scale=1">
<!-- This is Squarespace. --><!-- ${store.theme} -->
<base href=""><meta charset="utf-8" /><title>${title}</title>
<meta property="og:site_name" content="${title}"/><meta name="description" content="${tagline}">
<link rel="preconnect" href="https://images.squarespace-cdn.com">
<script>SQUARESPACE_ROLLUPS = {};</script>
<script>(function(rollups, name) { rollups[name] = {"js":["//assets.squarespace.com/universal/scripts-compressed/commerce-0badc0de-min.en-US.js"]}; })(SQUARESPACE_ROLLUPS, 'squarespace-commerce');</script>
<script crossorigin="anonymous" src="//assets.squarespace.com/universal/scripts-compressed/commerce-0badc0de-min.en-US.js"></script>
<script data-name="static-context">Static = window.Static || {}; Static.SQUARESPACE_CONTEXT = ${JSON.stringify(context)};</script>
${head}
</head>
<body id="collection-demo" class="tweak-products-category-title collection-type-products view-list">
<header id="header" class="header"><h1>${title}</h1>${menu(store, '/shop/')} <a href="/cart" class="sqs-cart-quantity">${words.cart}</a></header>
<main id="page"><p>${tagline}</p><div class="products collection-content-wrapper">${cards}</div></main>
${footer}
<script>Static.SQUARESPACE_CONTEXT.loaded = true;</script>
</body></html>`;
  },
  robots: ['Disallow: /config', 'Disallow: /search', 'Disallow: /account$', 'Disallow: /api/'],
  sitemap: 'sitemap.xml',
};
