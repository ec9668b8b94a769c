import { escapeHtml, footer, menu, money } from '../html.ts';
import type { Answer, PageContext, Template } from './template.ts';

const version = 'version1718000000';

function home({ store, products, words, head, origin }: PageContext): Answer {
  const base = `${origin}/static/${version}/frontend/Demo/${store.theme}/${store.language.replace('-', '_')}`;
  const cards = products.slice(0, 12).map(
    (
      product,
    ) => `<li class="product-item"><a class="product-item-link" href="/${product.handle}.html">${escapeHtml(product.name)}</a>
<span class="price-wrapper" data-price-amount="${product.price}" data-price-type="finalPrice"><span class="price">${money(store, product.price)}</span></span>
<form data-role="tocart-form" action="/checkout/cart/add/product/${product.id}/"><button class="action tocart primary">${words.buy}</button></form></li>`,
  );
  return {
    headers: { 'x-magento-tags': 'FPC', 'x-frame-options': 'SAMEORIGIN' },
    cookies: ['X-Magento-Vary=0badc0de; path=/; HttpOnly', 'mage-cache-sessid=true; path=/'],
    body: `<!doctype html>
<html lang="${store.language.split('-')[0]}">
<head>
<script> var BASE_URL = '${origin}/'; var require = { 'baseUrl': '${base}' };</script>
<meta charset="utf-8"/><meta name="title" content="${escapeHtml(store.title)}"/>
<meta name="description" content="${escapeHtml(store.tagline)}"/>
<title>${escapeHtml(`${store.title} - ${store.tagline}`)}</title>
<link rel="stylesheet" type="text/css" media="all" href="${base}/css/styles-m.css"/>
<script type="text/javascript" src="${base}/requirejs/require.js"></script>
<script type="text/javascript" src="${base}/mage/requirejs/mixins.js"></script>
<script type="text/javascript" src="${base}/Magento_Theme/js/responsive.js"></script>
${head}
</head>
<body data-container="body" data-mage-init='{"loaderAjax": {}, "loader": { "icon": "${base}/images/loader-2.gif"}}' class="cms-home cms-index-index page-layout-1column">
<script type="text/x-magento-init">{"*": {"Magento_PageCache/js/form-key-provider": {}, "mage/cookies": {"expires": null, "path": "/", "domain": ".${store.domain}"}}}</script>
<header class="page-header"><h1>${escapeHtml(store.title)}</h1>${menu(store, '/')} <a class="action showcart" href="/checkout/cart/">${words.cart}</a></header>
<main id="maincontent" class="page-main"><p>${escapeHtml(store.tagline)}</p><ol class="products list items product-items">${cards.join('\n')}</ol></main>
<script type="text/x-magento-init">{"[data-role=tocart-form]": {"catalogAddToCart": {"product_sku": "demo"}}}</script>
${footer(store)}
</body></html>`,
  };
}

export const magento: Template = {
  home,
  robots: ['Disallow: /checkout/', 'Disallow: /customer/', 'Disallow: /catalogsearch/'],
  sitemap: 'sitemap.xml',
};
