import { describe, expect, it } from 'vitest';
import { jsonLd, page, script } from '../../test/support/pages.ts';
import { observeStore, type PageInput } from '../index.ts';

/** Pages as shops of many countries write them: their imprint, footer, structured data and settings. */
type Markup = Parameters<typeof page>[0];
const countryOf = (markup: Markup, over: Partial<PageInput> = {}) =>
  observeStore(page(markup, { url: 'https://shop.example/', ...over })).geography.country;
const foot = (...lines: string[]): string =>
  `<main><h1>Shop</h1></main><footer>${lines.map((line) => `<p>${line}</p>`).join('')}</footer>`;
const address = (member: unknown, type = 'Organization', over = {}) =>
  jsonLd({
    '@type': type,
    name: 'A',
    address: { '@type': 'PostalAddress', streetAddress: 'A 1', ...(member as object), ...over },
  });

describe('country of a footer or imprint', () => {
  it.each([
    ['en', 'DE', ['Lampen Meier GmbH', 'Hauptstr. 12', '50667 Köln']],
    ['de', 'DE', ['Tee &amp; mehr e.K.', 'Am Markt 3', '37073 Göttingen', 'Tel. 0551 / 123 98 76']],
    ['de', 'DE', ['Bergstraße 14', '87561 Oberstdorf', 'Telefon: 08322 96080']],
    ['de', 'AT', ['Teehaus e.U.', 'Mariahilfer Straße 12', '1070 Wien']],
    ['de', 'AT', ['FN 123456 a, Handelsgericht Wien', 'UID: ATU12345678']],
    ['de', 'CH', ['Velo AG', 'Bahnhofstrasse 1', '8001 Zürich']],
    ['fr', 'CH', ['Montres SA', 'Rue du Rhône 1, 1204 Genève', 'Paiement par TWINT']],
    ['fr', 'FR', ['SARL Le Comptoir', '12 rue des Lilas', '69003 Lyon', 'Tél : 04 78 12 34 56']],
    ['fr', 'BE', ['SPRL Chocolat', 'Rue Neuve 12, 1000 Bruxelles']],
    ['en', 'BE', ['Chocolate Works, Dorpsstraat 4, B-9420 Erpe']],
    ['en', 'HU', ['Lamp, Fő u. 3.', 'Kossuth utca 12', 'H-2000 Szentendre']],
    ['nl', 'BE', ['Fietsen BV', 'Meir 1', '2000 Antwerpen', 'BTW BE 0123.456.749']],
    ['nl', 'NL', ['Kerkstraat 1, 3511 AB Utrecht', 'KvK-nummer: 12345678']],
    ['fr', 'LU', ['12 rue de la Gare, L-1611 Luxembourg', 'TVA LU12345678']],
    ['it', 'IT', ['Bianchi S.r.l.', 'Via Roma 10 - 20121 Milano (MI)', 'P.IVA: 12345678901']],
    ['en', 'IT', ['Pelle srl, Via Garibaldi 3, 50123 Firenze']],
    ['es', 'ES', ['Calle Mayor 5, 28013 Madrid', 'NIF: B12345678']],
    ['es', 'ES', ['Muebles García S.L.', 'Envíos a toda la península', 'Pago con Bizum']],
    ['pt', 'PT', ['Rua Augusta 10, 1100-053 Lisboa', 'Livro de reclamações']],
    ['pt', 'BR', ['Loja de Chás Ltda', 'CNPJ: 12.345.678/0001-90', 'Av. Paulista, 1000 - São Paulo - SP']],
    ['pt', 'BR', ['Em até 10x sem juros', 'Frete grátis']],
    ['en', 'IE', ['12 Main Street, Clifden, Co. Galway, H71 AX23']],
    ['en', 'GB', ['Unit 4, Mill Lane, Sheffield S11 8YZ']],
    ['en', 'GB', ['Lamp Co Ltd. Registered in England No. 01234567. VAT No. 123 4567 89']],
    ['en', 'GB', ['Call us on 01904 123 987', 'Free UK mainland delivery', 'All prices inc VAT']],
    ['da', 'DK', ['Te ApS, Vestergade 1, 8000 Aarhus C', 'CVR: 12345678']],
    ['en', 'DK', ['Nordic Tea ApS', '2100 Copenhagen']],
    ['en', 'GR', ['VAT No.: EL123456789']],
    ['en', 'HR', ['Company VAT number HR12345678901']],
    ['en', 'MT', ['VAT Reg. MT1234-5678']],
    ['en', 'CY', ['VAT: CY12345678X']],
    ['ru', 'KG', ['ИНН 01234567890123']],
    ['sv', 'SE', ['Lampan AB', 'Storgatan 1, 111 23 Stockholm', 'Org.nr: 556123-4567']],
    ['en', 'SE', ['VAT no: SE556123456701']],
    ['no', 'NO', ['Lampe AS', 'Storgata 1, 0155 Oslo', 'Org.nr. 912 345 678 MVA']],
    ['fi', 'FI', ['Lamppu Oy', 'Mannerheimintie 1, 00100 Helsinki', 'Y-tunnus 1234567-8']],
    ['is', 'IS', ['Búðin ehf., Laugavegur 1, 101 Reykjavík', 'Kt. 123456-7890']],
    ['en', 'EE', ['Lamp OÜ', 'Pärnu mnt 1, 10141 Tallinn']],
    ['lv', 'LV', ['SIA "Lampa"', 'Reģ. Nr. 40003123456', 'Brīvības iela 1, Rīga, LV-1010']],
    ['lt', 'LT', ['UAB „Lempa“', 'Įmonės kodas 123456789', 'Gedimino pr. 1, LT-01103 Vilnius']],
    ['pl', 'PL', ['Lampa Sp. z o.o.', 'ul. Długa 1, 00-238 Warszawa', 'NIP 525-000-11-22']],
    ['cs', 'CZ', ['Lampa s.r.o.', 'Dlouhá 1, 110 00 Praha 1', 'IČ: 12345678', 'DIČ: CZ12345678']],
    ['sk', 'SK', ['Lampa s.r.o.', 'Obchodná 1, 811 06 Bratislava', 'IČ DPH: SK2020123456']],
    ['hu', 'HU', ['Lámpa Kft.', '1051 Budapest, Fő utca 1.', 'Adószám: 12345678-2-41']],
    ['ro', 'RO', ['SC Lampa SRL', 'CUI RO12345678', 'J40/1234/2015']],
    ['bg', 'BG', ['Лампа ЕООД', 'ЕИК: 123456789', 'София 1000']],
    ['el', 'GR', ['Ερμού 1, 105 63 Αθήνα', 'ΑΦΜ: 123456789']],
    ['hr', 'HR', ['Lampa d.o.o.', 'Ilica 1, 10000 Zagreb', 'OIB: 12345678901']],
    ['sl', 'SI', ['Lučka d.o.o.', 'Slovenska cesta 1, 1000 Ljubljana']],
    ['sr', 'RS', ['Lampa d.o.o. Beograd', 'PIB: 123456789']],
    ['tr', 'TR', ['Lamba Tekstil San. Tic. Ltd. Şti.', 'Mersis No: 0123456789012345']],
    ['ru', 'RU', ['ООО «Лампа»', 'ИНН 7701234567, ОГРН 1027700132195']],
    ['ru', 'UA', ['ФОП Шевченко', '(067) 123-45-98', 'Доставка Новой почтой, новая почта']],
    ['ru', 'KZ', ['ТОО «Лампа»', 'БИН 123456789012', 'Оплата Kaspi']],
    ['ru', 'BY', ['УНП 123456789', '220030, г. Минск']],
    ['es', 'AR', ['CUIT 30-12345678-9', 'Av. Corrientes 1000, CABA']],
    ['es', 'MX', ['Té SA de CV', 'Col. Roma Norte, C.P. 06700, Ciudad de México', 'RFC: TEM010203AB1']],
    ['es', 'CL', ['RUT: 76.123.456-7', 'Providencia, Santiago']],
    ['es', 'CO', ['NIT 900.123.456-7', 'Bogotá']],
    ['es', 'PE', ['RUC 20123456789', 'Miraflores, Lima', 'Libro de Reclamaciones']],
    ['es', 'EC', ['RUC: 1790012345001']],
    ['es', 'UY', ['RUT: 211234560018']],
    ['es', 'PY', ['RUC: 80012345-6']],
    ['en', 'US', ['© 2024 Lamp House LLC', '1200 NW Naito Pkwy, Portland, OR 97209']],
    ['en', 'US', ['© 2024 Lamp House, LLC. Powered by Shopify', 'Do not sell my personal information']],
    ['en', 'CA', ['123 Queen St W, Toronto, Ontario M5H 2M9']],
    ['en', 'AU', ['Lamp House Pty Ltd', 'ABN 12 345 678 901']],
    ['en', 'AU', ['Unit 3, 12 Smith St, Fremantle WA 6160', 'Call 1300 123 987']],
    ['en', 'NZ', ['12 Queen Street, Auckland 1010', '0800 123 987']],
    ['en', 'ZA', ['Lamps (Pty) Ltd', '12 Long Street, Cape Town, 8001', '021 123 4987']],
    ['en', 'IN', ['Lamps Pvt. Ltd.', 'GSTIN: 27ABCDE1234F1Z5', 'Andheri East, Mumbai - 400069']],
    ['en', 'IN', ['CIN: U74999MH2015PTC123456']],
    ['en', 'SG', ['Lamps Pte. Ltd.', '10 Anson Road, Singapore 079903']],
    ['en', 'MY', ['Lamps Sdn Bhd (123456-X)', '47500 Subang Jaya, Selangor']],
    ['en', 'HK', ['Flat A, 12/F, 8 Nathan Road, Tsim Sha Tsui, Kowloon, Hong Kong']],
    ['en', 'AE', ['P.O. Box 12345, Dubai, UAE', 'TRN: 100123456700003']],
    ['ja', 'JP', ['株式会社ランプ', '〒150-0001 東京都渋谷区神宮前1-1', '特定商取引法に基づく表記']],
    ['ko', 'KR', ['(주)램프', '사업자등록번호 123-45-67890', '통신판매업신고 2020-서울-0001']],
    ['zh-CN', 'CN', ['粤ICP备12345678号', '深圳市南山区科技路1号']],
    ['zh-TW', 'TW', ['燈有限公司', '統一編號 12345678', '台北市大安區']],
    ['he', 'IL', ['מנורה בע"מ', 'ח.פ 512345678', 'תל אביב']],
    ['ar', 'SA', ['السجل التجاري: 1010123456', 'الرقم الضريبي: 300012345600003']],
    ['vi', 'VN', ['Mã số thuế: 0312345678', 'Hồ Chí Minh']],
    ['th', 'TH', ['เลขทะเบียนพาณิชย์ 0105512345678', 'กรุงเทพฯ 10110']],
    ['id', 'ID', ['PT Lampu Indah', 'Jakarta Selatan 12190']],
  ] as const)('the country of a footer or imprint on a page in %s is %s: %j', (lang, country, lines) => {
    expect(countryOf({ lang, body: foot(...lines) })).toBe(country);
  });
});

