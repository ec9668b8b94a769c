import { describe, expect, it } from 'vitest';
import { jsonLd, page, script } from '../../test/support/pages.ts';
import { observeStore, type PageInput } from '../index.ts';

const named = (markup: Parameters<typeof page>[0], over: Partial<PageInput> = {}) => {
  const { name, nameBasis } = observeStore(page(markup, over));
  return { name, nameBasis };
};

const at = (url: string) => ({ url });
const title = (text: string) => `<title>${text}</title>`;

describe('name that the site states', () => {
  it.each([
    ['its site name', '<meta property="og:site_name" content="Northwind Tea"><title>x</title>', 'Northwind Tea'],
    ['its organisation', jsonLd({ '@type': 'Organization', name: 'Northwind Tea' }), 'Northwind Tea'],
    ['a name escaped twice', '<meta property="og:site_name" content="Mom&amp;#039;s &amp;amp; Co">', "Mom's & Co"],
    [
      'a name without its slogan',
      '<meta property="og:site_name" content="Northwind – Tea from the hills">',
      'Northwind',
    ],
    [
      'a name without greeting and legal form',
      jsonLd({ '@type': 'Organization', name: 'Welcome to Northwind Tea GmbH' }),
      'Northwind Tea',
    ],
    [
      'the shop in the settings of Shopify',
      script(
        'x({initData: {"shop":{"name":"Northwind \\u0026 Sons","paymentSettings":{"currencyCode":"EUR"},"myshopifyDomain":"n.myshopify.com","countryCode":"DE"}}});',
      ),
      'Northwind & Sons',
    ],
    [
      'the title of a Squarespace site',
      script('Static.SQUARESPACE_CONTEXT = {"website":{"siteTitle":"Northwind Tea"}};'),
      'Northwind Tea',
    ],
  ])('a name that the site states is declared: %s', (_, head, name) => {
    expect(named({ head })).toEqual({ name, nameBasis: 'declared' });
  });

  it.each([
    ['Công ty TNHH Northwind Việt Nam', 'Northwind Việt Nam'],
    ['CÔNG TY CỔ PHẦN NORTHWIND', 'NORTHWIND'],
    ['ООО «Чайный дом»', 'Чайный дом'],
    ['Чаен дом ЕООД', 'Чаен дом'],
    ['株式会社ノースウィンド', 'ノースウィンド'],
    ['北风茶叶有限公司', '北风茶叶'],
    ['주식회사 북풍', '북풍'],
    ['Northwind Sdn. Bhd.', 'Northwind'],
    ['Northwind Ltd. Şti.', 'Northwind'],
    ['Conga Tea', 'Conga Tea'],
    ['ТОВ «Північ»', 'Північ'],
    ['㈜북풍', '북풍'],
  ])('a name that the site states loses the legal form of its company: %s', (stated, name) => {
    expect(named({ head: jsonLd({ '@type': 'Organization', name: stated }) }).name).toBe(name);
  });

  it.each(['ТОВАРЫ ДЛЯ ДОМА', 'ТОВАРИЩ', 'ЗАОБЛАЧНЫЕ ЦЕНЫ', '주식회사랑', 'บริษัททัวร์ไทย', 'Райски АД'])(
    'a name that the site states keeps letters that are a legal form elsewhere: %s',
    (name) => {
      expect(named({ head: jsonLd({ '@type': 'Organization', name }) }).name).toBe(name);
    },
  );

  it('a name that the site states is the part that the host repeats, when it has more words', () => {
    expect(
      named(
        { head: '<meta property="og:site_name" content="Lamphouse Bamboo Lamps">' },
        at('https://lamphouse.example/'),
      ),
    ).toMatchObject({ name: 'Lamphouse Bamboo Lamps' });
    expect(
      named(
        {
          head: `<meta property="og:site_name" content="Lamphouse Bamboo Lamps">${title('Lamphouse - Warm light')}`,
        },
        at('https://lamphouse.example/'),
      ),
    ).toMatchObject({ name: 'Lamphouse' });
  });

  it.each(['Magento Demo Store', 'Your Store', 'My Store', 'WordPress', 'Home'])(
    'a name that the site states is not the name %j that a platform installs',
    (name) => {
      expect(named({ head: `<meta property="og:site_name" content="${name}">` })).toEqual({
        name: 'shop.example',
        nameBasis: 'domain',
      });
    },
  );

  it('a name that the site states is not the brand of a product or the author of an article', () => {
    expect(
      named({
        head: jsonLd([
          { '@type': 'Product', name: 'Kettle', brand: { '@type': 'Organization', name: 'Boilwell' } },
          { '@type': 'Article', author: { '@type': 'Organization', name: 'Some Agency' } },
        ]),
      }),
    ).toEqual({ name: 'shop.example', nameBasis: 'domain' });
  });
});

