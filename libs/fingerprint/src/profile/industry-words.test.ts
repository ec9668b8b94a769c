import { describe, expect, it } from 'vitest';
import { noTexts } from '../../test/support/industry-texts.ts';
import shopWords from '../data/shop-words.rules.json' with { type: 'json' };
import { type IndustryTexts, scoreIndustries } from './industry.ts';

const slugOf = (over: Partial<IndustryTexts>): string => scoreIndustries({ ...noTexts, ...over }).slug;

describe('compound', () => {
  it.each([
    ['home-and-furniture', 'Linen tea towel, Striped kitchen towel, Tea towels set'],
    ['automotive', 'Car shampoo, Car wax, Car mats, Car polish'],
    ['beauty', 'Face toner, Coffee scrub, Tea tree oil, Lip balm'],
    ['toys-and-games', 'Toy car, Model train, Card game, Teddy bear'],
  ])('a compound is %s as a whole: %s', (slug, products) => {
    expect(slugOf({ products })).toBe(slug);
  });

  it.each(['Book now, Book an appointment, Book online'])('a compound of any shop is not an industry: %s', (menus) => {
    expect(slugOf({ menus, headings: menus, title: menus })).toBe('unclassified');
  });

  it.each([
    ['de', 'Winterjacken', 'apparel'],
    ['nl', 'Herenschoenen', 'shoes'],
    ['sv', 'Köksmöbler', 'home-and-furniture'],
    ['nb', 'Sommerkjoler', 'apparel'],
  ])('a compound word is classified by its last part in %s: %s', (language, products, slug) => {
    expect(scoreIndustries({ ...noTexts, language, products }).best).toBe(slug);
    expect(scoreIndustries({ ...noTexts, language: 'en', products: `x${products}` }).best).toBe('unclassified');
  });

  it('a compound does not hide the words around it', () => {
    expect(slugOf({ products: 'Coffee table book of guitars, guitar, guitar amp' })).toBe('music-instruments');
  });
});

describe('menu or title of one field', () => {
  it.each([
    ['de', 'Kaffeebohnen Espressobohnen Kaffeerösterei', 'beverages'],
    ['fr', 'Croquettes pour chien Litière Arbre à chat', 'pets'],
    ['pl', 'Wędki Przynęty Kołowrotki', 'outdoor-and-hunting'],
    ['ru', 'Платья Юбки Блузки', 'apparel'],
    ['tr', 'Elbise Gömlek Kazak', 'apparel'],
    ['ja', 'コーヒー豆 紅茶 緑茶', 'beverages'],
    ['ko', '강아지 사료 고양이 간식', 'pets'],
    ['zh-TW', '洋裝 上衣 女裝', 'apparel'],
  ])('a menu or title of one field is enough for its industry in %s: %s', (language, menus, slug) => {
    expect(slugOf({ language: language.slice(0, 2), menus, title: menus.split(' ')[0] ?? '' })).toBe(slug);
  });

  it.each([
    ['en', 'We have all you need, have a look'],
    ['da', 'Alle varer på lager, handel med os, spor ordre'],
    ['de', 'Telefon, Farben, Reiter, zusammen'],
    ['fr', 'Réseaux sociaux, Téléphone, Éditions limitées'],
    ['es', 'Redes sociales, Teléfono, Celular'],
    ['ru', 'Цвет, Фильтр, Модель, Часы работы, Телефон'],
    ['pl', 'O nas, Telefon, Filtry'],
    ['ro', 'Preț 199 RON, livrare'],
    ['sv', 'Bra priser, med snabb leverans'],
    ['ja', '日本 会社概要 電子メール'],
  ])('words that any shop has are not industries in %s: %s', (language, menus) => {
    expect(slugOf({ language, menus, title: menus, headings: menus })).toBe('unclassified');
  });
});

describe('short word', () => {
  it.each([
    ['en', 'Customer care, we hate spam'],
    ['de', 'Zahlungsarten, Transport, Transportkosten'],
    ['es', 'Te puede interesar, las mejores marcas'],
    ['tr', 'Beden, renk, miktar'],
  ])('a short word of another language or field does not count in %s: %s', (language, menus) => {
    expect(slugOf({ language, menus, title: menus, headings: menus })).toBe('unclassified');
  });
});

describe('labels of shops', () => {
  // A bag is a basket and a product.
  const isBag = (label: string): boolean => ['bag', 'borsa'].includes(label);

  it.each(
    shopWords.map(
      ({ language, order, basket }) => [language, [...order, ...basket].filter((label) => !isBag(label))] as const,
    ),
  )('the labels of shops belong to no industry in %s', (language, labels) => {
    const found = labels.filter((products) => scoreIndustries({ ...noTexts, language, products }).scores.length > 0);
    expect(found).toEqual([]);
  });
});