describe('country in structured data and settings', () => {
  it.each([
    ['an alpha-3 code', address({ addressCountry: 'DEU' }), 'DE'],
    ['a name in its own language', address({ addressCountry: 'Česká republika' }), 'CZ'],
    ['a name in Japanese', address({ addressCountry: '日本' }), 'JP'],
    ['an object with a name', address({ addressCountry: { '@type': 'Country', name: 'NL' } }), 'NL'],
    ['a list', address({ addressCountry: ['AU'] }), 'AU'],
    ['a postal code and town', address({ addressLocality: 'Wien', postalCode: '1010' }), 'AT'],
    ['a Canadian region', address({ addressLocality: 'Guelph', addressRegion: 'ON', postalCode: 'N1H 1A1' }), 'CA'],
    ['a messenger', '', 'AE', '<a href="https://api.whatsapp.com/send?phone=971501234987">Chat</a>'],
    ['a phone link with 00', '', 'PT', '<a href="tel:00351218860742">Tel</a>'],
    ['a mail link', '', 'CZ', '<a href="mailto:info@lampa.cz">Mail</a>'],
    ['a complaints office', '', 'RO', '<a href="https://anpc.ro/">ANPC</a>'],
    ['a seal of shops', '', 'NL', '<a href="https://www.thuiswinkel.org/leden/lamp">Keurmerk</a>'],
    ['a time zone', script('wp.date.setSettings({"timezone":{"offset":"1","string":"Europe\\/Berlin"}});'), 'DE'],
    [
      'its Stripe button',
      script(
        'var wc_stripe_payment_request_params = {"ajax_url":"/","stripe":{"key":"pk"},"checkout":{"url":"/","currency_code":"eur","country_code":"NL"}};',
      ),
      'NL',
    ],
  ])('the country in structured data and settings is read from %s', (_, head, country, body = '') => {
    expect(countryOf({ head, body })).toBe(country);
  });
});

