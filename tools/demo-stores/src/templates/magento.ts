import { menu } from '../html.ts';
import type { Template } from './template.ts';

const version = 'version1718000000';

export const magento: Template = {
  headers: () => ({ 'x-magento-tags': 'FPC', 'x-frame-options': 'SAMEORIGIN' }),
  cookies: ['X-Magento-Vary=0badc0de; path=/; HttpOnly', 'mage-cache-sessid=true; path=/'],
  card: ({ product, name, price, words }) => `
<li class="product-item"><a class="product-item-link" href="/${product.handle}.html">${name}</a>
<span class="price-wrapper" data-price-amount="${product.price}" data-price-type="finalPrice"><span class="price">${price}</span></span>
<form data-role="tocart-form" action="/checkout/cart/add/product/${product.id}/"><button class="action tocart primary">${words.buy}</button></form></li>`,
  home({ store, title, tagline, words, head, origin, footer, cards }) {
    const base = `${origin}/static/${version}/frontend/Demo/${store.theme}/${store.language.replace('-', '_')}`;
    return `<!doctype html>
<html lang="${store.language.split('-')[0]}">
<head>
<script> var BASE_URL = '${origin}/'; var require = { 'baseUrl': '${base}' };</script>
<meta charset="utf-8"/><meta name="title" content="${title}"/>
<meta name="description" content="${tagline}"/>
<title>${title} - ${tagline}</title>
<link rel="stylesheet" type="text/css" media="all" href="${base}/css/styles-m.css"/>
<script type="text/javascript" src="${base}/requirejs/require.js"></script>
<script type="text/javascript" src="${base}/mage/requirejs/mixins.js"></script>
<script type="text/javascript" src="${base}/Magento_Theme/js/responsive.js"></script>
${head}
</head>
<body data-container="body" data-mage-init='{"loaderAjax": {}, "loader": { "icon": "${base}/images/loader-2.gif"}}' class="cms-home cms-index-index page-layout-1column">
<script type="text/x-magento-init">{"*": {"Magento_PageCache/js/form-key-provider": {}, "mage/cookies": {"expires": null, "path": "/", "domain": ".${store.domain}"}}}</script>
<header class="page-header"><h1>${title}</h1>${menu(store, '/')} <a class="action showcart" href="/checkout/cart/">${words.cart}</a></header>
<main id="maincontent" class="page-main"><p>${tagline}</p><ol class="products list items product-items">${cards}</ol></main>
<script type="text/x-magento-init">{"[data-role=tocart-form]": {"catalogAddToCart": {"product_sku": "demo"}}}</script>
${footer}
</body></html>`;
  },
  robots: ['Disallow: /checkout/', 'Disallow: /customer/', 'Disallow: /catalogsearch/'],
  sitemap: 'sitemap.xml',
};
