import { describe, expect, it } from 'vitest';
import { noTexts } from '../../test/support/industry-texts.ts';
import { jsonLd, page, script } from '../../test/support/pages.ts';
import { observeStore, type PageInput } from '../index.ts';
import { scoreIndustries } from './industry.ts';
import { industries } from './taxonomy.ts';

const industryOf = (input: PageInput) => observeStore(input).industry;
const unknown = { slug: 'unclassified', basis: 'unknown' };

/** A page of a shop. A page without a shop needs more words. */
const shopPage = ({ head = '', body = '', lang = 'en' }: { head?: string; body?: string; lang?: string }, path = '/') =>
  page(
    { head: `${script('Shopify.shop = "demo.myshopify.com";')}${head}`, body, lang },
    { url: `https://shop.example${path}` },
  );

const listing = (types: string[]) => [
  {
    url: 'https://shop.example/products.json?limit=250',
    status: 200,
    headers: {},
    body: JSON.stringify({ products: types.map((product_type, id) => ({ id, product_type, variants: [] })) }),
  },
];

describe('industry of a store', () => {
  it.each([
    ['apparel', ['Dresses', 'Jeans', 'T-Shirts', 'Hoodies']],
    ['beverages', ['Whole bean coffee', 'Espresso', 'Tea']],
    ['pets', ['Dog food', 'Cat food', 'Leashes']],
    ['jewelry-and-watches', ['Necklace', 'Earrings', 'Bracelet']],
    ['home-and-furniture', ['Sofas', 'Pillows', 'Lamps']],
    ['tools-and-hardware', ['Door locks', 'Hinges', 'Screws']],
  ])('the industry of a store is %s by the product types of the listing', (slug, types) => {
    expect(industryOf(page({}, { resources: listing(types) }))).toEqual({ slug, basis: 'classified' });
  });

  it.each([
    ['de', 'Möbel, Teppiche und Leuchten', 'home-and-furniture'],
    ['fr', 'Chaussures et bottines', 'shoes'],
    ['es', 'Juguetes y juegos de mesa', 'toys-and-games'],
    ['it', 'Gioielli, collane e bracciali', 'jewelry-and-watches'],
    ['pt', 'Brinquedos e bonecas', 'toys-and-games'],
    ['nl', 'Fietsen en wielrennen', 'sports-and-fitness'],
    ['pl', 'Książki i wydawnictwa', 'books-and-media'],
    ['sv', 'Hudvård och smink', 'beauty'],
    ['da', 'Dæk og bildele', 'automotive'],
    ['nb', 'Klær og bukser', 'apparel'],
    ['cs', 'Hračky a deskové hry', 'toys-and-games'],
    ['hu', 'Horgász és vadász felszerelés', 'outdoor-and-hunting'],
    ['ro', 'Jucării și jocuri de societate', 'toys-and-games'],
    ['bg', 'Мебели и дивани', 'home-and-furniture'],
    ['ru', 'Автозапчасти и шины', 'automotive'],
    ['uk', 'Іграшки та конструктор', 'toys-and-games'],
    ['el', 'Καλλυντικά', 'beauty'],
    ['tr', 'Oyuncak ve mobilya, oyuncak araba', 'toys-and-games'],
    ['ar', 'أحذية رجالية و أحذية نسائية', 'shoes'],
    ['he', 'צעצועים לילדים', 'toys-and-games'],
    ['ja', '家具とインテリア', 'home-and-furniture'],
    ['ko', '화장품 스킨케어', 'beauty'],
    ['zh', '宠物用品 宠物零食', 'pets'],
    ['th', 'เสื้อผ้า', 'apparel'],
    ['vi', 'Mỹ phẩm và nước hoa', 'beauty'],
  ])('the industry of a store is read in the language %s', (lang, text, slug) => {
    expect(industryOf(shopPage({ lang, head: `<title>${text}</title>`, body: `<h1>${text}</h1>` }))).toEqual({
      slug,
      basis: 'classified',
    });
  });

  it('the industry of a store follows the name and the products, not a long menu', () => {
    const menu = `<nav>${'<a>Women</a> <a>Shoes</a> <a>Toys</a> <a>Books</a> <a>Garden</a> '.repeat(8)}</nav>`;
    const head = `${jsonLd({ '@type': 'Organization', name: 'Hill Coffee' })}${jsonLd([
      { '@type': 'Product', name: 'Espresso beans' },
      { '@type': 'Product', name: 'Cold brew coffee' },
    ])}`;
    expect(industryOf(page({ head, body: menu }))).toEqual({ slug: 'beverages', basis: 'classified' });
  });

  it('the industry of a store follows the menu of the store, not the topic of an article', () => {
    const body =
      '<nav><a>Guitars</a> <a>Drums</a> <a>Violins</a> <a>Sheet music</a></nav><h1>Chocolate cookies after band practice</h1>';
    const head = '<meta property="og:type" content="article"><title>Chocolate cookies</title>';
    expect(industryOf(shopPage({ head, body }, '/blogs/cakes')).slug).toBe('music-instruments');
  });

  it('the industry of a store is unclassified when only an article names it', () => {
    const text = 'Chocolate cookies with honey, butter and sugar';
    const head = `<meta property="og:type" content="article"><title>${text}</title><meta name="description" content="${text}">`;
    const body = `<nav><a>Home</a></nav><article><header>${text}</header><h1>${text}</h1><a href="/blogs/cake">${text}</a></article>`;
    expect(industryOf(shopPage({ head, body }, '/blogs/cookies'))).toEqual(unknown);
    const menu = '<nav><a>Bakery</a> <a>Chocolate</a> <a>Cookies</a> <a>Honey and jam from the village</a></nav>';
    expect(industryOf(shopPage({ head, body: `${menu}${body}` }, '/blogs/cookies')).slug).toBe('food');
  });

  it.each([
    ['the home page', 'https://shop.example/', ''],
    ['a category', 'https://shop.example/spielzeug/', 'archive tax-product_cat term-7 woocommerce woocommerce-page'],
    ['a page of WordPress', 'https://shop.example/obchod/', 'wp-singular page-template-default page page-id-1520'],
  ])('the industry of a store follows the products of %s, which an SEO plugin calls an article', (_, url, classes) => {
    const head = `<meta property="og:type" content="article"><title>Toys and dolls</title>${script('var wc_add_to_cart_params = {};')}`;
    const products = '<h2 class="woocommerce-loop-product__title">Wooden doll</h2>'.repeat(3);
    const html = `<html lang="en"><head>${head}</head><body class="${classes}"><h1>Toys</h1>${products}<a class="add_to_cart_button" href="?add-to-cart=1">Add to cart</a></body></html>`;
    expect(industryOf({ url, status: 200, headers: {}, html }).slug).toBe('toys-and-games');
  });

  it('the industry of a store needs more words on a site without a shop', () => {
    const parts = { head: '<title>Toys</title>', body: '<h1>Toys</h1>' };
    expect(industryOf(shopPage(parts)).slug).toBe('toys-and-games');
    expect(industryOf(page(parts))).toEqual(unknown);
    const many = 'Toys, dolls, puzzles, board games and teddy bears';
    expect(industryOf(page({ head: `<title>${many}</title>`, body: `<h1>${many}</h1>` })).slug).toBe('toys-and-games');
  });

  it('the industry of a store is read from the links of a page whose menu is not a nav element', () => {
    const goods = ['Guitars', 'Violins', 'Drums', 'Sheet music', 'Saxophones', 'Ukuleles'];
    const body = `<div id="menu">${goods.map((name, at) => `<a href="/m${at}.html"><span>${name}</span></a>`).join('')}</div><h1>Page not found</h1>`;
    expect(industryOf(shopPage({ body, head: '<title>404</title>' })).slug).toBe('music-instruments');
  });

  it.each([
    [
      'in folders of categories',
      ['/collections/guitars', '/collections/drums', '/collections/violins', '/collections/pianos'],
    ],
    ['without such folders', ['/guitars.html', '/drums.html', '/violins.html', '/drums/cymbals.html', '/pianos.html']],
    [
      'with escapes',
      [
        '/%D0%B3%D0%B8%D1%82%D0%B0%D1%80%D1%8B/',
        '/%D1%81%D0%BA%D1%80%D0%B8%D0%BF%D0%BA%D0%B0/',
        '/%D0%B1%D0%B0%D1%80%D0%B0%D0%B1%D0%B0%D0%BD%D1%8B/',
        '/%ZZ/',
      ],
    ],
  ])('the industry of a store is read from addresses %s, on a page with images for links', (_, paths) => {
    const body = paths.map((path) => `<a href="${path}"><img src="/media/image.png"></a>`).join('');
    const head = '<meta name="description" content="Guitar">';
    expect(industryOf(shopPage({ head, body: '<a href="/about">About</a>' }))).toEqual(unknown);
    expect(industryOf(shopPage({ head, body })).slug).toBe('music-instruments');
  });

  it.each([
    'Hummingbird printed t-shirt',
    'Faded Short Sleeves T-shirt',
    'Samsung SyncMaster 941BW, Palm Treo Pro, Apple Cinema 30"',
    'Hoodie with Logo',
  ])('the industry of a store ignores the product %j that a platform installs', (name) => {
    expect(industryOf(page({ head: jsonLd({ '@type': 'Product', name }), body: `<h2>${name}</h2>` }))).toEqual(unknown);
  });

  it('the industry of a store counts a word only in its language', () => {
    const input = (lang: string) =>
      page({ lang, body: '<nav>chat chats robe</nav><h2>Chat</h2><h3>chats</h3>', head: '<title>Chat</title>' });
    expect(industryOf(input('fr')).slug).toBe('pets');
    expect(industryOf(input('en'))).toEqual(unknown);
  });

  it('the industry of a store is unclassified without specific words, or with words of two industries', () => {
    expect(industryOf(page({ head: '<title>Hello</title>' }))).toEqual(unknown);
    expect(industryOf(page({ head: '<title>Coffee and guitars</title>' }))).toEqual(unknown);
  });
});