describe('country of others', () => {
  it.each([
    ['reviews', foot('Anna from Berlin: great lamp', 'Tom, 12/05/2021', 'Germany', 'Rated 5 stars by Ida, Oslo')],
    ['a price for shipping abroad', foot('We ship to Germany from 4.90', 'Versand nach Deutschland 4,90')],
    ['a selector of countries', foot('USD $ | United States', 'EUR € | Germany', 'GBP £ | United Kingdom')],
    ['the phone of a carrier', foot('DHL hotline: +49 228 4333112')],
    ['the manufacturer', foot('Hersteller: Lampenwerk GmbH', 'Musterweg 1', '50667 Köln', 'info@werk.de')],
    ['the importer', foot('Manufacturer: Lightworks Ltd, Shenzhen 518000, China')],
    ['the host of the site', foot('Hébergeur : Shopify Inc., 150 Elgin Street', 'Ottawa, ON K2P 1L4, Canada')],
    ['the address of an advertiser', foot('Google Ireland Limited, Gordon House', 'Barrow Street, Dublin 4, D04 E5W5')],
    ['the sample address of a theme', foot('121 King Street, Melbourne', 'Victoria 3000, Australia')],
    ['an American state', foot('Atlanta 30301, Georgia')],
    ['a register name of several countries: NIT', foot('NIT: 1023456027')],
    ['a register name of several countries: RUT', foot('RUT 12345')],
    ['a commercial register of any Arab country', foot('سجل تجاري: 12345')],
    ['a size', foot('Pack T1 2XL', 'DDR4 8GB', 'Download 5 MB PDF', 'HB pencils, DAC and PLC')],
    ['a model number', foot('Kit B-1200 Black', 'Radio S-12345 Silver', 'Lamp LT-10200')],
    ['hours in Pacific time', foot('Chat 8 – 17, PT Monday to Friday')],
    ['words that are carriers elsewhere', foot('Unsere starken Angebote', 'Posti a sedere')],
    ['means of payment of many countries', foot('iDEAL, Bancontact, Przelewy24, BLIK, TWINT, MobilePay, Bizum')],
    ['dollar prices', foot('$12.00', '$15.00')],
  ])('a text on a page says nothing about the country of the merchant: %s', (_, body) => {
    expect(countryOf({ body })).toBe('ZZ');
  });

  it.each([
    [
      'the customer in the data of a Stripe plugin',
      script('var wc_stripe_params_v3 = {"customer":{"country_code":"JP"},"country_code":"JP"};'),
    ],
    [
      'the country of the visitor',
      script('var prestashop = {"country":{"iso_code":"JP"},"customer":{}}; Shopify.country = "JP";'),
    ],
    [
      'an address of the event, the reviewer and the brand',
      address({ addressCountry: 'JP' }, 'Event') +
        jsonLd({
          '@type': 'Product',
          brand: { '@type': 'Organization', address: { '@type': 'PostalAddress', addressCountry: 'JP' } },
        }),
    ],
    [
      'branches in several countries',
      address({ addressCountry: 'DE' }, 'Store') + address({ addressCountry: 'FR' }, 'Store'),
    ],
    ['several time zones', script('a={"timezone":"Asia/Tokyo"};b={"timezone":"Europe/Rome"}')],
    ['a new store of WooCommerce without more', ''],
  ])('a script or structured data say nothing about the country of the merchant: %s', (_, head) => {
    expect(countryOf({ head })).toBe('ZZ');
  });

  it('a list of branches, the publisher of an article and a default of the platform yield to what the merchant says', () => {
    const branches = ['A 1', 'B 2']
      .map((streetAddress) => address({ addressCountry: 'US', streetAddress }, 'Store'))
      .join('');
    const publisher = jsonLd({
      '@type': 'Article',
      publisher: { '@type': 'Organization', address: { '@type': 'PostalAddress', addressCountry: 'US' } },
    });
    const base = script(
      'var wcSettings = "%22baseLocation%22%3A%7B%22country%22%3A%22US%22%2C%22state%22%3A%22CA%22%7D";',
    );
    const body = foot('Lampen GmbH', 'USt-IdNr. DE123456789');
    for (const head of [branches, publisher, base]) expect(countryOf({ lang: 'de', head, body })).toBe('DE');
    expect(countryOf({ head: branches })).toBe('US');
  });
});

