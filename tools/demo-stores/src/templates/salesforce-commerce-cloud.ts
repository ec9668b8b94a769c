import { escapeHtml, footer, menu, money } from '../html.ts';
import type { Answer, PageContext, Template } from './template.ts';

function home({ store, products, words, head, origin }: PageContext): Answer {
  const locale = store.language.replace('-', '_');
  const site = `${origin}/on/demandware.store/Sites-${store.theme}-Site/${locale}`;
  const assets = `${origin}/on/demandware.static/Sites-${store.theme}-Site/-/${locale}/v1700000000000`;
  const cards = products.slice(0, 12).map(
    (product) => `<div class="product" data-pid="${product.id}"><div class="product-tile">
<a class="link" href="${origin}/${product.id}.html?dwvar_${product.id}_color=01">${escapeHtml(product.name)}</a>
<span class="sales"><span class="value" content="${product.price.toFixed(2)}">${money(store, product.price)}</span></span>
<button class="add-to-cart" data-url="${site}/Cart-AddProduct">${words.buy}</button></div></div>`,
  );
  return {
    headers: { server: 'Demandware eCommerce Server' },
    cookies: ['dwsid=demo; path=/; HttpOnly', 'dwanonymous_0badc0de=demo; path=/', 'dw_dnt=0; path=/'],
    body: `<!DOCTYPE html>
<html lang="${store.language.split('-')[0]}">
<head>
<meta charset=UTF-8><title>${escapeHtml(`${store.title} | ${store.tagline}`)}</title>
<meta name="description" content="${escapeHtml(store.tagline)}"/>
<link rel="stylesheet" href="${assets}/css/global.css" />
<script defer type="text/javascript" src="${assets}/js/main.js"></script>
<script type="text/javascript">var dwAnalytics = window.dwAnalytics || {}; var dw = window.dw || {};</script>
<script src="${origin}/on/demandware.static/Sites-${store.theme}-Site/-/default/internal/jscript/dwanalytics-22.2.js" async></script>
${head}
</head>
<body>
<div class="page" data-action="Home-Show" data-querystring="">
<header><h1>${escapeHtml(store.title)}</h1>${menu(store, '/')} <div class="minicart" data-action-url="${site}/Cart-MiniCartShow"><a href="${site}/Cart-Show">${words.cart}</a></div></header>
<main><p>${escapeHtml(store.tagline)}</p>${cards.join('\n')}</main>
${footer(store)}</div>
</body></html>`,
  };
}

export const salesforceCommerceCloud: Template = {
  home,
  robots: ['Disallow: /on/demandware.store/*/Cart-', 'Disallow: /*prefn1*'],
  sitemap: 'sitemap_index.xml',
};
