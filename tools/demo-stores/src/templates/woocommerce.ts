import { menu } from '../html.ts';
import { type Answer, json, type PageContext, type Template } from './template.ts';

const asset = (path: string, version: string) => `/wp-content/plugins/woocommerce/assets/${path}?ver=${version}`;

/** The Store API: prices are strings in minor units, at most 100 products per page, the total in a header. */
function listing({ store, products, origin }: PageContext, query: URLSearchParams): Answer {
  const perPage = Math.min(Number(query.get('per_page') ?? 10) || 10, 100);
  const page = Math.max(Number(query.get('page') ?? 1) || 1, 1);
  const rows = products.slice((page - 1) * perPage, page * perPage).map((product) => {
    const minor = String(Math.round(product.price * 100));
    return {
      id: product.id,
      name: product.name,
      slug: product.handle,
      type: 'simple',
      permalink: `${origin}/product/${product.handle}/`,
      sku: `SKU-${product.id}`,
      on_sale: false,
      prices: {
        price: minor,
        regular_price: minor,
        sale_price: minor,
        price_range: null,
        currency_code: store.currency,
        currency_minor_unit: 2,
      },
      categories: [{ id: 15, name: product.category, slug: product.category.toLowerCase() }],
      is_purchasable: true,
      is_in_stock: product.available,
    };
  });
  return json(rows, {
    'x-wp-total': String(products.length),
    'x-wp-totalpages': String(Math.ceil(products.length / perPage)),
  });
}

export const woocommerce: Template = {
  headers: ({ origin }) => ({ link: `<${origin}/wp-json/>; rel="https://api.w.org/"`, 'x-powered-by': 'PHP/8.2.20' }),
  card: ({ product, name, price, words }) => `
<li class="product type-product post-${product.id} ${product.available ? 'instock' : 'outofstock'} purchasable">
<a href="/product/${product.handle}/" class="woocommerce-LoopProduct-link"><h2 class="woocommerce-loop-product__title">${name}</h2></a>
<span class="price"><span class="woocommerce-Price-amount amount"><bdi>${price}</bdi></span></span>
<a href="?add-to-cart=${product.id}" class="button add_to_cart_button ajax_add_to_cart">${words.buy}</a></li>`,
  home: ({ store, title, tagline, words, head, origin, footer, cards }) => `<!DOCTYPE html>
<html lang="${store.language}">
<head>
<meta charset="UTF-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – ${tagline}</title>
<meta name="generator" content="WordPress 6.6.2"><meta name="generator" content="WooCommerce 9.3.3">
<meta property="og:site_name" content="${title}">
<link rel="https://api.w.org/" href="${origin}/wp-json/">
<link rel="stylesheet" id="woocommerce-general-css" href="${asset('css/woocommerce.css', '9.3.3')}" media="all">
<link rel="stylesheet" id="${store.theme}-style-css" href="/wp-content/themes/${store.theme}/style.css?ver=4.6.0" media="all">
<script src="/wp-includes/js/jquery/jquery.min.js?ver=3.7.1" id="jquery-core-js"></script>
<script src="${asset('js/frontend/add-to-cart.min.js', '9.3.3')}" id="wc-add-to-cart-js"></script>
<script id="wc-add-to-cart-js-extra">
var wc_add_to_cart_params = {"ajax_url":"\\/wp-admin\\/admin-ajax.php","wc_ajax_url":"\\/?wc-ajax=%%endpoint%%","cart_url":"${origin.replaceAll('/', '\\/')}\\/cart\\/","is_cart":"","cart_redirect_after_add":"no"};
var woocommerce_params = {"ajax_url":"\\/wp-admin\\/admin-ajax.php","wc_ajax_url":"\\/?wc-ajax=%%endpoint%%"};
</script>
<noscript><style>.woocommerce-product-gallery{ opacity: 1 !important; }</style></noscript>
${head}
</head>
<body class="home page-template theme-${store.theme} woocommerce-page woocommerce woocommerce-no-js">
<header><h1>${title}</h1>${menu(store, '/product-category/')} <a class="cart-contents" href="/cart/">${words.cart}</a></header>
<main><p>${tagline}</p><ul class="products columns-4">${cards}</ul></main>
${footer}
<script src="${asset('js/frontend/woocommerce.min.js', '9.3.3')}" id="woocommerce-js"></script>
</body></html>`,
  robots: ['Disallow: /wp-admin/', 'Allow: /wp-admin/admin-ajax.php', 'Disallow: /cart/', 'Disallow: /checkout/'],
  sitemap: 'wp-sitemap.xml',
  other: (context, path, query) =>
    path === '/wp-json/wc/store/v1/products' || path === '/wp-json/wc/store/products'
      ? listing(context, query)
      : undefined,
};