describe('name on which two sources agree', () => {
  it.each([
    [
      'title and host',
      title('Fine lamps and more | Shop Example'),
      '',
      'https://shop-example.example/',
      'Shop Example',
    ],
    [
      'title and host, written together',
      title('Fine tea at Northwind Tea'),
      '',
      'https://northwindtea.example/',
      'Northwind Tea',
    ],
    ['title and host, with umlauts', title('Möbel Grün – Tische'), '', 'https://moebel-gruen.example/', 'Möbel Grün'],
    ['title and host, with an ampersand', title('Salt & Pine'), '', 'https://saltandpine.example/', 'Salt & Pine'],
    [
      'logo and host',
      title('Contact'),
      '<a href="/"><img src="/logo.png" alt="Northwind logo"></a>',
      'https://northwind.example/contact',
      'Northwind',
    ],
    [
      'logo and copyright line',
      title('Contact'),
      '<a class="logo" href="/">Northwind</a><footer>© 2024 Northwind Inc. All rights reserved.</footer>',
      'https://a1.example/contact',
      'Northwind',
    ],
    [
      'title and copyright line',
      title('Oak table – Northwind'),
      '<footer><p>Copyright 2019-2024 by Northwind</p></footer>',
      'https://a1.example/p/oak',
      'Northwind',
    ],
    [
      'title and feed',
      `${title('Oak table – Northwind')}<link rel="alternate" type="application/rss+xml" title="Northwind » Feed" href="/feed">`,
      '',
      'https://a1.example/p/oak',
      'Northwind',
    ],
    ["title and an online shop's host", title('Northwind | Tea'), '', 'https://northwind-shop.example/', 'Northwind'],
  ])('a name on which two sources agree is observed: %s', (_, head, body, url, name) => {
    expect(named({ head, body }, at(url))).toEqual({ name, nameBasis: 'observed' });
  });

  it('a name on which two sources agree is found on a page without an address by the host that its mirroring tool names', () => {
    const html = `<html><!-- Mirrored from www.northwindtea.example/index.html by HTTrack --><head>${title('Tea | Northwind Tea')}</head>`;
    expect(named({}, { url: '', html })).toEqual({ name: 'Northwind Tea', nameBasis: 'observed' });
  });
});

describe('words that are on any site', () => {
  it.each([
    ...['Onlineshop', 'Tienda online', 'Boutique en ligne', 'Loja virtual', 'Sklep internetowy', 'Интернет-магазин'],
    ...[
      'Site Title',
      'Free Shipping',
      'null',
      'undefined',
      '[object Object]',
      '{{ shop.name }}',
      '{$plugin.tx_news.opengraph.site_name}',
      '[site:name]',
      '[[++site_name]]',
      'My Store 2',
      'ホーム',
    ],
  ])('words that are on any site are not names: %s', (text) => {
    expect(named({ head: `<meta property="og:site_name" content="${text}">` }).nameBasis).toBe('domain');
  });

  it('the title of an inner page is not a name, even when the site states it as its name', () => {
    const head = `<meta property="og:site_name" content="Oak Table">${title('Oak Table')}`;
    expect(named({ head }, at('https://shop.example/tables/oak')).nameBasis).toBe('domain');
    expect(named({ head }, at('https://shop.example/'))).toEqual({ name: 'Oak Table', nameBasis: 'declared' });
  });
});