describe('marks that say nothing about the merchant', () => {
  it.each([
    [
      'a sample address beside a sample mail address',
      ['21 Taltarni Road', 'Tottington, Victoria 3478', 'vineyard@domain.com'],
    ],
    ['a sample address beside a sample phone number', ['1569 Ave, New York, NY 10028, USA', '+123 456 7890']],
    ['a sample address in one line', ['40 Park Drive, Varick, NY 10013, USA. Email: info@example.com']],
    ['the copyright line of a theme below its sample', ['info@domain.com', 'A', 'B', 'C', 'D', '© 2021 Bodo, LLC. A']],
    [
      'a sample address beside sample contacts',
      ['A:123 John St, NY 10000, USA', 'New York 10010', 'T: 123 456 789 0', 'E: email@exampledemo.com'],
    ],
    ['a sample address beside a mail address of nobody', ['12 Elm St, Austin, TX 78701', 'info@companyname.com']],
    ['a phone number that themes show', ['<a href="tel:+18408412569">Call</a>']],
    ['an address that themes show', ['Germany — 785 15h Street, Office 478, Berlin, De 81566']],
  ])('marks that say nothing about the merchant leave the country unknown: %s', (_, lines) => {
    expect(countryOf({ body: foot(...lines) })).toBe('ZZ');
  });

  it('a domain ending that anybody got free of charge says nothing about the merchant', () => {
    const body = '<p>Tea $12.00</p>';
    for (const ending of ['ga', 'gq', 'cf', 'ml', 'tk'])
      expect(countryOf({ body }, { url: `https://tea.${ending}/` })).toBe('ZZ');
    expect(countryOf({ body: '<p>Tea 1 200 Ft</p>', lang: 'hu' }, { url: 'https://tea.ga/' })).toBe('HU');
    expect(countryOf({ body }, { url: 'https://tea.ke/' })).toBe('KE');
  });

  it('prices in a currency of which Magento, OpenCart or PrestaShop offers several say nothing about the merchant', () => {
    const prices = '<p>Tea £12.00</p><p>Cup £8.00</p>';
    expect(countryOf({ body: prices })).toBe('GB');
    for (const id of ['switcher-currency', 'form-currency', '_desktop_currency_selector', 'currencies-block-top'])
      expect(countryOf({ body: `<div id="${id}"></div>${prices}` })).toBe('ZZ');
  });

  it('the default settings of a new Squarespace site say nothing about the merchant', () => {
    const site = (country: string) =>
      script(`Static.SQUARESPACE_CONTEXT = {"website":{"siteTitle":"A"},"websiteSettings":{"country":"${country}"}};`);
    expect(countryOf({ head: site('US') })).toBe('ZZ');
    expect(countryOf({ head: site('CA') })).toBe('CA');
  });
});

