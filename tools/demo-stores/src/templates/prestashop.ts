import { menu } from '../html.ts';
import type { Template } from './template.ts';

export const prestashop: Template = {
  headers: ({ store: { charset = 'utf-8' } }) => ({
    'powered-by': 'PrestaShop',
    'content-type': `text/html; charset=${charset}`,
  }),
  cookies: ['PrestaShop-0badc0de=def50200demo; path=/; HttpOnly'],
  card: ({ product, name, price, words, origin }) => `
<article class="product-miniature js-product-miniature" data-id-product="${product.id}">
<h3 class="h3 product-title"><a href="${origin}/${product.id}-${product.handle}.html">${name}</a></h3>
<span class="price" aria-label="Price">${price}</span>
<button data-button-action="add-to-cart">${product.available ? words.buy : words.soldOut}</button></article>`,
  home({ store, title, tagline, words, head, origin, footer, cards }) {
    const { charset = 'utf-8' } = store;
    return `<!doctype html>
<html lang="${store.language}">
<head>
<meta charset="${charset}"><meta name="generator" content="PrestaShop">
<title>${title} - ${tagline}</title>
<meta name="description" content="${tagline}">
<link rel="stylesheet" href="${origin}/themes/${store.theme}/assets/css/theme.css" type="text/css" media="all">
<link rel="stylesheet" href="${origin}/modules/ps_searchbar/ps_searchbar.css" type="text/css" media="all">
<script type="text/javascript">
var prestashop = {"cart":{"products":[],"totals":{"total":{"type":"total","amount":0}}},"currency":{"name":"${store.currency}","iso_code":"${store.currency}","sign":"","iso_code_num":"978"},"country":{"iso_code":"${store.country}"},"language":{"iso_code":"${store.language.split('-')[0]}","locale":"${store.language}"},"shop":{"name":"${store.title}"}};
var prestashopFacebookAjaxController = "";
</script>
${head}
</head>
<body id="index" class="lang-${store.language.split('-')[0]} country-${store.country.toLowerCase()} currency-${store.currency.toLowerCase()} layout-full-width page-index">
<header id="header"><h1>${title}</h1>${menu(store, '/')} <div class="blockcart cart-preview"><a href="//${store.domain}/cart?action=show">${words.cart}</a></div></header>
<main><section class="featured-products"><h2>${tagline}</h2>${cards}</section></main>
${footer}
<script type="text/javascript" src="${origin}/themes/core.js"></script>
<script type="text/javascript" src="${origin}/modules/ps_shoppingcart/ps_shoppingcart.js"></script>
</body></html>`;
  },
  robots: ['Disallow: /*?order=', 'Disallow: /cart', 'Disallow: /modules/', 'Allow: */modules/*.css'],
  sitemap: '1_index_sitemap.xml',
};