describe('article', () => {
  const article = {
    isArticle: true,
    title: 'Honey cake',
    description: 'Cake with honey and butter',
    headings: 'Honey cake',
  };

  it('an article counts at most as much as the words around it', () => {
    expect(slugOf(article)).toBe('unclassified');
    expect(slugOf({ ...article, menus: 'Guitars Violins Drums Pianos Sheet music' })).toBe('music-instruments');
    const [around] = scoreIndustries({ ...noTexts, menus: 'Bakery Chocolate' }).scores;
    const [both] = scoreIndustries({ ...noTexts, ...article, menus: 'Bakery Chocolate' }).scores;
    expect(both?.score).toBeCloseTo(2 * (around?.score ?? 0));
  });
});

describe('single word', () => {
  const wedding = { title: 'Matrimonio', description: 'Matrimonio', headings: 'Matrimonio' };

  it('a single word of title and headings is less than several words', () => {
    expect(slugOf({ ...wedding, sells: false })).toBe('unclassified');
    expect(slugOf({ ...wedding, headings: 'Matrimonio, Souvenir', sells: false })).toBe('gifts-and-occasions');
  });

  it('a single word counts in full in the name, the menus and the products', () => {
    for (const source of ['name', 'menus', 'products'] as const)
      expect(slugOf({ ...wedding, [source]: 'Matrimonio', sells: false })).toBe('gifts-and-occasions');
  });
});

describe('near industries', () => {
  it('near industries reach the minimum score together, and others do not', () => {
    expect(slugOf({ menus: 'Dresses Dresses Sneakers' })).toBe('apparel');
    expect(slugOf({ menus: 'Dresses Dresses Guitars' })).toBe('unclassified');
  });

  it('near industries of fashion are apparel together, and others contradict each other', () => {
    expect(slugOf({ title: 'Dresses and shoes', menus: 'Dresses Shoes Handbags' })).toBe('apparel');
    expect(slugOf({ title: 'Shoes and handbags', menus: 'Shoes Handbags' })).toBe('shoes');
    expect(slugOf({ title: 'Guitars and shoes' })).toBe('unclassified');
  });

  it('near industries are told apart by the type of the store in structured data', () => {
    expect(slugOf({ kinds: 'Shoe Store', title: 'Walker' })).toBe('shoes');
  });
});

describe('word of two languages', () => {
  const both = (language: string, text: string) => slugOf({ language, menus: text, products: text });

  it('a word of two languages counts only in its language, when its letters without accents are a common word elsewhere', () => {
    const words = 'The master prize for the sage mantel. The kone, the tra, the hast.';
    for (const language of ['en', 'fr', 'it', 'fi'])
      expect(scoreIndustries({ ...noTexts, language, menus: words }).scores).toEqual([]);
    expect(both('fr', 'Thé vert, Thé noir, Théières')).toBe('beverages');
    expect(both('cs', 'Příze, Příze bavlněná, Háčky na příze')).toBe('arts-and-crafts');
  });

  it('a word of two languages is not the name of a brand', () => {
    expect(both('it', 'Scarpe Emporio Armani, Emporio Armani')).toBe('shoes');
  });
});

describe('words of the trade itself', () => {
  it.each([
    ['fr', 'Commerce électronique propulsé par Shopify, Afficher tous les articles'],
    ['es', 'Comercio electrónico, Correo electrónico'],
    ['it', 'Commercio elettronico'],
  ])('words of the trade itself are not industries in %s: %s', (language, links) => {
    expect(scoreIndustries({ ...noTexts, language, links }).scores).toEqual([]);
  });

  it('words of the trade itself are not words of another language within a name', () => {
    expect(scoreIndustries({ ...noTexts, language: 'en', name: 'Moleculla' }).scores).toEqual([]);
  });
});