describe('address of structured data', () => {
  it('the address of structured data counts without its type', () => {
    const head = jsonLd({
      '@type': 'Organization',
      name: 'A',
      address: { addressLocality: 'Utrecht', addressCountry: 'NL' },
    });
    expect(countryOf({ head })).toBe('NL');
  });

  it('the address of a product, person or event in structured data does not count without its type', () => {
    const head = jsonLd({
      '@type': 'Person',
      name: 'A',
      address: { addressLocality: 'Utrecht', addressCountry: 'NL' },
    });
    expect(countryOf({ head })).toBe('ZZ');
  });
});

describe('prices in dinars', () => {
  const body = '<p>45,000 DT</p><p>60 DT</p><p>1 250 DT</p><p>80,500 DT</p>';

  it('prices in dinars show no country by the letters of their sign alone', () => {
    expect(countryOf({ lang: 'fr', body })).toBe('ZZ');
  });

  it('prices in dinars show Tunisia beside a second trace, or by their code', () => {
    expect(countryOf({ lang: 'ar', body })).toBe('TN');
    expect(countryOf({ lang: 'fr', body }, { url: 'https://shop.tn/' })).toBe('TN');
    expect(countryOf({ lang: 'fr', body: `${body}<footer>Tél. +216 71 862 305</footer>` })).toBe('TN');
    expect(countryOf({ lang: 'fr', body: '<p>45,000 TND</p><p>60 TND</p><p>80 TND</p>' })).toBe('TN');
  });
});

