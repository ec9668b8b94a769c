import { escapeHtml, footer, menu, money } from '../html.ts';
import type { Answer, PageContext, Template } from './template.ts';

function home({ store, products, words, head, origin }: PageContext): Answer {
  const cards = products.slice(0, 12).map(
    (
      product,
    ) => `<li data-hook="product-list-grid-item"><a href="${origin}/product-page/${product.handle}" data-hook="product-item-container">
<wow-image><img src="https://static.wixstatic.com/media/demo_${product.id}~mv2.jpg/v1/fill/w_300" alt=""></wow-image>
<p data-hook="product-item-name">${escapeHtml(product.name)}</p><span data-hook="product-item-price-to-pay">${money(store, product.price)}</span></a>
<button data-hook="product-item-add-to-cart-button">${words.buy}</button></li>`,
  );
  const viewerModel = {
    site: { metaSiteId: '00000000-demo', siteDisplayName: store.title },
    language: { siteLanguage: store.language.split('-')[0] },
    siteFeatures: ['wixstores', 'cart'],
    currency: store.currency,
  };
  return {
    headers: { server: 'Pepyaka', 'x-wix-request-id': '1700000000.demo', 'x-seen-by': 'demo' },
    cookies: ['XSRF-TOKEN=1700000000|demo; path=/', 'server-session-bind=demo; path=/'],
    body: `<!DOCTYPE html>
<html lang="${store.language}">
<head>
<meta charset='utf-8'><meta name="viewport" content="width=device-width, initial-scale=1" id="wixDesktopViewport" />
<meta name="generator" content="Wix.com Website Builder"/>
<link rel="preconnect" href="https://static.parastorage.com"/><link rel="preconnect" href="https://static.wixstatic.com"/>
<title>${escapeHtml(`${store.title} | ${store.tagline}`)}</title><meta property="og:site_name" content="${escapeHtml(store.title)}"/>
<script src="https://static.parastorage.com/services/wix-thunderbolt/dist/main.demo.bundle.min.js"></script>
<script src="https://static.parastorage.com/services/ecom-platform-cart-icon/1.0.0/CartIconViewerWidget.bundle.min.js"></script>
<script>window.wixPerformanceMeasurements = []; window.wixBiSession = { initialTimestamp: 0 };</script>
${head}
</head>
<body class='responsive'>
<script type="application/json" id="wix-viewer-model">${JSON.stringify(viewerModel)}</script>
<div id="SITE_CONTAINER"><header id="SITE_HEADER"><h1>${escapeHtml(store.title)}</h1>${menu(store, '/category/')} <a href="/cart-page" data-hook="cart-icon-button">${words.cart}</a></header>
<main id="PAGES_CONTAINER"><p>${escapeHtml(store.tagline)}</p><ul data-hook="product-list-wrapper">${cards.join('\n')}</ul></main>
${footer(store)}</div>
</body></html>`,
  };
}

export const wix: Template = {
  home,
  robots: ['Allow: /', 'Disallow: *?lightbox='],
  sitemap: 'sitemap.xml',
};