describe('words of brows, meat, shoes, tumblers, cards and painting', () => {
  it.each([
    ['beauty', 'es', 'Curso de cejas, Eyebrow tint, Brow lamination kit'],
    ['gifts-and-occasions', 'en', "Father's Day card, Mother's Day card"],
  ])('words of brows, meat, shoes, tumblers, cards and painting are %s in %s: %s', (slug, language, products) => {
    expect(scoreIndustries({ ...noTexts, language, products, headings: products }).slug).toBe(slug);
  });

  it.each([
    ['kitchen-and-appliances', 'pt', 'Termos de Uso, Termos de Serviço, Termos de Troca'],
    ['gifts-and-occasions', 'en', "Father's Day, Mother's Day, Father’s Day, Mother’s Day"],
    ['kitchen-and-appliances', 'en', 'Rock tumblers, Tumbler barrels, Tumbler grit'],
    ['shoes', 'fr', 'Dép. 75, Dép. 92, Dép. 13'],
  ])(
    'words of brows, meat, shoes, tumblers, cards and painting say nothing about %s in %s: %s',
    (slug, language, menus) => {
      expect(scoreIndustries({ ...noTexts, language, menus, links: menus }).best).not.toBe(slug);
    },
  );

  it.each([
    ['kitchen-and-appliances', 'tr', 'Termos 1 L, Termos 500 ml'],
    ['shoes', 'vi', 'Dép nam, Dép nữ, Dép lê'],
    ['gifts-and-occasions', 'en', "Father's Day gifts, Mother’s Day gifts"],
  ])('words of brows, meat, shoes, tumblers, cards and painting still are %s in %s: %s', (slug, language, products) => {
    expect(scoreIndustries({ ...noTexts, language, products, headings: products }).slug).toBe(slug);
  });

  it('the operating system beside a product is not a window of a house', () => {
    const products = 'Strip for Windows PC, Bar for Windows PC';
    expect(scoreIndustries({ ...noTexts, products }).best).not.toBe('tools-and-hardware');
  });
});

describe('word of several fields', () => {
  it.each([
    ['it', 'Ricambi originali, Ricambi, Ricambi per piscine fuori terra, Piscine', 'garden-and-outdoor-living'],
    ['es', 'Paracetamol 500 mg, caja de 10 tabletas, Medicamentos', 'health'],
    ['sk', 'Vrkoče, Účes na festival, Kanekalon', 'beauty'],
    ['vi', 'Cơ bida, Gậy bida', 'sports-and-fitness'],
    ['en', 'Appliance parts, Replacement parts, Foodservice', 'kitchen-and-appliances'],
  ])('a word of several fields says in %s what the words around it say: %s', (language, products, slug) => {
    expect(slugOf({ language, products, title: products })).toBe(slug);
  });

  it.each([
    ['es', 'Repuestos originales, Repuestos Toyota, Repuestos Nissan'],
    ['es', 'Repuestos originales, Repuestos Toyota, Nissan'],
    ['tr', 'Renault yedek parça, Fiat yedek parça'],
    ['cs', 'Náhradní díly Škoda'],
    ['hu', 'Opel alkatrész, Suzuki alkatrészek'],
    ['it', 'Ricambi Fiat, Ricambi originali'],
  ])('a word of several fields is about cars in %s beside a make of cars: %s', (language, products) => {
    expect(slugOf({ language, products, title: products })).toBe('automotive');
  });

  it.each([
    ['pt', 'Pincel de maquiagem, Pincel para base, Pincel de sombra', 'beauty'],
    ['es', 'Ampollas faciales, Ampollas vitamina C', 'beauty'],
    ['cs', 'Tablety na splátky', 'electronics'],
  ])('a word of several fields counts in %s with the words around it: %s', (language, products, slug) => {
    expect(slugOf({ language, products, title: products })).toBe(slug);
  });

  it.each([
    ['es', 'Jarabe de arce, Jarabe de agave', 'health'],
    ['pt', 'Xarope de guaraná, Xarope de groselha', 'health'],
    ['it', 'Vetro tempera, Acciaio che si tempera', 'arts-and-crafts'],
    ['es', 'Temperatura de color', 'arts-and-crafts'],
    ['pt', 'Vidro temperado', 'arts-and-crafts'],
    ['it', 'Compresse per lavastoviglie', 'health'],
    ['pl', 'Tabletki do zmywarki', 'health'],
    ['de', 'Spülmaschinentabletten', 'health'],
    ['en', 'Espresso heating parts', 'tools-and-hardware'],
    ['en', 'Espresso heating parts', 'beverages'],
  ])(
    'a word of several fields does not decide in %s when the words around it say another thing: %s',
    (language, products, slug) => {
      expect(slugOf({ language, products, title: products })).not.toBe(slug);
    },
  );

  it('a word of several fields is not an industry when it is the only one and a hint', () => {
    const parts = { title: 'Workshop', products: 'Workshop' };
    expect(slugOf(parts)).toBe('unclassified');
    expect(slugOf({ ...parts, products: 'Workshop, Drill' })).toBe('tools-and-hardware');
  });

  it('a word of several fields names no school in the name of a bookshop', () => {
    expect(
      slugOf({ language: 'sv', name: 'Akademibokhandeln', menus: 'Böcker, Student', title: 'Akademibokhandeln' }),
    ).toBe('books-and-media');
  });
});