describe('site in a folder of a host with another name', () => {
  const head = (folder: string) =>
    `<title>Oak Tables</title><meta property="og:site_name" content="Oak Tables"><link rel="stylesheet" href="${folder}/skin/frontend/oak/a.css">`;
  const body = '<p>Tea $12.00</p>';

  it('a site in a folder of a host with another name is a guest there, and the domain says nothing about it', () => {
    const at = (url: string) => countryOf({ head: head('/demo/shop1'), body }, { url });
    expect(at('https://themeworks.us/demo/shop1/')).toBe('ZZ');
    expect(at('https://themeworks.de/demo/shop1/')).toBe('ZZ');
  });

  it('a site in a folder of a host with another name is a guest, too, when only the base of a saved page shows the host', () => {
    const base = '<base href="https://themeworks.us/demo/shop1/">';
    expect(countryOf({ head: base + head('/demo/shop1'), body }, { url: '' })).toBe('ZZ');
    expect(countryOf({ head: base.replace('demo/shop1/', '') + head(''), body }, { url: '' })).toBe('US');
  });

  it('a site in a folder is at home with its own name, in the root, or when only the software has a folder', () => {
    const at = (folder: string, url: string) => countryOf({ head: head(folder), body }, { url });
    expect(at('/shop', 'https://oaktables.us/shop/')).toBe('US');
    expect(at('', 'https://themeworks.us/')).toBe('US');
    expect(at('/magento', 'https://themeworks.us/')).toBe('US');
  });
});

describe('second shop of a company in a folder of its host', () => {
  const head =
    '<title>Klosterladen</title><meta property="og:site_name" content="Klosterladen"><link rel="stylesheet" href="/laden/wp-content/a.css">';
  const at = (url: string, lang: string, body: string) => countryOf({ head, lang, body }, { url });

  it('the second shop of a company in a folder of its host is in no other country because of its language and currency', () => {
    expect(at('https://abtei.at/laden/', 'de', '<p>12,00 €</p>')).toBe('ZZ');
    expect(at('https://abtei.at/laden/', 'de-DE', '<p>12,00 €</p>')).toBe('ZZ');
  });

  it('the second shop of a company in a folder of its host has the country of its own phone number', () => {
    expect(at('https://abtei.at/laden/', 'de', '<p>12,00 €</p><a href="tel:+43 1 5128976">+43 1 5128976</a>')).toBe(
      'AT',
    );
    expect(at('https://abtei.at/laden/', 'de', '<p>12,00 CHF</p><p>9,00 CHF</p><p>+41 44 512 89 76</p>')).toBe('CH');
  });
});

describe('host of a platform below the domain of another country', () => {
  it('a host of a platform below the domain of another country shows Japan when the platform is Japanese', () => {
    const body = '<p>Tea</p>';
    expect(countryOf({ lang: 'en', body }, { url: 'https://tea.thebase.in/' })).toBe('JP');
    expect(countryOf({ lang: 'en', body }, { url: 'https://tea.base.ec/' })).toBe('JP');
    expect(countryOf({ lang: 'en', body }, { url: 'https://tea.in/' })).toBe('IN');
    expect(countryOf({ lang: 'en', body }, { url: 'https://tea.booth.pm/' })).toBe('JP');
  });

  it('a host of a platform below the domain of another country shows Taiwan when the platform is of Taiwan', () => {
    expect(countryOf({ lang: 'en', body: '<p>Tea</p>' }, { url: 'https://tea.waca.ec/' })).toBe('TW');
  });
});