describe('classifier', () => {
  it('the classifier returns the scores, best first, and the margin between the first two', () => {
    const { slug, best, margin, scores } = scoreIndustries({
      ...noTexts,
      products: 'guitar guitar piano drums coffee',
    });
    expect({ slug, best }).toEqual({ slug: 'music-instruments', best: 'music-instruments' });
    expect(scores.map(({ slug }) => slug)).toEqual(['music-instruments', 'beverages']);
    const [first = 0, second = 0] = scores.map(({ score }) => score);
    expect(margin).toBeCloseTo((first - second) / first);
    expect(scoreIndustries(noTexts)).toEqual({
      slug: 'unclassified',
      best: 'unclassified',
      score: 0,
      margin: 0,
      hasSeveralWords: false,
      scores: [],
    });
  });

  it('the classifier reads a host, which writes words together, in the name only', () => {
    expect(scoreIndustries({ ...noTexts, name: 'bestpillowstore' }).best).toBe('home-and-furniture');
    expect(scoreIndustries({ ...noTexts, products: 'bestpillowstore' }).best).toBe('unclassified');
  });

  it('the classifier matches a short word only as a whole', () => {
    expect(scoreIndustries({ ...noTexts, title: 'our teammates' }).best).toBe('unclassified');
    expect(scoreIndustries({ ...noTexts, title: 'our teas' }).best).toBe('beverages');
  });

  it('the classifier has every industry once, with a category of the public taxonomy for all that sell products', () => {
    const slugs = industries.map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(slugs.length);
    expect(industries.filter(({ category }) => category === '').map(({ slug }) => slug)).toEqual(['education']);
  });
});