describe('name of a theme', () => {
  const html = (theme: string) =>
    `<!doctype html><head><meta property="og:site_name" content="Morrow"></head><body class="home ${theme}"></body>`;

  it('the name of a theme is not the name of the store', () => {
    expect(named({}, { html: html('wp-theme-morrow-child') })).toEqual({ name: 'shop.example', nameBasis: 'domain' });
    expect(named({}, { html: html('theme-other') })).toEqual({ name: 'Morrow', nameBasis: 'declared' });
  });

  it('the name of a theme is the name of the store when the host repeats it', () => {
    expect(named({}, { html: html('theme-morrow'), url: 'https://morrow.example/' }).name).toBe('Morrow');
  });
});

describe('names of others on the page', () => {
  const credited = (heading: string, footer: string) =>
    named({ head: title(heading), body: `<footer>${footer}</footer>` });

  it.each([
    [
      'the publisher of an article',
      { '@type': 'NewsArticle', publisher: { '@type': 'Organization', name: 'Daily News' } },
    ],
    [
      'the seller of an offer by its id',
      {
        '@graph': [
          { '@type': 'Product', name: 'Kettle', offers: { '@type': 'Offer', seller: { '@id': '#s' } } },
          { '@type': 'Organization', '@id': '#s', name: 'Market Seller' },
        ],
      },
    ],
    ['an address of the site', { '@type': 'WebSite', name: 'www.shop.example' }],
    ['the address below a platform', { '@type': 'WebSite', name: 'northwind.myshopify.com' }],
  ])('%s is not a name of the store', (_, data) => {
    expect(named({ head: jsonLd(data) })).toEqual({ name: 'shop.example', nameBasis: 'domain' });
  });

  it.each([
    ['a common theme', 'Porto', '© Porto eCommerce. 2024. All Rights Reserved'],
    ['a theme in the credits', 'Sandhill', 'Copyright © 2024 Sandhill | Powered by Sandhill WordPress Theme'],
    ['an agency in the credits', 'Acme Studio', 'Website by Acme Studio © 2024 Acme Studio'],
    ['an agency after two words of credit', 'Acme Studio', '© 2024 Acme Studio | Website Powered by Acme Studio'],
    ['an agency that did two things', 'Acme Studio', '© 2024 Acme Studio | Site designed and developed by Acme Studio'],
    ['a platform', 'Tea | Shopify', '© 2024 Shopify'],
  ])('%s in title and copyright line is not a name of the store', (_, heading, footer) => {
    expect(credited(heading, footer).nameBasis).toBe('domain');
  });

  it.each([
    ['© 2024, Northwind Powered by Shopify'],
    ['© 2024 Northwind | Theme by Pixel Union'],
    ['© 2024 Northwind, designed by Acme Studio'],
    ['Website by Acme Studio. © 2024 Northwind GmbH'],
  ])('names of others do not hide the name beside them: %s', (footer) => {
    expect(credited('Tea | Northwind', footer)).toEqual({ name: 'Northwind', nameBasis: 'observed' });
  });

  it('a publisher that the title repeats is the name of the store', () => {
    const head = `${jsonLd({ '@type': 'Article', publisher: { '@type': 'Organization', name: 'Daily News' } })}${title('Tea – Daily News')}`;
    expect(named({ head })).toEqual({ name: 'Daily News', nameBasis: 'observed' });
  });
});

describe('drawing in the place of a logo', () => {
  it('a drawing in the place of a logo has the name in its title, without the titles of the drawings beside it', () => {
    const drawing = (text: string) => `<svg><title>${text}</title><path d="M0 0"></path></svg>`;
    const logo = `<a class="logo" href="/">${drawing('NorthwindLogo')}${drawing('layer one')}</a>`;
    expect(named({ head: title('Tea | Northwind'), body: logo })).toEqual({ name: 'Northwind', nameBasis: 'observed' });
    expect(named({ head: title('New products'), body: logo }, at('')).name).toBe('Northwind');
  });
});

