import { menu } from '../html.ts';
import type { Template } from './template.ts';

export const shopware: Template = {
  headers: () => ({
    'sw-context-token': '0123456789abcdef0123456789abcdef',
    'sw-language-id': '2fbb5fe2e29a4d70aa5854ce7ce3e20b',
    'sw-version-id': '0fa91ce3e96a4bc2be4bd9ce752c3425',
  }),
  cookies: ['session-=demo; path=/', 'sw-states=; path=/'],
  card: ({ product, name, price, words, origin }) => `
<div class="card product-box box-standard" data-product-information='{"id":"${product.id}"}'>
<a href="${origin}/${product.handle}" class="product-name">${name}</a>
<span class="product-price">${price}</span>
<form action="/checkout/line-item/add" method="post" class="buy-widget" data-add-to-cart="true"><button class="btn btn-buy">${words.buy}</button></form></div>`,
  home: ({ store, title, tagline, words, head, origin, footer, cards }) => `<!DOCTYPE html>
<html lang="${store.language}" itemscope="itemscope" itemtype="https://schema.org/WebPage">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${tagline}"><title itemprop="name">${title}</title>
<link rel="stylesheet" href="${origin}/theme/0badc0de/css/all.css?1700000000">
<script>window.features = {"V6_5_0_0":true}; window.useDefaultCookieConsent = true;
window.activeNavigationId = 'demo'; window.router = {"frontend.cart.offcanvas":"\\/checkout\\/offcanvas","frontend.cookie.offcanvas":"\\/cookie\\/offcanvas"};
window.salesChannelId = 'demo'; window.apiAccessUrl = '/demo';</script>
<script src="${origin}/bundles/storefront/assets/js/storefront.js"></script>
<script src="${origin}/theme/0badc0de/js/storefront/storefront.js?1700000000" defer></script>
${head}
</head>
<body class="is-ctl-navigation is-act-home">
<header class="header-main"><h1>${title}</h1>${menu(store, '/')} <div class="header-cart" data-off-canvas-cart="true"><a href="/checkout/cart">${words.cart}</a></div></header>
<main class="content-main"><p>${tagline}</p><div class="cms-listing-row js-listing-wrapper">${cards}</div></main>
${footer}
</body></html>`,
  robots: ['Allow: /', 'Disallow: /checkout/', 'Disallow: /account/'],
  sitemap: 'sitemap.xml',
};
