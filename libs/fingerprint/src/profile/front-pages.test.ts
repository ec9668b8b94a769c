import { describe, expect, it } from 'vitest';
import { observeStore } from '../index.ts';

/**
 * Front pages of invented shops of many countries: where the title has the name, how the law asks shops to identify
 * themselves, and how prices and phone numbers are written. Host, name, country, page.
 */
const shops: readonly (readonly [host: string, name: string, country: string, html: string])[] = [
  [
    'www.fjellogfjord.no',
    'Fjell og Fjord',
    'NO',
    '<html lang="nb"><head><title>Turklær og utstyr på nett | Fjell og Fjord</title></head><body><nav><a href="/jakker">Jakker</a><a href="/telt">Telt</a><a href="/sekker">Ryggsekker</a><a href="/sovepose">Soveposer</a></nav><a href="/"><img alt="Fjell og Fjord" src="/logo.png"></a><div class="product"><h2>Skalljakke dame</h2><span class="price">1 299,-</span><button>Legg i handlekurv</button></div><a href="/cart">Handlekurv</a><footer>© 2024 Fjell og Fjord AS. Org.nr. 987 654 321 MVA. Tlf. +47 22 33 44 55</footer></body></html>',
  ],
  [
    'www.keramikstudio-lund.se',
    'Keramikstudio Lund',
    'SE',
    '<html lang="sv"><head><title>Keramikstudio Lund – Handgjord keramik</title></head><body><nav><a>Muggar</a><a>Skålar</a><a>Vaser</a><a>Tallrikar</a></nav><h1>Handgjord keramik</h1><div class="product"><h2>Mugg blå</h2><span>249 kr</span><button>Lägg i varukorg</button></div><a href="/varukorg">Varukorg</a><footer>Keramikstudio Lund AB, Org.nr 556677-8899, Kyrkogatan 4, 222 22 Lund. info@keramikstudio-lund.se</footer></body></html>',
  ],
  [
    'kaffebrenner.dk',
    'Kaffebrenner',
    'DK',
    '<html lang="da"><head><title>Friskristet kaffe online - Kaffebrenner</title><meta property="og:site_name" content="Kaffebrenner"></head><body><nav><a>Kaffebønner</a><a>Espresso</a><a>Te</a><a>Kaffemaskiner</a></nav><div class="product">Etiopien 250 g kaffe <span>89,00 kr.</span> <button>Læg i kurv</button></div><footer>Kaffebrenner ApS · CVR: 34567890 · Vestergade 10, 8000 Aarhus C · Tlf. 86 12 34 56</footer></body></html>',
  ],
  [
    'www.pelikaanboeken.nl',
    'Pelikaan Boeken',
    'NL',
    '<html lang="nl"><head><title>Boeken bestellen? Pelikaan Boeken | Voor 23:00 besteld, morgen in huis</title></head><body><a class="logo" href="/"><img alt="Pelikaan Boeken logo"></a><nav><a>Romans</a><a>Kinderboeken</a><a>Thrillers</a><a>E-books</a></nav><div class="product">Het stille huis (paperback) <span>€ 22,99</span><button>In winkelwagen</button></div><footer>KvK 12345678 | BTW NL001234567B01 | Copyright 2025 Pelikaan Boeken</footer></body></html>',
  ],
  [
    'www.maisonlaurier.fr',
    'Maison Laurier',
    'FR',
    '<html lang="fr"><head><title>Maison Laurier : bougies parfumées artisanales fabriquées en France</title></head><body><nav><a>Bougies parfumées</a><a>Diffuseurs</a><a>Décoration</a></nav><img class="logo" alt="Maison Laurier"><div class="product">Bougie figuier <span>34,00 €</span><button>Ajouter au panier</button></div><footer>SIRET 812 345 678 00012 - RCS Bordeaux - TVA FR12812345678 © Maison Laurier</footer></body></html>',
  ],
  [
    'www.tuttobici.it',
    'Tuttobici',
    'IT',
    '<html lang="it"><head><title>Tuttobici.it - Ricambi e accessori bicicletta | Spedizione gratuita</title></head><body><nav><a>Biciclette</a><a>Copertoni</a><a>Selle</a><a>Caschi</a></nav><div class="product">Casco da bici MTB <span>€ 59,90</span><button>Aggiungi al carrello</button></div><footer>Tuttobici S.r.l. - P.IVA 01234567890 - REA MI-1234567 - Via Roma 12, 20121 Milano</footer></body></html>',
  ],
  [
    'www.zapatosmarta.es',
    'Zapatos Marta',
    'ES',
    '<html lang="es"><head><title>Zapatos Marta - Zapatería online</title></head><body><nav><a>Zapatos mujer</a><a>Botas</a><a>Sandalias</a><a>Bolsos</a></nav><img alt="Zapatos Marta" class="logo"><div class="product">Botín de piel <span>79,95 €</span><button>Añadir al carrito</button></div><footer>Zapatos Marta S.L. CIF B12345678. C/ Mayor 3, 03201 Elche. Tel. 965 123 456</footer></body></html>',
  ],
  [
    'www.lojadopescador.pt',
    'Loja do Pescador',
    'PT',
    '<html lang="pt"><head><title>Loja do Pescador | Artigos de pesca</title></head><body><nav><a>Canas de pesca</a><a>Carretos</a><a>Iscas</a><a>Anzóis</a></nav><div class="product">Cana surfcasting 4,20 m <span>89,90 €</span><button>Adicionar ao carrinho</button></div><footer>NIF 501234567 · Livro de Reclamações · Loja do Pescador, Lda</footer></body></html>',
  ],
  [
    'www.casadopet.com.br',
    'Casa do Pet',
    'BR',
    '<html lang="pt-BR"><head><title>Ração, petiscos e acessórios para cães e gatos | Casa do Pet</title></head><body><nav><a>Cães</a><a>Gatos</a><a>Ração</a><a>Aquários</a></nav><img alt="Casa do Pet" class="logo"><div class="product">Ração para cães adultos 15kg <span>R$ 189,90</span><button>Comprar</button></div><footer>Casa do Pet Ltda - CNPJ: 12.345.678/0001-90</footer></body></html>',
  ],
  [
    'kwiatypolne.pl',
    'Kwiaty Polne',
    'PL',
    '<html lang="pl"><head><title>Kwiaciarnia internetowa Kwiaty Polne - bukiety z dostawą</title></head><body><nav><a>Bukiety</a><a>Róże</a><a>Kwiaty doniczkowe</a></nav><img alt="Kwiaty Polne" class="logo"><div class="product">Bukiet róż <span>149,00 zł</span><button>Dodaj do koszyka</button></div><footer>NIP: 123-456-32-18 REGON: 123456785 ul. Długa 5, 00-238 Warszawa</footer></body></html>',
  ],
  [
    'www.naradiplus.cz',
    'Nářadí Plus',
    'CZ',
    '<html lang="cs"><head><title>Nářadí Plus | Elektrické nářadí, vrtačky, brusky</title></head><body><nav><a>Vrtačky</a><a>Brusky</a><a>Pily</a><a>Šroubováky</a></nav><div class="product">Aku vrtačka 18V <span>2 990 Kč</span><button>Do košíku</button></div><footer>Nářadí Plus s.r.o., IČO: 12345678, DIČ: CZ12345678</footer></body></html>',
  ],
  [
    'www.svetlux.sk',
    'Svetlux',
    'SK',
    '<html lang="sk"><head><title>Svietidlá a lampy | Svetlux</title></head><body><nav><a>Lustre</a><a>Stolové lampy</a><a>LED žiarovky</a></nav><div class="product">Stropné svietidlo LED <span>49,90 €</span><button>Do košíka</button></div><footer>© Svetlux s.r.o. IČO: 45678901 DIČ: 2023456789 Bratislava</footer></body></html>',
  ],
  [
    'horgasztanya.hu',
    'Horgásztanya',
    'HU',
    '<html lang="hu"><head><title>Horgásztanya webáruház</title></head><body><nav><a>Horgászbotok</a><a>Orsók</a><a>Csalik</a></nav><div class="product">Horgászbot 3,6 m <span>12 990 Ft</span><button>Kosárba</button></div><footer>Horgásztanya Kft. Adószám: 12345678-2-41 Cégjegyzékszám: 01-09-123456</footer></body></html>',
  ],
  [
    'www.jucariifericite.ro',
    'Jucării Fericite',
    'RO',
    '<html lang="ro"><head><title>Jucării Fericite - jucării educative pentru copii</title></head><body><nav><a>Jucării din lemn</a><a>Puzzle</a><a>Păpuși</a></nav><div class="product">Puzzle lemn <span>59,99 lei</span><button>Adaugă în coș</button></div><footer>SC Jucarii Fericite SRL, CUI RO12345678, J40/1234/2015</footer></body></html>',
  ],
  [
    'knigamania.bg',
    'Книгомания',
    'BG',
    '<html lang="bg"><head><title>Книгомания - онлайн книжарница</title><meta property="og:site_name" content="Книгомания"></head><body><nav><a>Художествена литература</a><a>Детски книги</a></nav><div class="product">Роман <span>18,90 лв.</span><button>Добави в количката</button></div><footer>ЕИК 123456789 София</footer></body></html>',
  ],
  [
    'www.eladia.gr',
    'Eladia',
    'GR',
    '<html lang="el"><head><title>Eladia | Ελαιόλαδο και παραδοσιακά προϊόντα</title></head><body><nav><a>Ελαιόλαδο</a><a>Μέλι</a><a>Ελιές</a></nav><div class="product">Εξαιρετικό παρθένο ελαιόλαδο 1L <span>12,50 €</span><button>Προσθήκη στο καλάθι</button></div><footer>ΑΦΜ 123456789 ΓΕΜΗ 012345678000 τηλ. 2810 123456</footer></body></html>',
  ],
  [
    'mustakissa.fi',
    'Musta Kissa',
    'FI',
    '<html lang="fi"><head><title>Musta Kissa - Lahjat ja sisustus verkkokauppa</title></head><body><nav><a>Kynttilät</a><a>Tyynyt</a><a>Sisustus</a></nav><img alt="Musta Kissa" class="logo"><div class="product">Tyyny <span>29,90 €</span><button>Lisää ostoskoriin</button></div><footer>Musta Kissa Oy, Y-tunnus 1234567-8, Helsinki</footer></body></html>',
  ],
  [
    'www.bergkristall-shop.at',
    'Bergkristall Shop',
    'AT',
    '<html lang="de-AT"><head><title>Bergkristall Shop | Edelsteine, Mineralien & Schmuck</title></head><body><nav><a>Ketten</a><a>Ringe</a><a>Armbänder</a></nav><img alt="Bergkristall Shop" class="logo"><div class="product">Armband Amethyst <span>€ 24,90</span><button>In den Warenkorb</button></div><footer>Firmenbuchnummer FN 123456a, UID ATU12345678, 6020 Innsbruck</footer></body></html>',
  ],
  [
    'velocitta.ch',
    'Velocitta',
    'CH',
    '<html lang="de-CH"><head><title>Velocitta – Velos, E-Bikes & Zubehör</title></head><body><nav><a>E-Bikes</a><a>Velos</a><a>Helme</a></nav><div class="product">City E-Bike <span>CHF 2\'499.00</span><button>In den Warenkorb</button></div><footer>Velocitta GmbH, 8005 Zürich, CHE-123.456.789 MWST, +41 44 123 45 67</footer></body></html>',
  ],
  [
    'www.drogerie-sonnenschein.de',
    'Drogerie Sonnenschein',
    'DE',
    '<html lang="de"><head><title>Startseite | Drogerie Sonnenschein</title></head><body><nav><a>Gesichtspflege</a><a>Haarpflege</a><a>Make-up</a></nav><img alt="Drogerie Sonnenschein" class="logo"><div class="product">Shampoo sensitiv <span>4,95 €</span><button>In den Warenkorb</button></div><footer>HRB 12345 Amtsgericht Köln, USt-IdNr. DE123456789</footer></body></html>',
  ],
  [
    'www.oakandthread.co.uk',
    'Oak & Thread',
    'GB',
    '<html lang="en-GB"><head><title>Mens Shirts, Knitwear & Jackets - Oak & Thread</title></head><body><nav><a>Shirts</a><a>Knitwear</a><a>Jackets</a><a>Trousers</a></nav><img alt="Oak & Thread" class="logo"><div class="product">Oxford Shirt <span>£65.00</span><button>Add to basket</button></div><footer>© 2025 Oak & Thread Ltd. Registered in England and Wales No. 08123456. VAT GB123456789</footer></body></html>',
  ],
  [
    'thelittlepotionshop.ie',
    'The Little Potion Shop',
    'IE',
    '<html lang="en-IE"><head><title>The Little Potion Shop | Natural Skincare Handmade in Ireland</title></head><body><nav><a>Face Creams</a><a>Soaps</a><a>Bath Bombs</a></nav><div class="product">Calendula Face Cream <span>€24.00</span><button>Add to cart</button></div><footer>The Little Potion Shop, Westport, Co. Mayo, Ireland. +353 98 123456</footer></body></html>',
  ],
  [
    'bigskybeef.com',
    'Big Sky Beef',
    'US',
    '<html lang="en-US"><head><title>Big Sky Beef | Grass-Fed Beef Delivered</title></head><body><nav><a>Steaks</a><a>Ground Beef</a><a>Jerky</a></nav><img alt="Big Sky Beef" class="logo"><div class="product">Ribeye Steak 12 oz <span>$29.99</span><button>Add to cart</button></div><footer>Big Sky Beef LLC, 120 Main St, Bozeman, MT 59715 (406) 555-0134. © Big Sky Beef</footer></body></html>',
  ],
  [
    'northernpaws.ca',
    'Northern Paws',
    'CA',
    '<html lang="en-CA"><head><title>Shop Dog Beds & Leashes – Northern Paws</title><meta property="og:site_name" content="Northern Paws"></head><body><nav><a>Dog Beds</a><a>Leashes</a><a>Cat Toys</a></nav><div class="product">Dog Bed Large <span>$89.00 CAD</span><button>Add to cart</button></div><footer>Northern Paws Inc., Vancouver, BC V5K 0A1</footer></body></html>',
  ],
  [
    'www.saltandsurf.com.au',
    'Salt and Surf',
    'AU',
    '<html lang="en-AU"><head><title>Surfboards, Wetsuits & Fins | Salt and Surf</title></head><body><nav><a>Surfboards</a><a>Wetsuits</a><a>Fins</a></nav><div class="product">Fish Surfboard 5\'8 <span>$749.00</span><button>Add to cart</button></div><footer>ABN 12 345 678 901 | Salt and Surf Pty Ltd</footer></body></html>',
  ],
  [
    'kiwiblooms.co.nz',
    'Kiwi Blooms',
    'NZ',
    '<html lang="en-NZ"><head><title>Home - Kiwi Blooms</title></head><body><nav><a>Bouquets</a><a>Plants</a><a>Gift Hampers</a></nav><h1>Fresh flowers</h1><img alt="Kiwi Blooms" class="logo"><div class="product">Mixed Bouquet <span>$69.00</span><button>Add to cart</button></div><footer>NZBN 9429041234567. Auckland. © Kiwi Blooms</footer></body></html>',
  ],
  [
    'www.shaktijewels.in',
    'Shakti Jewels',
    'IN',
    '<html lang="en"><head><title>Buy Silver Jewellery Online | Shakti Jewels</title></head><body><nav><a>Rings</a><a>Earrings</a><a>Necklaces</a></nav><img alt="Shakti Jewels" class="logo"><div class="product">Silver Jhumka Earrings <span>₹1,499</span><button>Add to cart</button></div><footer>GSTIN: 27ABCDE1234F1Z5. Jaipur, Rajasthan 302001. Call +91 98765 43210</footer></body></html>',
  ],
  [
    'dhakagadget.com',
    'Dhaka Gadget',
    'BD',
    '<html lang="en"><head><title>Dhaka Gadget - Mobile Accessories Shop in Bangladesh</title></head><body><nav><a>Earbuds</a><a>Power Banks</a><a>Smart Watches</a></nav><div class="product">TWS Earbuds <span>৳ 1,850</span><button>Add to cart</button></div><footer>© Dhaka Gadget. Hotline: +8801712345678</footer></body></html>',
  ],
  [
    'www.tokyotea.jp',
    '東京茶舗',
    'JP',
    '<html lang="ja"><head><title>東京茶舗｜日本茶の通販</title><meta property="og:site_name" content="東京茶舗"></head><body><nav><a>煎茶</a><a>抹茶</a><a>ほうじ茶</a></nav><div class="product">煎茶 100g <span>¥1,080（税込）</span><button>カートに入れる</button></div><footer>特定商取引法に基づく表記 〒100-0001 東京都千代田区 TEL 03-1234-5678</footer></body></html>',
  ],
  [
    'seoulglow.kr',
    '서울글로우',
    'KR',
    '<html lang="ko"><head><title>서울글로우 - 스킨케어 화장품</title><meta property="og:site_name" content="서울글로우"></head><body><nav><a>스킨케어</a><a>메이크업</a><a>마스크팩</a></nav><div class="product">수분 크림 <span>25,000원</span><button>장바구니 담기</button></div><footer>사업자등록번호 123-45-67890 통신판매업신고 2020-서울강남-1234 대표전화 02-123-4567</footer></body></html>',
  ],
  [
    'techhub.ae',
    'TechHub',
    'AE',
    '<html lang="en"><head><title>TechHub UAE | Laptops, Mobiles & Gaming</title></head><body><nav><a>Laptops</a><a>Mobiles</a><a>Gaming Consoles</a></nav><img alt="TechHub" class="logo"><div class="product">Gaming Laptop 16GB <span>AED 4,299.00</span><button>Add to cart</button></div><footer>TRN 100123456700003, Dubai. Call 800 1234</footer></body></html>',
  ],
  [
    'www.evbebek.com.tr',
    'Ev Bebek',
    'TR',
    '<html lang="tr"><head><title>Ev Bebek | Bebek Giyim ve Oyuncak</title></head><body><nav><a>Bebek Giyim</a><a>Bebek Arabası</a><a>Emzirme</a></nav><div class="product">Bebek arabası <span>3.499,00 TL</span><button>Sepete Ekle</button></div><footer>Ev Bebek Tic. Ltd. Şti. Mersis No: 0123456789012345 Vergi No 1234567890</footer></body></html>',
  ],
  [
    'tiendamate.com.ar',
    'Tienda Mate',
    'AR',
    '<html lang="es-AR"><head><title>Tienda Mate - Mates, bombillas y yerba</title></head><body><nav><a>Mates</a><a>Bombillas</a><a>Yerba mate</a></nav><div class="product">Mate imperial <span>$ 45.000,00</span><button>Agregar al carrito</button></div><footer>CUIT 30-12345678-9. Buenos Aires. Tienda Mate</footer></body></html>',
  ],
  [
    'www.modaluna.mx',
    'Moda Luna',
    'MX',
    '<html lang="es-MX"><head><title>Moda Luna | Vestidos y blusas de mujer</title></head><body><nav><a>Vestidos</a><a>Blusas</a><a>Faldas</a></nav><div class="product">Vestido floral <span>$799.00 MXN</span><button>Agregar al carrito</button></div><footer>RFC MLU120304AB1. Guadalajara, Jalisco. +52 33 1234 5678</footer></body></html>',
  ],
  [
    'sazonchile.cl',
    'Sazón Chile',
    'CL',
    '<html lang="es-CL"><head><title>Sazón Chile | Especias y condimentos</title></head><body><nav><a>Especias</a><a>Merkén</a><a>Salsas</a></nav><div class="product">Merkén ahumado 100 g <span>$3.990</span><button>Agregar al carro</button></div><footer>RUT 76.123.456-7 Santiago. +56 2 2345 6789</footer></body></html>',
  ],
  [
    'capetownvinyl.co.za',
    'Cape Town Vinyl',
    'ZA',
    '<html lang="en-ZA"><head><title>Vinyl Records | Cape Town Vinyl</title></head><body><nav><a>Vinyl LPs</a><a>CDs</a><a>Turntables</a></nav><img alt="Cape Town Vinyl" class="logo"><div class="product">Jazz LP <span>R 399.00</span><button>Add to cart</button></div><footer>© Cape Town Vinyl (Pty) Ltd Reg. 2015/123456/07 VAT 4123456789</footer></body></html>',
  ],
  [
    'sprucegoods.com',
    'Spruce Goods',
    'ZZ',
    '<html lang="en"><head><title>Handcrafted Leather Wallets & Belts | Free Shipping Over $50</title><meta property="og:site_name" content="Spruce Goods"></head><body><nav><a>Wallets</a><a>Belts</a><a>Bags</a></nav><div class="product">Bifold Wallet <span>$49.00</span><button>Add to cart</button></div><footer>© 2025, Spruce Goods Powered by Shopify</footer></body></html>',
  ],
  [
    'acmevape.com',
    'Acme Vape',
    'ZZ',
    '<html lang="en"><head><title>Products – Acme Vape</title></head><body><nav><a>E-Liquids</a><a>Vape Kits</a><a>Coils</a></nav><div class="product">Mango Ice E-Liquid 60ml <span>$14.99</span><button>Add to cart</button></div><footer>Copyright © Acme Vape. Must be 21+</footer></body></html>',
  ],
];

describe('front pages of shops', () => {
  it.each(shops)('the front page of %s shows the name %s and the country %s', (host, name, country, html) => {
    const observed = observeStore({ url: `https://${host}/`, status: 200, headers: {}, html });
    expect(observed.name).toBe(name);
    expect(observed.nameBasis).not.toBe('domain');
    expect(observed.geography.country).toBe(country);
  });
});