describe('name on which nothing agrees', () => {
  it.each([
    ['a title alone', title('Northwind – Tea from the hills')],
    ['the title of an inner page', title('Contact Us')],
    ['a title and a heading', `${title('Oak table')}`],
    [
      'a feed of one article',
      `${title('Ten teas to try')}<link rel="alternate" type="application/rss+xml" title="Ten teas to try">`,
    ],
  ])('a name on which nothing agrees is the domain: %s', (_, head) => {
    expect(named({ head, body: '<h1>Oak table</h1><h1>Contact Us</h1>' }, at('https://www.a1.example/x'))).toEqual({
      name: 'a1.example',
      nameBasis: 'domain',
    });
  });

  it('a name on which nothing agrees is the domain, and not the agency in the copyright line', () => {
    expect(named({ body: '<footer>© 2024 Webdesign Agency</footer>' }, at('https://store.a1.example/'))).toEqual({
      name: 'a1.example',
      nameBasis: 'domain',
    });
  });

  it('a name on which nothing agrees is the domain of a store on a shared domain', () => {
    expect(named({}, at('https://northwind.myshopify.com/'))).toEqual({
      name: 'northwind.myshopify.com',
      nameBasis: 'domain',
    });
  });

  it.each([
    ['https://northwind.mybigcommerce.com/', 'northwind.mybigcommerce.com'],
    ['https://www.northwind.bigcartel.com/', 'northwind.bigcartel.com'],
    ['https://northwind.thebase.in/', 'northwind.thebase.in'],
    ['https://www.bigcartel.com/', 'bigcartel.com'],
    ['https://help.bigcartel.com/', 'bigcartel.com'],
  ])(
    'a name on which nothing agrees is the host of the store on a shared domain that is in no public list: %s',
    (url, name) => {
      expect(named({}, at(url))).toEqual({ name, nameBasis: 'domain' });
    },
  );

  it('a name on which nothing agrees is not the developer whom a copy in a folder of the developer credits', () => {
    const markup = {
      head: `${title('Oak – Tables')}<link rel="stylesheet" href="/portfolio/oak/catalog/view/theme/oak/a.css">`,
      body: '<footer><p>Copyright © 2021 Pixelworks</p><p>Website Powered by Pixelworks</p></footer>',
    };
    expect(named(markup, at('https://pixelworks.example/portfolio/oak/index.php'))).toEqual({
      name: 'pixelworks.example',
      nameBasis: 'domain',
    });
    expect(named(markup, at('https://pixelworks.example/')).nameBasis).toBe('observed');
    const head =
      '<meta property="og:site_name" content="Pixelworks"><script src="/portfolio/wp-content/a.js"></script>';
    expect(named({ ...markup, head }, at('https://pixelworks.example/portfolio/'))).toEqual({
      name: 'Pixelworks',
      nameBasis: 'declared',
    });
  });
});

describe('page of OpenCart', () => {
  const logo = (href: string) => `<div id="logo"><a href="${href}"><img src="logo.png" alt="Northwind"></a></div>`;
  const foot =
    '<footer><p>Powered By <a href="https://www.opencart.com">OpenCart</a> Northwind &copy; 2023</p></footer>';

  it.each([
    ['https://a1.example/index.php?route=common/home', 'https://a1.example/x'],
    ['https://a1.example/demo/oc01/index.php?route=common/home', 'https://a1.example/demo/oc01/x'],
  ])('a page of OpenCart links its logo to the front page by its route: %s', (href, url) => {
    expect(named({ body: logo(href) + foot }, { url })).toEqual({ name: 'Northwind', nameBasis: 'observed' });
  });

  it('a page of OpenCart names its holder after the credit of the platform', () => {
    expect(named({ body: foot, head: title('Northwind') }, at('https://a1.example/x')).name).toBe('Northwind');
  });

  it('a page of OpenCart has the host of its base when it was saved without an address', () => {
    const head = '<base href="https://shop.northwind.example/">';
    expect(named({ head }, at(''))).toEqual({ name: 'northwind.example', nameBasis: 'domain' });
    const canonical = '<link rel="canonical" href="https://a1.example/x">';
    expect(named({ head: head + canonical }, at('')).name).toBe('a1.example');
  });

  it('a page that links a demonstration of its own theme on OpenCart is not that demonstration', () => {
    const body = logo('https://a1.example/demo/oc01/index.php?route=common/home');
    const head = title('Northwind – template');
    expect(named({ body, head }, at('https://a1.example/themes/northwind')).name).toBe('a1.example');
    expect(named({ body, head }, at('https://a1.example/demo/oc01')).name).toBe('Northwind');
  });

  it('the logo of a page of OpenCart does not count when it links to another host', () => {
    expect(
      named({ body: logo('https://other.example/index.php?route=common/home') }, at('https://a1.example/x')),
    ).toEqual({
      name: 'a1.example',
      nameBasis: 'domain',
    });
  });
});

