import { menu } from '../html.ts';
import type { Template } from './template.ts';

export const wix: Template = {
  headers: () => ({ server: 'Pepyaka', 'x-wix-request-id': '1700000000.demo', 'x-seen-by': 'demo' }),
  cookies: ['XSRF-TOKEN=1700000000|demo; path=/', 'server-session-bind=demo; path=/'],
  card: ({ product, name, price, words, origin }) => `
<li data-hook="product-list-grid-item"><a href="${origin}/product-page/${product.handle}" data-hook="product-item-container">
<wow-image><img src="https://static.wixstatic.com/media/demo_${product.id}~mv2.jpg/v1/fill/w_300" alt=""></wow-image>
<p data-hook="product-item-name">${name}</p><span data-hook="product-item-price-to-pay">${price}</span></a>
<button data-hook="product-item-add-to-cart-button">${words.buy}</button></li>`,
  home({ store, title, tagline, words, head, footer, cards }) {
    const viewerModel = {
      site: { metaSiteId: '00000000-demo', siteDisplayName: store.title },
      language: { siteLanguage: store.language.split('-')[0] },
      siteFeatures: ['wixstores', 'cart'],
      currency: store.currency,
    };
    return `<!DOCTYPE html>
<html lang="${store.language}">
<head>
<meta charset='utf-8'><meta name="viewport" content="width=device-width, initial-scale=1" id="wixDesktopViewport" />
<meta name="generator" content="Wix.com Website Builder"/>
<link rel="preconnect" href="https://static.parastorage.com"/><link rel="preconnect" href="https://static.wixstatic.com"/>
<title>${title} | ${tagline}</title><meta property="og:site_name" content="${title}"/>
<script src="https://static.parastorage.com/services/wix-thunderbolt/dist/main.demo.bundle.min.js"></script>
<script src="https://static.parastorage.com/services/ecom-platform-cart-icon/1.0.0/CartIconViewerWidget.bundle.min.js"></script>
<script>window.wixPerformanceMeasurements = []; window.wixBiSession = { initialTimestamp: 0 };</script>
${head}
</head>
<body class='responsive'>
<script type="application/json" id="wix-viewer-model">${JSON.stringify(viewerModel)}</script>
<div id="SITE_CONTAINER"><header id="SITE_HEADER"><h1>${title}</h1>${menu(store, '/category/')} <a href="/cart-page" data-hook="cart-icon-button">${words.cart}</a></header>
<main id="PAGES_CONTAINER"><p>${tagline}</p><ul data-hook="product-list-wrapper">${cards}</ul></main>
${footer}</div>
</body></html>`;
  },
  robots: ['Allow: /', 'Disallow: *?lightbox='],
  sitemap: 'sitemap.xml',
};
