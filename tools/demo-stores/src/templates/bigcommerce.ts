import { menu } from '../html.ts';
import type { Template } from './template.ts';

const cdn = 'https://cdn11.bigcommerce.com/s-demo1234';

export const bigcommerce: Template = {
  headers: () => ({ 'x-bc-storefront-request-id': '00000000-demo' }),
  cookies: ['SHOP_SESSION_TOKEN=demo; path=/', 'fornax_anonymousId=demo; path=/'],
  card: ({ product, name, price, words }) => `
<li class="product"><article class="card" data-entity-id="${product.id}">
<img src="${cdn}/images/stencil/320w/products/${product.id}/${product.handle}.jpg" alt="">
<h3 class="card-title"><a href="/${product.handle}/">${name}</a></h3>
<span data-product-price-without-tax class="price price--withoutTax">${price}</span>
<a href="/cart.php?action=add&amp;product_id=${product.id}" class="button">${words.buy}</a></article></li>`,
  home: ({ store, title, tagline, words, head, origin, footer, cards }) => `<!DOCTYPE html>
<html class="no-js" lang="${store.language.split('-')[0]}">
<head>
<title>${title} - ${tagline}</title>
<link rel="dns-prefetch preconnect" href="https://cdn11.bigcommerce.com" crossorigin>
<meta name="description" content="${tagline}"><link rel="canonical" href="${origin}/" />
<meta name="platform" content="bigcommerce.stencil" />
<link data-stencil-stylesheet href="${cdn}/stencil/0badc0de/e/${store.theme}/css/theme.css" rel="stylesheet">
<script>var BCData = {"csrf_token":"demo"};</script>
<script>window.bigcommerce_config = {"store_hash":"demo1234"};</script>
${head}
</head>
<body>
<header class="header"><h1 class="header-logo">${title}</h1>${menu(store, '/categories/')} <a href="/cart.php">${words.cart}</a></header>
<div class="body" data-currency-code="${store.currency}"><p>${tagline}</p><ul class="productGrid">${cards}</ul></div>
${footer}
<script src="${cdn}/stencil/0badc0de/dist/theme-bundle.main.js"></script>
<script>window.stencilBootstrap("default", "{\\"themeSettings\\":{\\"name\\":\\"${store.theme}\\"}}").load();</script>
<script type="text/javascript" src="https://cdn11.bigcommerce.com/shared/js/csrf-protection-header-demo.js"></script>
</body></html>`,
  robots: ['Disallow: /account.php', 'Disallow: /cart.php', 'Disallow: /checkout'],
  sitemap: 'xmlsitemap.php',
};