describe('store on the domain of its platform', () => {
  it('a store on the domain of its platform has its own name, and not that of the platform in the copyright line', () => {
    const markup = {
      head: title('Northwind'),
      body: '<a href="/"><img class="logo" src="logo.png" alt="Northwind"></a><footer>Copyright © 2025 BigCommerce. All Rights Reserved</footer>',
    };
    expect(named(markup, at('https://wb-northwind1.mybigcommerce.com/'))).toEqual({
      name: 'Northwind',
      nameBasis: 'observed',
    });
  });
});

describe('text of a name', () => {
  const siteName = (text: string) => named({ head: `<meta property="og:site_name" content="${text}">` }).name;

  it.each([
    ['without bidirectional controls', '\u202eNorth\u202cwind\u200e\u2067', 'Northwind'],
    ['without invisible characters', 'North\u200bwind\ufeff\u00ad', 'Northwind'],
    ['in NFC', 'Cafe\u0301', 'Caf\u00e9'],
    ['without a joiner between Latin letters', 'North\u200dwind\u200c', 'Northwind'],
    ['with a non-joiner between Persian letters', 'کتاب\u200cها', 'کتاب\u200cها'],
    ['with the joiners of Devanagari', 'क्\u200dष', 'क्\u200dष'],
    ['with the joiners of an emoji', 'Mom 👩\u200d🍳', 'Mom 👩\u200d🍳'],
    ['without a joiner after an emoji', 'Mom 👩\u200d', 'Mom 👩'],
  ])('the text of a name is %s', (_, text, expected) => {
    expect(siteName(text)).toBe(expected);
  });
});

describe('text that names no store', () => {
  it.each([
    'My Store',
    'Mein Shop',
    'Ma boutique',
    'Mi sitio',
    'Minha loja',
    'Il mio negozio',
    'Mijn webwinkel',
    'Moja strona',
    'Můj e-shop',
    'Min butik',
    'Mağazam',
    'マイストア',
    'Eine weitere WordPress-Website',
    'Kezdőlap',
    'Etusivu',
    'الرئيسية',
    'Your Shopping Cart',
  ])('a text that platforms and menus show anywhere names no store: %s', (text) => {
    const head = `<meta property="og:site_name" content="${text}"><title>${text}</title>`;
    expect(named({ head })).toEqual({ name: 'shop.example', nameBasis: 'domain' });
  });
});

describe('name of a copyright line', () => {
  it('the name of a copyright line is the trade name after the company that holds the copyright', () => {
    const body = '<footer>© 2022 Paw Microbe Analytics, Inc. dba PawLab. All rights reserved.</footer>';
    expect(named({ head: title('PawLab'), body }, at('https://shop.example/')).name).toBe('PawLab');
  });
});