describe('word of goods in one language', () => {
  it.each([
    ['sl', 'Očala, Sončna očala, Leče, Rezervni deli', 'health'],
    ['de', 'Merinowolle, Sockenwolle, Stricknadeln', 'arts-and-crafts'],
    ['it', 'Pastificio Bianchi', 'food'],
  ])('a word of goods in one language counts in %s: %s', (language, products, slug) => {
    expect(slugOf({ language, products, title: products })).toBe(slug);
  });

  it.each([
    ['et', 'Küpsised', 'cookies of the web'],
    ['et', 'Varuosad', 'spare parts of anything'],
    ['et', 'Veebimajutus, majutus', 'hosting of sites'],
    ['lv', 'Viņi izvēlas mūs, viņi', 'they'],
    ['pl', 'Karty PSA 10, PSA', 'a company that grades cards'],
    ['sl', 'Alu platišča, Kolesa', 'wheels of cars or bicycles'],
    ['sr', 'Pica Capricciosa, Pica', 'pizza, and no drink'],
  ])('a word of goods in one language shows nothing when it has several meanings in %s: %s (%s)', (language, text) => {
    expect(slugOf({ language, products: text, title: text, headings: text })).toBe('unclassified');
  });

  // Words of the page of a shop that sells something else, or of any page.
  it.each([
    ['sl', 'Rezervni deli, Vaše mnenje', 'food', 'en', 'Deli, Deli meats, Deli'],
    ['es', 'Cama con cajones y cajón, unas camas', 'music-instruments', 'en', 'Cajon, Cajons'],
    ['it', 'Camera da letto, Camera matrimoniale, al primo piano', 'electronics', 'en', 'Camera, Cameras'],
    ['pt', 'Faça login, Tempo livre, Tela', 'outdoor-and-hunting', 'it', 'Pesca, Caccia'],
    ['id', 'Akun saya, Nomor akun', 'automotive', 'fi', 'Akut, Aku'],
    ['fr', 'Pendant votre visite, Ce que nous pensons', 'jewelry-and-watches', 'en', 'Pendant, Pendants'],
    ['fr', 'Livré en 48 h, Livré chez vous', 'books-and-media', 'fr', 'Livres, Romans'],
    ['tr', 'Günün fırsatı, Her gün, Doğu', 'outdoor-and-hunting', 'en', 'Gun, Guns'],
    ['sv', 'Många nyheter, Länkar, Läs mer', 'books-and-media', 'en', 'Manga, Mangas'],
    ['sv', 'Vi hjälper dig gärna', 'arts-and-crafts', 'sv', 'Garn, Garner'],
    ['en', 'Tips and tricks, Trick', 'apparel', 'cs', 'Trička, Tričko'],
    ['en', 'Messenger, Escape to nature', 'kitchen-and-appliances', 'de', 'Töpfe, Pfannen'],
    ['nl', 'Door ons, door jou', 'tools-and-hardware', 'en', 'Doors, Door handles'],
    ['cs', 'Tento, tento týden', 'outdoor-and-hunting', 'en', 'Tent, Camping'],
    ['lv', 'Viņa, Viņš, Vēlas', 'beverages', 'cs', 'Vína, Víno'],
  ])(
    'a word of goods in one language is not a word of goods in %s: %s (%s in %s: %s)',
    (language, text, slug, other, goods) => {
      const best = (over: Partial<IndustryTexts>) => scoreIndustries({ ...noTexts, ...over }).best;
      expect(best({ language, products: text, title: text })).not.toBe(slug);
      expect(best({ language: other, products: goods, title: goods })).toBe(slug);
    },
  );
});

