import type { CountryMark } from './country-mark.ts';

/**
 * Postal codes beside the largest towns of a country. Many countries share a form of postal code, and towns of several
 * countries share a name; both together name one country.
 */
const places: readonly [country: string, code: string, towns: string][] = [
  [
    'DE',
    '\\d{5}',
    'Berlin|Hamburg|München|Muenchen|Munich|Köln|Koeln|Cologne|Frankfurt|Stuttgart|Düsseldorf|Duesseldorf|Leipzig|Dortmund|Essen|Bremen|Dresden|Hannover|Hanover|Nürnberg|Nuremberg|Duisburg|Bochum|Wuppertal|Bielefeld|Bonn|Münster|Mannheim|Karlsruhe|Augsburg|Wiesbaden|Mönchengladbach|Gelsenkirchen|Aachen|Braunschweig|Chemnitz|Kiel|Halle|Magdeburg|Freiburg|Krefeld|Mainz|Lübeck|Erfurt|Rostock|Kassel|Saarbrücken|Potsdam|Oldenburg|Osnabrück|Heidelberg|Darmstadt|Regensburg|Würzburg|Ulm|Heilbronn|Göttingen|Koblenz|Jena|Trier|Passau|Bamberg|Konstanz',
  ],
  [
    'AT',
    '\\d{4}',
    'Wien|Vienna|Graz|Linz|Salzburg|Innsbruck|Klagenfurt|Villach|Wels|St\\. Pölten|Dornbirn|Steyr|Bregenz|Eisenstadt|Krems|Feldkirch|Leoben',
  ],
  [
    'CH',
    '\\d{4}',
    'Zürich|Zurich|Genève|Geneva|Genf|Basel|Lausanne|Bern|Winterthur|Luzern|St\\. Gallen|Lugano|Biel|Thun|Fribourg|Schaffhausen|Chur|Neuchâtel|Zug|Sion|Aarau|Baar|Wil|Solothurn',
  ],
  [
    'FR',
    '\\d{5}',
    'Paris|Marseille|Lyon|Toulouse|Nice|Nantes|Montpellier|Strasbourg|Bordeaux|Lille|Rennes|Reims|Toulon|Saint-Étienne|Le Havre|Grenoble|Dijon|Angers|Nîmes|Villeurbanne|Clermont-Ferrand|Aix-en-Provence|Brest|Tours|Amiens|Limoges|Annecy|Perpignan|Besançon|Metz|Orléans|Rouen|Mulhouse|Caen|Nancy|Roubaix|Tourcoing|Avignon|Poitiers|La Rochelle|Pau|Cannes|Antibes|Bayonne|Biarritz',
  ],
  [
    'BE',
    '\\d{4}',
    'Bruxelles|Brussel|Brussels|Antwerpen|Anvers|Gent|Charleroi|Liège|Brugge|Namur|Leuven|Mons|Mechelen|Aalst|Kortrijk|Hasselt|Genk|Oostende|Tournai|Turnhout|Roeselare|Waregem',
  ],
  ['LU', '\\d{4}', 'Luxembourg|Luxemburg|Esch-sur-Alzette|Differdange'],
  [
    'IT',
    '\\d{5}',
    'Roma|Rome|Milano|Milan|Napoli|Naples|Torino|Turin|Palermo|Genova|Bologna|Firenze|Florence|Bari|Catania|Venezia|Venice|Verona|Messina|Padova|Trieste|Brescia|Parma|Prato|Modena|Reggio Emilia|Perugia|Livorno|Ravenna|Cagliari|Rimini|Salerno|Ferrara|Bergamo|Monza|Vicenza|Treviso|Como|Varese|Udine|Trento|Bolzano|Novara|Ancona|Lecce|Pescara|Arezzo|Lucca|Pisa|Forlì|Piacenza',
  ],
  [
    'ES',
    '\\d{5}',
    'Madrid|Barcelona|Valencia|Sevilla|Zaragoza|Málaga|Malaga|Murcia|Palma|Bilbao|Alicante|Valladolid|Vigo|Gijón|Hospitalet|A Coruña|Vitoria|Granada|Elche|Oviedo|Badalona|Terrassa|Sabadell|Pamplona|Almería|San Sebastián|Donostia|Burgos|Santander|Castellón|Albacete|Logroño|Badajoz|Salamanca|Huelva|Lleida|Tarragona|Girona|Cádiz|Jaén|Marbella|Santiago de Compostela',
  ],
  [
    'PT',
    '\\d{4}-\\d{3}',
    'Lisboa|Lisbon|Porto|Braga|Coimbra|Setúbal|Aveiro|Faro|Guimarães|Leiria|Viseu|Évora|Almada|Sintra|Cascais|Matosinhos|Vila Nova|Maia|Oeiras|Funchal|Viana do Castelo',
  ],
  [
    'PL',
    '\\d{2}-\\d{3}',
    'Warszawa|Warsaw|Kraków|Krakow|Łódź|Wrocław|Wroclaw|Poznań|Poznan|Gdańsk|Gdansk|Szczecin|Bydgoszcz|Lublin|Katowice|Białystok|Gdynia|Częstochowa|Radom|Toruń|Kielce|Rzeszów|Gliwice|Zabrze|Bielsko-Biała|Olsztyn|Opole|Sosnowiec|Rybnik|Tychy|Płock|Zielona Góra|Tarnów|Koszalin|Kalisz|Legnica',
  ],
  [
    'CZ',
    '\\d{3}\\s?\\d{2}',
    'Praha|Prague|Brno|Ostrava|Plzeň|Liberec|Olomouc|České Budějovice|Hradec Králové|Ústí nad Labem|Pardubice|Zlín|Jihlava|Opava|Karlovy Vary|Kladno|Mladá Boleslav|Třebíč|Prostějov',
  ],
  [
    'SK',
    '\\d{3}\\s?\\d{2}',
    'Bratislava|Košice|Prešov|Žilina|Nitra|Banská Bystrica|Trnava|Trenčín|Martin|Poprad|Prievidza|Zvolen|Považská Bystrica',
  ],
  [
    'HU',
    '\\d{4}',
    'Budapest|Debrecen|Szeged|Miskolc|Pécs|Győr|Nyíregyháza|Kecskemét|Székesfehérvár|Szombathely|Szolnok|Tatabánya|Érd|Sopron|Veszprém|Zalaegerszeg|Eger',
  ],
  [
    'RO',
    '\\d{6}',
    'București|Bucuresti|Bucharest|Cluj-Napoca|Timișoara|Timisoara|Iași|Iasi|Constanța|Constanta|Craiova|Brașov|Brasov|Galați|Ploiești|Oradea|Sibiu|Arad|Bacău|Pitești',
  ],
  ['BG', '\\d{4}', 'София|Sofia|Пловдив|Plovdiv|Варна|Varna|Бургас|Burgas|Русе|Стара Загора|Плевен'],
  ['HR', '\\d{5}', 'Zagreb|Split|Rijeka|Osijek|Zadar|Pula|Varaždin|Šibenik|Karlovac|Dubrovnik'],
  ['SI', '\\d{4}', 'Ljubljana|Maribor|Celje|Kranj|Koper|Velenje|Novo mesto|Domžale|Kamnik'],
  ['RS', '\\d{5}', 'Beograd|Belgrade|Београд|Novi Sad|Нови Сад|Niš|Kragujevac|Subotica|Čačak'],
  ['BA', '\\d{5}', 'Sarajevo|Banja Luka|Tuzla|Mostar|Zenica'],
  ['MK', '\\d{4}', 'Скопје|Skopje|Битола|Куманово'],
  [
    'GR',
    '\\d{3}\\s?\\d{2}',
    'Αθήνα|Athens|Athina|Θεσσαλονίκη|Thessaloniki|Πάτρα|Patra|Ηράκλειο|Heraklion|Λάρισα|Βόλος|Πειραιάς|Περιστέρι|Χαλάνδρι|Μαρούσι|Γλυφάδα',
  ],
  [
    'DK',
    '\\d{4}',
    'København|Copenhagen|Aarhus|Århus|Odense|Aalborg|Esbjerg|Randers|Kolding|Horsens|Vejle|Roskilde|Herning|Silkeborg|Næstved|Fredericia|Viborg|Frederiksberg|Hillerød|Slagelse|Søborg|Ballerup',
  ],
  [
    'SE',
    '\\d{3}\\s?\\d{2}',
    'Stockholm|Göteborg|Gothenburg|Malmö|Uppsala|Västerås|Örebro|Linköping|Helsingborg|Jönköping|Norrköping|Lund|Umeå|Gävle|Borås|Södertälje|Eskilstuna|Halmstad|Växjö|Karlstad|Sundsvall|Solna|Kalmar|Kungsbacka',
  ],
  [
    'NO',
    '\\d{4}',
    'Oslo|Bergen|Trondheim|Stavanger|Drammen|Fredrikstad|Kristiansand|Sandnes|Tromsø|Sarpsborg|Skien|Ålesund|Sandefjord|Haugesund|Tønsberg|Moss|Bodø|Larvik|Hamar|Lillehammer',
  ],
  [
    'FI',
    '\\d{5}',
    'Helsinki|Espoo|Tampere|Vantaa|Oulu|Turku|Jyväskylä|Lahti|Kuopio|Pori|Joensuu|Lappeenranta|Vaasa|Seinäjoki|Rovaniemi|Hämeenlinna|Kotka|Porvoo|Hyvinkää',
  ],
  ['IS', '\\d{3}', 'Reykjavík|Reykjavik|Kópavogur|Hafnarfjörður|Akureyri|Garðabær'],
  ['EE', '\\d{5}', 'Tallinn|Tartu|Narva|Pärnu|Viljandi'],
  ['LV', 'LV-?\\s?\\d{4}', 'Rīga|Riga|Jūrmala|Liepāja|Daugavpils|Jelgava|Mārupe'],
  ['LT', '(?:LT-?\\s?)?\\d{5}', 'Vilnius|Kaunas|Klaipėda|Šiauliai|Panevėžys|Alytus'],
  [
    'TR',
    '\\d{5}',
    'İstanbul|Istanbul|Ankara|İzmir|Izmir|Bursa|Antalya|Adana|Konya|Gaziantep|Kayseri|Denizli|Eskişehir',
  ],
  [
    'RU',
    '\\d{6}',
    '(?:г\\.\\s?)?Москва|(?:г\\.\\s?)?Санкт-Петербург|Moscow|(?:г\\.\\s?)?(?:Новосибирск|Екатеринбург|Казань|Нижний Новгород|Челябинск|Самара|Омск|Ростов-на-Дону|Уфа|Красноярск|Воронеж|Пермь|Волгоград|Краснодар|Тюмень)',
  ],
  ['UA', '\\d{5}', '(?:м\\.\\s?)?(?:Київ|Харків|Одеса|Дніпро|Львів|Запоріжжя|Вінниця|Полтава)|Kyiv|Kiev|Lviv'],
  ['BY', '\\d{6}', '(?:г\\.\\s?)?(?:Минск|Гомель|Могилёв|Витебск|Гродно|Брест)'],
  ['KZ', '\\d{6}', '(?:г\\.\\s?)?(?:Алматы|Астана|Шымкент|Караганда)|Almaty|Astana'],
  [
    'BR',
    '\\d{5}-?\\d{3}',
    'São Paulo|Rio de Janeiro|Belo Horizonte|Brasília|Salvador|Fortaleza|Curitiba|Recife|Porto Alegre|Goiânia|Campinas|Florianópolis|Joinville|Blumenau|Ribeirão Preto',
  ],
  [
    'MX',
    '(?:C\\.?P\\.?\\s?)?\\d{5}',
    'Ciudad de México|CDMX|México D\\.?F|Guadalajara|Monterrey|Puebla|Tijuana|Zapopan|Querétaro|San Pedro Garza|Cancún|Hermosillo|Naucalpan|Jalisco|Nuevo León',
  ],
  ['CO', '\\d{6}', 'Bogotá|Bogota|Medellín|Medellin|Cali|Barranquilla|Cartagena|Bucaramanga|Envigado'],
  [
    'IN',
    '\\d{3}\\s?\\d{3}',
    'Mumbai|New Delhi|Delhi|Bengaluru|Bangalore|Hyderabad|Ahmedabad|Chennai|Kolkata|Surat|Pune|Jaipur|Lucknow|Kanpur|Nagpur|Indore|Gurgaon|Gurugram|Noida|Ludhiana|Kochi|Coimbatore|Maharashtra|Gujarat|Karnataka|Tamil Nadu|Rajasthan|Uttar Pradesh|Haryana|Kerala|Telangana|Punjab|West Bengal',
  ],
  ['PK', '\\d{5}', 'Karachi|Lahore|Islamabad|Rawalpindi|Faisalabad|Sialkot|Multan|Peshawar'],
  ['BD', '\\d{4}', 'Dhaka|Chittagong|Chattogram|Sylhet|Khulna|Rajshahi|Gazipur'],
  ['LK', '\\d{5}', 'Colombo|Kandy|Galle|Negombo'],
  ['SG', '\\(?\\d{6}', 'Singapore'],
  [
    'MY',
    '\\d{5}',
    'Kuala Lumpur|Petaling Jaya|Shah Alam|Johor Bahru|Subang Jaya|George Town|Puchong|Klang|Selangor|Penang|Ipoh|Cheras',
  ],
  ['TH', '\\d{5}', 'Bangkok|Nonthaburi|Chiang Mai|กรุงเทพ(?:มหานคร|ฯ)?|Samut Prakan|Phuket|Chonburi'],
  [
    'ID',
    '\\d{5}',
    'Jakarta(?: (?:Selatan|Barat|Utara|Timur|Pusat))?|Surabaya|Bandung|Medan|Tangerang|Bekasi|Semarang|Yogyakarta|Bali|Denpasar|Depok|Bogor',
  ],
  ['PH', '\\d{4}', 'Metro Manila|Manila|Quezon City|Makati(?: City)?|Cebu City|Taguig|Pasig|Davao City'],
  ['VN', '\\d{5,6}', 'Hà Nội|Hanoi|Hồ Chí Minh|Ho Chi Minh(?: City)?|Đà Nẵng'],
  ['CN', '\\d{6}', 'Shenzhen|Guangzhou|Shanghai|Beijing|Hangzhou|Yiwu|Dongguan|Ningbo|Guangdong|Zhejiang'],
  ['KR', '\\d{5}', 'Seoul|Busan|Incheon|Gyeonggi-do'],
  ['IL', '\\d{5,7}', 'Tel Aviv|Jerusalem|Haifa|תל אביב(?:-יפו)?|ירושלים|חיפה|Herzliya|Petah Tikva'],
  [
    'NZ',
    '\\d{4}',
    'Auckland|Wellington|Christchurch|Hamilton|Tauranga|Dunedin|Palmerston North|Napier|Nelson|Rotorua|New Plymouth|Whangarei|Queenstown',
  ],
  [
    'ZA',
    '\\d{4}',
    'Cape Town|Johannesburg|Durban|Pretoria|Sandton|Randburg|Port Elizabeth|Bloemfontein|Stellenbosch|Centurion|Gauteng|Western Cape|KwaZulu-Natal|Midrand',
  ],
];

