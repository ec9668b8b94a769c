import { escapeHtml, footer, menu, money } from '../html.ts';
import type { Answer, PageContext, Template } from './template.ts';

function home({ store, products, words, head, origin }: PageContext): Answer {
  const cards = products.slice(0, 12).map(
    (product) => `<div class="product-layout"><div class="product-thumb transition">
<h4><a href="${origin}/index.php?route=product/product&amp;product_id=${product.id}">${escapeHtml(product.name)}</a></h4>
<p class="price">${money(store, product.price)}</p>
<button type="button" onclick="cart.add('${product.id}');">${words.buy}</button></div></div>`,
  );
  return {
    cookies: ['OCSESSID=demo0123456789; path=/', 'currency=; path=/'],
    body: `<!DOCTYPE html>
<html dir="ltr" lang="${store.language.split('-')[0]}">
<head>
<meta charset="UTF-8" /><title>${escapeHtml(`${store.title} - ${store.tagline}`)}</title>
<base href="${origin}/" /><meta name="description" content="${escapeHtml(store.tagline)}" />
<script src="catalog/view/javascript/jquery/jquery-2.1.1.min.js"></script>
<link href="catalog/view/javascript/bootstrap/css/bootstrap.min.css" rel="stylesheet" media="screen" />
<link href="catalog/view/theme/${store.theme}/stylesheet/stylesheet.css" rel="stylesheet" />
<script src="catalog/view/javascript/common.js"></script>
${head}
</head>
<body class="common-home">
<nav id="top"><a href="${origin}/index.php?route=information/contact">${words.contact}</a>
<a href="${origin}/index.php?route=account/wishlist" id="wishlist-total">♥</a> <a href="${origin}/index.php?route=checkout/cart">${words.cart}</a>
<form action="${origin}/index.php?route=common/currency/currency" method="post"></form></nav>
<header><div id="logo"><h1><a href="${origin}/index.php?route=common/home">${escapeHtml(store.title)}</a></h1></div>${menu(store, '/index.php?route=product/category&amp;path=')}</header>
<div id="content"><h3>${escapeHtml(store.tagline)}</h3><div class="row">${cards.join('\n')}</div></div>
${footer(store)}
</body></html>`,
  };
}

export const opencart: Template = {
  home,
  robots: ['Disallow: /*route=account/', 'Disallow: /*route=checkout/'],
};