describe('family of goods', () => {
  it.each([
    ['en', 'Folding Knives, Fixed Blade Knives', 'outdoor-and-hunting'],
    ['fr', 'Vol en parapente, Baptême de parapente', 'travel-and-events'],
    ['fr', 'Pianos de cuisson, Piano de cuisson 90 cm', 'kitchen-and-appliances'],
    ['en', 'Eyebrow courses, Lash extension course', 'education'],
  ])('a family of goods counts in %s: %s', (language, products, slug) => {
    expect(slugOf({ language, products, title: products })).toBe(slug);
  });

  it.each([
    ['en', 'Kitchen knives, Paring knives, Knives', 'kitchen-and-appliances'],
    ['en', 'Japanese knives, Steak knives, Santoku', 'kitchen-and-appliances'],
    ['en', 'Tandem paragliding, Paragliding flights', 'travel-and-events'],
    ['en', 'Eyebrow gel, Brow lamination', 'beauty'],
  ])('a family of goods has near words of another industry in %s: %s', (language, products, slug) => {
    expect(slugOf({ language, products, title: products })).toBe(slug);
  });

  it('a family of goods has no rooms of a house or a hotel: "camera" in Romanian and Italian', () => {
    for (const language of ['ro', 'it'])
      expect(slugOf({ language, products: 'Camera 1, Camera 2', title: 'Camera' })).toBe('unclassified');
    expect(slugOf({ language: 'nl', products: 'Camera 1, Camera 2', title: 'Camera' })).toBe('electronics');
  });

  it.each([
    ['knives of any kind', 'Knives'],
    ['an attribute of anything', 'Stainless steel, stainless steel'],
    ['a film on paper and a treatment', 'Lamination'],
    ['substances in the environment', 'PCBs, dioxins and PCBs'],
    ['a part of a house or a hotel', 'Restaurant'],
  ])('a family of goods is not shown by %s', (_, text) => {
    expect(slugOf({ menus: text, headings: text, title: text })).toBe('unclassified');
  });
});

describe('name', () => {
  const ashtrays = 'Oval ashtray, Square ashtray, Rolling papers, Rolling tobacco, Table lighter';

  it('a name is a brand when the page sells something else', () => {
    const texts = { name: 'Houseplant ; houseplant', title: 'Houseplant | Houseplant', description: 'Houseplant' };
    expect(slugOf({ ...texts, products: ashtrays, menus: 'Ashtrays, Lighters' })).toBe('smoking-and-vaping');
    // The host of a former shop.
    const courses = 'Lash courses, Makeup courses, Nail courses';
    expect(slugOf({ name: '2Lashes ; onesneaker', headings: courses, links: courses })).toBe('education');
  });

  it.each([
    ['arts-and-crafts', 'Acme Posters', 'Pizza Poster, Wine Poster, Coffee Poster, Cheese Poster, Pasta Poster'],
    ['beauty', 'Sudsy Soap', 'Oatmeal Honey Soap, Coffee Soap, Chocolate Soap, Cinnamon Bread Soap'],
    ['toys-and-games', 'Jolly Plush', 'Bread Plush, Cheese Plush, Sushi Plush, Cake Plush, Donut Plush'],
    ['home-and-furniture', 'Wick Candle', 'Vanilla Cake Candle, Chocolate Cookie Candle, Fresh Coffee Candle'],
  ])('a name is not a brand where products have its word: %s', (slug, name, products) => {
    const links = products;
    const texts = { name: `${name} ; ${name.toLowerCase().replace(' ', '')}`, title: name, headings: links, links };
    expect(slugOf({ ...texts, products })).not.toBe('food');
    expect([slug, 'unclassified']).toContain(slugOf({ ...texts, products }));
    // Where no products are read, headings and links have the word outside of the name.
    expect(slugOf(texts)).not.toBe('food');
  });

  it('a name counts when the page has other words of its industry or says little', () => {
    const sellsPlants = { name: 'Houseplant ; houseplant', title: 'Houseplant', products: 'Oval ashtray, Lamp' };
    expect(slugOf(sellsPlants)).toBe('garden-and-outdoor-living');
    const mixed = `${ashtrays}, Garden tools, Lawn mower, Flower seeds`;
    expect(slugOf({ name: 'Houseplant ; houseplant', title: 'Houseplant plants and seeds', products: mixed })).not.toBe(
      'smoking-and-vaping',
    );
    // The menu has the word of the name as a label of goods.
    const beauty = { name: 'Mia Beauty', title: 'Mia Beauty', headings: 'Wallet, Purse, Handbag' };
    expect(slugOf({ ...beauty, menus: 'Beauty' })).toBe('beauty');
    // An article about cakes on the site of a seller of pans.
    const cakes = 'Cheese cake, Honey cake, Chocolate cookies, Pancakes';
    const pans = { name: 'Cast Iron Cookware', title: 'Cake | Cast Iron Cookware', headings: cakes, links: cakes };
    expect(slugOf({ ...pans, isArticle: true })).toBe('kitchen-and-appliances');
    // Clothes and shoes are one field.
    const clothes = 'Denim jacket, Silk blouse, Linen dress';
    expect(slugOf({ name: 'Shoe Palace ; shoepalace', title: 'Shoes', products: clothes })).not.toBe('unclassified');
  });
});
