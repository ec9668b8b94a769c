import { menu } from '../html.ts';
import { type Answer, json, type PageContext, shopIdOf, type Template } from './template.ts';

const headers = {
  'powered-by': 'Shopify',
  'x-shopid': '60123456',
  'x-shopify-stage': 'production',
  'x-sorting-hat-shopid': '60123456',
  'content-language': 'en',
};

type HeadContext = Pick<PageContext, 'store' | 'title' | 'tagline' | 'head' | 'origin'>;

function headOf({ store, title, tagline, head, origin }: HeadContext): string {
  const shop = `${shopIdOf(store)}.myshopify.com`;
  return `<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} | ${tagline}</title>
<meta name="description" content="${tagline}">
<link rel="canonical" href="${origin}/">
<link rel="preconnect" href="https://cdn.shopify.com" crossorigin>
<meta property="og:site_name" content="${title}"><meta property="og:type" content="website">
<meta name="shopify-checkout-api-token" content="0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f">
<meta name="shopify-digital-wallet" content="/60123456/digital_wallets/dialog">
<link href="${origin}/cdn/shop/t/4/assets/base.css?v=1001" rel="stylesheet" media="all">
<script>var Shopify = Shopify || {};
Shopify.shop = "${shop}";
Shopify.locale = "${store.language.split('-')[0]}";
Shopify.currency = {"active":"${store.currency}","rate":"1.0"};
Shopify.country = "${store.country}";
Shopify.theme = {"name":"${store.theme}","id":128990000001,"schema_name":"${store.theme}","schema_version":"12.0.0","theme_store_id":887,"role":"main"};
Shopify.cdnHost = "${store.domain}/cdn";
Shopify.routes = Shopify.routes || {}; Shopify.routes.root = "/";</script>
<script src="https://cdn.shopify.com/shopifycloud/shopify/assets/storefront/load_feature-demo.js" crossorigin="anonymous"></script>
${head}
</head>`;
}

/** /products.json: prices are strings in major units, at most 250 products per page. */
function listing({ products, store }: PageContext, query: URLSearchParams): Answer {
  const limit = Math.min(Number(query.get('limit') ?? 30) || 30, 250);
  const page = Math.max(Number(query.get('page') ?? 1) || 1, 1);
  const rows = products.slice((page - 1) * limit, page * limit).map((product) => ({
    id: product.id,
    title: product.name,
    handle: product.handle,
    body_html: `<p>${product.name}</p>`,
    published_at: '2026-01-05T09:00:00Z',
    vendor: store.title,
    product_type: product.category,
    tags: [product.category],
    variants: [
      {
        id: product.id * 10,
        title: 'Default Title',
        sku: `SKU-${product.id}`,
        requires_shipping: true,
        taxable: true,
        available: product.available,
        price: product.price.toFixed(2),
        compare_at_price: null,
        position: 1,
        product_id: product.id,
      },
    ],
    images: [],
    options: [{ name: 'Title', position: 1, values: ['Default Title'] }],
  }));
  return json({ products: rows }, headers);
}

export const shopify: Template = {
  headers: () => headers,
  cookies: ['_shopify_y=demo-y; path=/', '_shopify_s=demo-s; path=/', 'localization=; path=/'],
  card: ({ product, name, price, words }) => `
<li class="grid__item"><a href="/products/${product.handle}"><img src="/cdn/shop/products/${product.handle}.jpg?v=1" alt="">
<h3>${name}</h3></a><span class="price">${price}</span>
<form action="/cart/add" method="post"><button name="add">${product.available ? words.buy : words.soldOut}</button></form></li>`,
  home: ({ store, title, tagline, words, footer, cards, ...rest }) => `<!doctype html>
<html class="no-js" lang="${store.language}">
${headOf({ store, title, tagline, ...rest })}
<body class="gradient">
<header id="shopify-section-header" class="shopify-section section-header"><h1>${title}</h1>
${menu(store, '/collections/')} <a href="/cart">${words.cart}</a> <form action="/search">${words.search}</form></header>
<main id="MainContent"><h2>${tagline}</h2><ul class="product-grid">${cards}</ul></main>
${footer}
</body></html>`,
  password: (context) => `<!doctype html><html lang="${context.store.language}">${headOf(context)}
<body class="template-password"><main><h1>${context.title}</h1><p>Opening soon</p>
<form method="post" action="/password" id="login_form"><input type="hidden" name="form_type" value="storefront_password">
<input type="password" name="password"><button>Enter</button></form></main></body></html>`,
  robots: [
    '# we use Shopify as our ecommerce platform',
    'Disallow: /admin',
    'Disallow: /cart',
    'Disallow: /orders',
    'Disallow: /checkouts/',
    'Disallow: /account',
  ],
  sitemap: 'sitemap.xml',
  other: (context, path, query) =>
    path === '/products.json' || path === '/collections/all/products.json' ? listing(context, query) : undefined,
};