/** Whether the code is behind the town in these countries, too. Before the town it is in all of them. */
const codeBehind = new Set('IN PK BD LK SG MY TH ID PH VN CN KR IL NZ ZA TR BR MX CO SK GB LV LT KZ UA RU'.split(' '));

/** Towns by name, in lower case. Names of towns of two countries are left out. */
const townCountries = new Map<string, string>();
for (const [country, , towns] of places)
  for (const town of towns.split('|').map((name) => name.toLowerCase()))
    townCountries.set(town, (townCountries.get(town) ?? country) === country ? country : '');

export const countryOfTown = (town: string): string | undefined => townCountries.get(town.toLowerCase()) || undefined;

export const townMarks: readonly CountryMark[] = places.flatMap(([country, code, towns]) =>
  towns.split(/\|(?![^(]*\))/).map((town) => ({
    country,
    // The town comes first, because a text rarely contains it.
    form: new RegExp(
      `(?:${town})(?:(?![\\p{L}\\d])(?<=(?<![\\p{L}\\d.,-])(?:[A-Z]{1,2}\\s?-\\s?)?${code}[\\s,]{1,3}(?:${town}))${
        codeBehind.has(country) ? `|[\\s,–.-]{1,4}${code}(?![\\d,-])` : ''
      })`,
      'u',
    ),
  })),
);
