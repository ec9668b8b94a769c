import { menu } from '../html.ts';
import type { Template } from './template.ts';

export const opencart: Template = {
  cookies: ['OCSESSID=demo0123456789; path=/', 'currency=; path=/'],
  card: ({ product, name, price, words, origin }) => `
<div class="product-layout"><div class="product-thumb transition">
<h4><a href="${origin}/index.php?route=product/product&amp;product_id=${product.id}">${name}</a></h4>
<p class="price">${price}</p>
<button type="button" onclick="cart.add('${product.id}');">${words.buy}</button></div></div>`,
  home: ({ store, title, tagline, words, head, origin, footer, cards }) => `<!DOCTYPE html>
<html dir="ltr" lang="${store.language.split('-')[0]}">
<head>
<meta charset="UTF-8" /><title>${title} - ${tagline}</title>
<base href="${origin}/" /><meta name="description" content="${tagline}" />
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
<header><div id="logo"><h1><a href="${origin}/index.php?route=common/home">${title}</a></h1></div>${menu(store, '/index.php?route=product/category&amp;path=')}</header>
<div id="content"><h3>${tagline}</h3><div class="row">${cards}</div></div>
${footer}
</body></html>`,
  robots: ['Disallow: /*route=account/', 'Disallow: /*route=checkout/'],
};
