import { menu } from '../html.ts';
import type { PageContext, Template } from './template.ts';

const localeOf = ({ language }: PageContext['store']) => language.replace('-', '_');
const siteOf = ({ store, origin }: Pick<PageContext, 'store' | 'origin'>) =>
  `${origin}/on/demandware.store/Sites-${store.theme}-Site/${localeOf(store)}`;

export const salesforceCommerceCloud: Template = {
  headers: () => ({ server: 'Demandware eCommerce Server' }),
  cookies: ['dwsid=demo; path=/; HttpOnly', 'dwanonymous_0badc0de=demo; path=/', 'dw_dnt=0; path=/'],
  card: ({ product, name, price, ...context }) => `
<div class="product" data-pid="${product.id}"><div class="product-tile">
<a class="link" href="${context.origin}/${product.id}.html?dwvar_${product.id}_color=01">${name}</a>
<span class="sales"><span class="value" content="${product.price.toFixed(2)}">${price}</span></span>
<button class="add-to-cart" data-url="${siteOf(context)}/Cart-AddProduct">${context.words.buy}</button></div></div>`,
  home({ store, title, tagline, words, head, origin, footer, cards }) {
    const site = siteOf({ store, origin });
    const assets = `${origin}/on/demandware.static/Sites-${store.theme}-Site/-/${localeOf(store)}/v1700000000000`;
    return `<!DOCTYPE html>
<html lang="${store.language.split('-')[0]}">
<head>
<meta charset=UTF-8><title>${title} | ${tagline}</title>
<meta name="description" content="${tagline}"/>
<link rel="stylesheet" href="${assets}/css/global.css" />
<script defer type="text/javascript" src="${assets}/js/main.js"></script>
<script type="text/javascript">var dwAnalytics = window.dwAnalytics || {}; var dw = window.dw || {};</script>
<script src="${origin}/on/demandware.static/Sites-${store.theme}-Site/-/default/internal/jscript/dwanalytics-22.2.js" async></script>
${head}
</head>
<body>
<div class="page" data-action="Home-Show" data-querystring="">
<header><h1>${title}</h1>${menu(store, '/')} <div class="minicart" data-action-url="${site}/Cart-MiniCartShow"><a href="${site}/Cart-Show">${words.cart}</a></div></header>
<main><p>${tagline}</p>${cards}</main>
${footer}</div>
</body></html>`;
  },
  robots: ['Disallow: /on/demandware.store/*/Cart-', 'Disallow: /*prefn1*'],
  sitemap: 'sitemap_index.xml',
};