describe('text of a shop', () => {
  const order = '<button>Add to cart</button><p>Just $49.99</p>';

  it('the text of a shop confirms what headings only hint at', () => {
    const body = `<h1>A keepsake for you, engraved</h1><p>We engrave your photo on wood. The perfect anniversary gift, in a gift box.</p><p>A keepsake for Valentine's Day.</p>${order}`;
    expect(industryOf(shopPage({ body })).slug).toBe('gifts-and-occasions');
    expect(industryOf(shopPage({ body: body.replace('A keepsake for you, engraved', 'Made for you') }))).toEqual(
      unknown,
    );
  });

  // The text names what a product works on, what the team likes, whom a shop supports, what a carrier refuses.
  it.each([
    [
      'Cut in seconds',
      'Slices tomato, bread, meat, cheese and vegetables with ease. Chop onions and fruit in seconds.',
    ],
    [
      'Gone in seconds',
      'Removes stains of wine, coffee, tea, juice, chocolate and ketchup from your shirt, carpet and sofa.',
    ],
    ['Keeps it fresh', 'Keeps soup, rice, pasta, salad, fruit and sandwiches fresh. Great for snacks and yogurt.'],
    ['Removes wine stains', 'Removes wine, coffee, tea and juice from shirts and sofas.'],
    ['Invisible under clothes', 'Wear it under your shirt, dress, jacket or jeans.'],
    ['Stand tall', 'Wear it under your shirt, dress, jacket or jeans. Soft fabric, fits under clothing.'],
    ['About us', 'Anna has two cats and a dog. Ben walks his dog each morning. Our office dog greets every customer.'],
    ['Our story', 'We met in a coffee shop. Over many cups of coffee, and later wine, we had the idea.'],
    ['We give back', '10% of every order goes to animal rescue. We help dogs and cats. Rescue dogs need dog food.'],
    [
      'Please note',
      'We cannot ship perfume, nail polish, hair spray or deodorant by air. Hair dye travels by road only.',
    ],
    ['Rules', 'Prohibited uses of our service: firearms, ammunition, weapons, pistols, rifles, gun parts.'],
    [
      'More clients',
      'We help beauty salons, lash artists and nail technicians. Our templates for hair stylists and makeup artists.',
    ],
  ])('the text of a shop is not a product: %s', (heading, text) => {
    expect(industryOf(shopPage({ body: `<h1>${heading}</h1><p>${text}</p>${order}` }))).toEqual(unknown);
  });

  it.each([
    [
      'shipping',
      'We pack each order in a cardboard box with a label. Orders ship within 2 business days. You can return goods within 30 days in the original packaging. Gift cards cannot be returned. Call our office by phone.',
    ],
    [
      'privacy',
      'We collect your name, e-mail address, phone number and payment card. Cookies are small files on your computer or phone. We share data with software providers, advertisers and social media. We keep health and medical data of nobody. Children under 16 may not use this site. The browser of your device sends its IP address.',
    ],
    [
      'terms',
      'By using this site you agree to these terms. All content, such as text, graphics, images and video, belongs to us. You must be of legal age. We may change prices. Disputes go to the courts of our seat.',
    ],
    ['one word', 'You will love this candle. The candle burns for hours. A candle for you.'],
    ['many things', 'A lamp, a dog leash, a guitar, a tent and a perfume are in our warehouse.'],
  ])('the text of a shop says nothing about %s', (_, text) => {
    expect(industryOf(shopPage({ body: `<h1>About</h1><p>${text}</p>${order}` }))).toEqual(unknown);
  });

  it('the text of a shop says nothing on an article or on a site without a shop', () => {
    const body = '<h1>Fresh bread and cheese</h1><p>Bake the bread, cut the cheese, add butter and sauce.</p>';
    expect(industryOf(shopPage({ body, head: '<meta property="og:type" content="article">' }, '/blogs/a/b'))).toEqual(
      unknown,
    );
    expect(industryOf(page({ body }))).toEqual(unknown);
    expect(industryOf(shopPage({ body })).slug).toBe('food');
  });
});

describe('page without a language', () => {
  const text =
    'These are the shirts of the team. We ship to all of you, and this is the only shop for our fans and for you.';

  it('a page without a language has the words of English when its text is in English', () => {
    const body = (words: string) => `<h2>Skyline Tee</h2><h2>Logo Tee</h2><h2>Crew Tee</h2><p>${words}</p>`;
    const head = '<title>Tees</title>';
    expect(industryOf(shopPage({ lang: '', head, body: body(text) })).slug).toBe('apparel');
    const german = 'Schwarzer Tee aus den Bergen, in Dosen und Beuteln. Wir liefern am gleichen Tag in das ganze Land.';
    expect(industryOf(shopPage({ lang: '', head, body: body(german) })).slug).not.toBe('apparel');
    expect(industryOf(shopPage({ lang: '', head, body: body('') })).slug).not.toBe('apparel');
  });
});