describe('name in the footer', () => {
  const head = '<meta property="og:site_name" content="Tea House">';

  it('a name in the footer is not a credit where it is the address of the store', () => {
    const body = '<footer><p>Website: teahouse.example</p></footer>';
    expect(named({ head, body }, at('https://other.example/')).name).toBe('Tea House');
    expect(named({ head, body: '<footer><p>Website: Tea House</p></footer>' }, at('https://other.example/')).name).toBe(
      'other.example',
    );
  });

  it.each([
    ['fa', 'کتونیا', 'تمامی حقوق متعلق به فروشگاه کتونیا است'],
    ['fa', 'نورا', 'کلیه حقوق این سایت متعلق به نورا می‌باشد.'],
    ['ar', 'نورا', 'جميع الحقوق محفوظة لمتجر نورا'],
    ['he', 'נורה', 'כל הזכויות שמורות לחברת נורה'],
  ])('the name in a sentence of the footer about the rights in %s: %s', (lang, name, line) => {
    const body = `<a class="logo" href="/"><img alt="${name}"></a><footer>© ${line}</footer>`;
    expect(named({ lang, body }).name).toBe(name);
    expect(named({ lang, body: `<footer>© ${line}</footer>` }, at('')).name).toBe(name);
  });

  it('a name in the footer is the name without the ending of the address that the site states', () => {
    const head = `<meta property="og:site_name" content="Northwind.com">${jsonLd({ '@type': 'Organization', name: 'Northwind.com' })}`;
    const body = '<footer>© 2024 Northwind, Inc. All rights reserved</footer>';
    const over = { url: 'https://www.northwind.com/uk/tea' };
    expect(named({ head, body }, over).name).toBe('Northwind');
    expect(named({ head }, over).name).toBe('Northwind.com');
  });

  it.each([
    ['Gifts.com', 'gifts.com', '<title>Gifts | Gifts.com</title>', ''],
    ['Gifts.com', 'gifts.com', jsonLd({ '@type': 'Organization', name: 'Gifts.com' }), '© 2024 Gifts'],
    ['Wine.com', 'wine.com', '<title>Wine | Wine.com</title>', '© 2024 Wine.com, Inc.'],
    ['Bol.com', 'bol.com', '<title>Bol</title><img class="logo" alt="Bol">', '© 2024 Bol.com'],
    ['Node.js', 'nodeshop.org', '', '© 2024 Node'],
    ['Ann.Taylor', 'anntaylor.com', '<title>Ann</title>', '© 2024 Ann'],
  ])('a name in the footer keeps the ending that belongs to it: %s of %s, %s, %s', (name, host, more, line) => {
    const head = `<meta property="og:site_name" content="${name}">${more}`;
    expect(named({ head, body: `<footer>${line}</footer>` }, at(`https://www.${host}/`)).name).toBe(name);
  });

  it.each([
    ['مكتبة نجيب محفوظ', '© 2024 مكتبة نجيب محفوظ'],
    ['حلويات محفوظ', '© 2024 حلويات محفوظ'],
    ['زندگی زیبا است', '© 2024 زندگی زیبا است'],
    ['لمسات', '© 2024 جميع الحقوق محفوظة لمسات'],
    ['نورا', '© 2024 جميع الحقوق محفوظة لنورا'],
  ])('a name in the footer keeps the words of the name beside the word for rights: %s', (name, line) => {
    const body = `<a class="logo" href="/"><img alt="${name}"></a><footer>${line}</footer>`;
    expect(named({ lang: 'ar', body })).toEqual({ name, nameBasis: 'observed' });
  });

  it('a name in the footer is found after the words of the copyright in Vietnamese', () => {
    const body = '<footer><p>© 2021 - Bản quyền thuộc về Trà Mai</p></footer>';
    expect(named({ head: title('Trà Mai'), body }, at('https://other.example/')).name).toBe('Trà Mai');
  });
});

describe('name in UTF-8 that was read as Windows-1252', () => {
  it.each([
    ['CafÃ© Bohne', 'Café Bohne'],
    ['MÃ¶bel SchrÃ¶der', 'Möbel Schröder'],
    ['Janeâ€™s Teas', 'Jane’s Teas'],
    ['ÂME Paris', 'ÂME Paris'],
  ])('a name in UTF-8 that was read as Windows-1252 becomes the original text: %s', (text, name) => {
    expect(named({ head: `<meta property="og:site_name" content="${text}">` }).name).toBe(name);
  });
});

describe('stated name of two words', () => {
  const head = `<meta property="og:site_name" content="Stoke Foil">${title('Contact – Stoke Foiling')}`;
  const body = '<img class="logo" alt="Stoke" src="/l.png">';

  it('a stated name of two words is not cut to the word of the logo', () => {
    expect(named({ head, body }, at('https://stokefoiling.example/')).name).toBe('Stoke Foil');
  });

  it('a stated name of two words is the name when a single trace shows its first word, which the host has in part', () => {
    const logo = '<img class="logo" alt="Lindqvist" src="/l.png">';
    const site = '<meta property="og:site_name" content="Lindqvist Shop"><title>New arrivals</title>';
    expect(named({ head: site, body: logo }, at('https://lindqvistuhren.example/'))).toMatchObject({
      nameBasis: 'declared',
    });
  });

  it('a stated name of two words is cut to the word that the host has', () => {
    expect(named({ head, body }, at('https://stoke.example/')).name).toBe('Stoke');
  });
});
