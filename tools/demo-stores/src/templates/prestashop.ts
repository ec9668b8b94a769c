import { escapeHtml, footer, menu, money } from '../html.ts';
import type { Answer, PageContext, Template } from './template.ts';

function home({ store, products, words, head, origin }: PageContext): Answer {
  const charset = store.charset ?? 'utf-8';
  const cards = products.slice(0, 12).map(
    (product) => `<article class="product-miniature js-product-miniature" data-id-product="${product.id}">
<h3 class="h3 product-title"><a href="${origin}/${product.id}-${product.handle}.html">${escapeHtml(product.name)}</a></h3>
<span class="price" aria-label="Price">${money(store, product.price)}</span>
<button data-button-action="add-to-cart">${product.available ? words.buy : words.soldOut}</button></article>`,
  );
  return {
    headers: { 'powered-by': 'PrestaShop', 'content-type': `text/html; charset=${charset}` },
    cookies: ['PrestaShop-0badc0de=def50200demo; path=/; HttpOnly'],
    body: `<!doctype html>
<html lang="${store.language}">
<head>
<meta charset="${charset}"><meta name="generator" content="PrestaShop">
<title>${escapeHtml(`${store.title} - ${store.tagline}`)}</title>
<meta name="description" content="${escapeHtml(store.tagline)}">
<link rel="stylesheet" href="${origin}/themes/${store.theme}/assets/css/theme.css" type="text/css" media="all">
<link rel="stylesheet" href="${origin}/modules/ps_searchbar/ps_searchbar.css" type="text/css" media="all">
<script type="text/javascript">
var prestashop = {"cart":{"products":[],"totals":{"total":{"type":"total","amount":0}}},"currency":{"name":"${store.currency}","iso_code":"${store.currency}","sign":"","iso_code_num":"978"},"country":{"iso_code":"${store.country}"},"language":{"iso_code":"${store.language.split('-')[0]}","locale":"${store.language}"},"shop":{"name":"${store.title}"}};
var prestashopFacebookAjaxController = "";
</script>
${head}
</head>
<body id="index" class="lang-${store.language.split('-')[0]} country-${store.country.toLowerCase()} currency-${store.currency.toLowerCase()} layout-full-width page-index">
<header id="header"><h1>${escapeHtml(store.title)}</h1>${menu(store, '/')} <div class="blockcart cart-preview"><a href="//${store.domain}/cart?action=show">${words.cart}</a></div></header>
<main><section class="featured-products"><h2>${escapeHtml(store.tagline)}</h2>${cards.join('\n')}</section></main>
${footer(store)}
<script type="text/javascript" src="${origin}/themes/core.js"></script>
<script type="text/javascript" src="${origin}/modules/ps_shoppingcart/ps_shoppingcart.js"></script>
</body></html>`,
  };
}

export const prestashop: Template = {
  home,
  robots: ['Disallow: /*?order=', 'Disallow: /cart', 'Disallow: /modules/', 'Allow: */modules/*.css'],
  sitemap: '1_index_sitemap.xml',
};