describe('address without a number', () => {
  it('an address without a number is a town and its country beside a contact', () => {
    expect(countryOf({ body: foot('Tea House', 'Augsburg', 'Deutschland', 'tea@tea.example') })).toBe('DE');
    expect(countryOf({ body: foot('+49 821 123 45 99 0', 'Augsburg', 'Germany') })).toBe('DE');
  });

  it('an address without a number is neither a list of destinations nor a town of another country', () => {
    expect(countryOf({ body: foot('Our trips', 'Augsburg', 'Germany', 'Hamburg', 'Germany') })).toBe('ZZ');
    expect(countryOf({ body: foot('Augsburg', 'France', 'tea@tea.example') })).toBe('ZZ');
  });

  it.each([
    ['a customer with a date', ['12.03.2023', 'Anna K.', 'Hamburg', 'Germany', 'Lovely lamp']],
    ['a customer with a date of ISO 8601', ['Anna K.', 'Hamburg', 'Germany', '2023-03-12', 'Lovely lamp']],
    ['a concert', ['Live', '12.03.2024', 'Club', 'Paris', 'France', 'Tickets']],
    ['a journey above the years of the copyright', ['Rome or', 'Paris', 'France', '© 2019 - 2024 Trips']],
    ['the number of an order', ['Sent to', 'Hamburg', 'Germany', 'No. 12345678']],
    ['a warehouse', ['Our warehouse', 'Hamburg', 'Germany', 'info@lamp.example']],
    ['a supplier', ['Our fabrics are woven in', 'Milano', 'Italy', 'mail@lamp.example']],
    ['returns', ['Returns to', 'Hamburg', 'Germany', 'mail@lamp.example']],
    ['a fair', ['Meet us at the fair', 'Milano', 'Italy', 'mail@lamp.example']],
    ['a showroom', ['Showroom', 'Milano', 'Italy', '+86 755 8234 5671']],
  ])('an address without a number is not that of others: %s', (_, lines) => {
    expect(countryOf({ body: foot(...lines) })).toBe('ZZ');
  });
});

describe('United States', () => {
  const dollars = '<meta property="og:price:currency" content="USD">';
  const recipe = (...recipeIngredient: string[]) =>
    dollars + jsonLd({ '@type': 'Recipe', name: 'Pie', recipeIngredient });

  it('the United States are shown by measures of their kitchens beside other marks', () => {
    const body = '<p>Bake in a pan of your favorite color. One jar has 12 oz.</p>';
    const american = ['2 cups flour', '1 cup sugar', '8 ounces butter', '1 teaspoon salt'];
    expect(countryOf({ head: recipe(...american), body })).toBe('US');
    expect(countryOf({ head: dollars, body })).toBe('ZZ');
    expect(countryOf({ head: recipe(...american) })).toBe('ZZ');
    expect(countryOf({ head: recipe(...american, '250 g quark'), body })).toBe('ZZ');
    expect(countryOf({ head: recipe('1 cup sugar', 'salt', 'eggs'), body })).toBe('ZZ');
    expect(countryOf({ head: recipe(...american).replace(dollars, ''), body: `${body}<p>8 am to 8 pm ET</p>` })).toBe(
      'ZZ',
    );
    expect(countryOf({ head: recipe(...american), body }, { url: 'https://pie.ca/' })).not.toBe('US');
  });

  it('the United States are the country when orders to other countries are called international', () => {
    const days = 'Delivery times are generally 2 - 5 business days within the US';
    expect(countryOf({ head: dollars, body: foot(`${days}, and 5 - 10 for International orders.`) })).toBe('US');
    expect(countryOf({ head: dollars, body: foot(`${days}.`) })).toBe('ZZ');
    expect(countryOf({ head: dollars, body: foot('10 - 20 days within the US, more for international') })).toBe('ZZ');
  });

  it.each([
    [
      'Canada first',
      ['2-3 business days within Canada, 3-5 business days within the US, 10-15 for international orders.'],
    ],
    ['Britain first', ['1-2 working days in the UK. 3-5 business days within the US, 5-7 days international.']],
    ['Australia first', ['Australia: 1-3 days', '3-7 business days within the USA, 7-14 days international']],
    ['other international orders', ['3-7 business days within the US, 7-15 for other international orders.']],
    ['more days', ['5-7 business days within the US and 7-15 business days for international orders.']],
    ['days to a country', ['3-5 business days in the US, 5-7 days international']],
  ])(
    'the United States are not the country because a shop abroad states its days of delivery there: %s',
    (_, lines) => {
      expect(countryOf({ head: dollars, body: foot(...lines) })).toBe('ZZ');
    },
  );
});
