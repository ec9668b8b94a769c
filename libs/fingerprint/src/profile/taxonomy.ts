/**
 * Industries and words of their products in a few languages. A word is a stem that matches at the start of a word. The
 * first list names the industry itself; the second list has weaker hints.
 */
export interface Industry {
  slug: string;
  strong: readonly string[];
  weak: readonly string[];
}

const words = (text: string): string[] => text.split(',').map((word) => word.trim());

export const industries: readonly Industry[] = [
  {
    slug: 'apparel',
    strong: words(
      'sukienk, bluz, koszul, camisa, jupe, chemise, pantalon, hemd, klänning, tröja, jurk, calças, t-shirt, tshirt, hoodie, dress, jeans, apparel, clothing, trousers, blouse, jacket, sweater, knitwear, lingerie, swimwear, activewear, womenswear, menswear, kleid, bekleidung, vêtement, vetement, robe, ropa, camiset, vestido, abbigliamento, roupa, kläder, odzież, sukienk, legging, sweatshirt, cardigan, streetwear, uniform',
    ),
    weak: words(
      'fashion, women, men, skirt, shirt, pants, coat, sock, mode, herren, damen, femme, homme, mujer, hombre, moda, outfit, underwear, collection, scarf, hat, cap',
    ),
  },
  {
    slug: 'shoes',
    strong: words(
      'shoe, sneaker, footwear, boots, sandal, schuhe, chaussure, zapato, zapatilla, scarpe, sapato, heels, loafer, slipper, skor, obuwie',
    ),
    weak: words('sole, trainer, running shoe'),
  },
  {
    slug: 'jewelry-and-watches',
    strong: words(
      'prata, brincos, colar, anéis, anel, pulseira, pendientes, collares, anillos, pulseras, ohrringe, halskette, armband, boucles, bagues, orecchini, collane, biżuteri, kolczyk, smycke, smykker, jewel, jewellery, necklace, bracelet, earring, pendant, engagement ring, wedding band, schmuck, bijou, joya, joyer, gioielli, watch strap, wristwatch, gemstone, diamond, uhren, montre, relojes',
    ),
    weak: words('ring, gold, silver, watch, charm'),
  },
  {
    slug: 'bags-and-luggage',
    strong: words(
      'handbag, backpack, luggage, suitcase, tote bag, wallet, purse, rucksack, koffer, maroquinerie, bolso, mochila, borse',
    ),
    weak: words('bag, leather, travel'),
  },
  {
    slug: 'beauty',
    strong: words(
      'sérum, crème visage, seife, savon, jabón, sabonete, sapone, kosmetyk, hudvård, perfum, skincare, skin care, makeup, make-up, cosmetic, lipstick, mascara, shampoo, conditioner, moisturi, serum, perfume, fragrance, parfum, kosmetik, cosmétique, belleza, cosmetica, beauty, haircare, hair extension, wig, nail polish, eyelash, soap, grooming, beard',
    ),
    weak: words('face, hair, body, cream, lotion, bath, spa, care'),
  },
  {
    slug: 'health',
    strong: words(
      'vitamin, supplement, protein powder, pharmacy, apotheke, pharmacie, farmacia, medical, wellness, probiotic, collagen, herbal, nutrition, cbd, first aid, orthopedic, contact lens, eyewear, eyeglasses, hearing aid, kratom',
    ),
    weak: words('health, gesund, santé, salud, immune, natural, remedy'),
  },
  {
    slug: 'food',
    strong: words(
      'käse, fromage, queso, formaggio, queijo, pâtisserie, patisserie, confiserie, biscuit, macaron, wurst, honig, miel, żywno, czekolad, choklad, saucisson, jamón, aceite de oliva, gewürz, schokolade, chocolat, chocolate, snack, grocery, gourmet, candy, cheese, spice, sauce, bakery, cookie, cake, meat, seafood, olive oil, honey, pasta, lebensmittel, épicerie, alimentación, alimentari, food, seasoning, bbq, jerky, nuts, jam, rub, sushi, pizza',
    ),
    weak: words('organic, recipe, taste, kitchen, gift box, fresh, vegan, gluten'),
  },
  {
    slug: 'beverages',
    strong: words(
      'kawa, kawy, herbat, młynek, kaffe, kaffebönor, thé vert, caffè, cerveza, vinho, cerveja, wijn, koffie, coffee, espresso, tea, matcha, kaffee, café, wine, whisky, whiskey, beer, vodka, rum, gin, champagne, spirits, wein, vin , vino, kombucha, juice, brewery, winery, liquor, sake, cellar',
    ),
    weak: words('roast, blend, bottle, drink, mug, vintage'),
  },
  {
    slug: 'smoking-and-vaping',
    strong: words(
      'vape, vaping, e-liquid, eliquid, e-juice, e-cig, cigar, tobacco, hookah, shisha, rolling paper, bong, vaporizer, pod kit, nicotine',
    ),
    weak: words('coil, mod, pod, flavour'),
  },
  {
    slug: 'home-and-furniture',
    strong: words(
      'keramik, ceramic, pottery, vase, stoneware, armchair, poltron, divani, tavoli, lampad, tapis, coussin, teppich, kissen, leuchte, dywan, poduszk, møbler, möbler, meubel, furniture, sofa, mattress, bedding, pillow, curtain, rug, lamp, lighting, home decor, möbel, meuble, mueble, mobili, candle, wallpaper, tableware, dinnerware, cushion, duvet, blanket, chandelier, shelving, bathroom, towel',
    ),
    weak: words('home, decor, living room, bedroom, interior, haus, maison, hogar, casa, table, chair, bed, wall'),
  },
  {
    slug: 'kitchen-and-appliances',
    strong: words(
      'cookware, kitchenware, frying pan, blender, knife, knives, cutlery, appliance, oven, grill, refrigerator, vacuum cleaner, air fryer, bakeware',
    ),
    weak: words('kitchen, küche, cuisine, cook, cocina'),
  },
  {
    slug: 'garden-and-outdoor-living',
    strong: words(
      'ogród, ogrod, nasion, sadzon, doniczk, rośliny, pflanzen, saatgut, semences, plantes, plantas, jardim, trädgård, tuin, giardino, garden, plant, seeds, lawn, greenhouse, patio, garten, jardin, flower, bouquet, florist, blumen, fleurs, succulent, hydroponic, mower, bulbs, planter',
    ),
    weak: words('outdoor, pot, soil, green, tree'),
  },
  {
    slug: 'tools-and-hardware',
    strong: words(
      'werkbank, hobel, bohrer, schraube, zange, schleif, holzbearbeitung, verktyg, skruv, borr, narzędzi, wiertark, ferramenta, quincaillerie, verktøy, gereedschap, power tool, drill, hardware, plumbing, screw, workshop, werkzeug, outil, herramienta, building material, paint, flooring, tiles, lumber, welding, bearing, faucet, fastener, lock, safe, electrical supplies',
    ),
    weak: words('tool, industrial, diy, parts, professional, supply'),
  },
  {
    slug: 'electronics',
    strong: words(
      'electronics, headphone, smartphone, laptop, camera, television, charger, bluetooth, speaker, earbuds, gps, drone, phone case, iphone, android, battery, cable, audio, elektronik, électronique, electrónica, usb, gadget, printer, toner, ink cartridge, led',
    ),
    weak: words('tech, wireless, device, power, smart, video, phone'),
  },
  {
    slug: 'computers-and-software',
    strong: words(
      'software, license key, computer, motherboard, graphics card, server, saas, plugin, wordpress theme, keyboard, monitor, ssd, hosting, raspberry, arduino, microcontroller',
    ),
    weak: words('pc, download, digital, code, app'),
  },
  {
    slug: 'sports-and-fitness',
    strong: words(
      'wandern, ski touring, rennrad, langlauf, kletter, cyclisme, ciclismo, rower, cykel, maillot, fitness, gym, yoga, bicycle, cycling, bike, running, golf, football, soccer, tennis, ski, snowboard, surf, skate, swimming, martial art, dumbbell, fahrrad, vélo, bicicleta, sport, basketball, hockey, climbing',
    ),
    weak: words('training, athletic, team, performance, jersey, workout'),
  },
  {
    slug: 'outdoor-and-hunting',
    strong: words(
      'camping, hiking, tent, sleeping bag, fishing, lure, hunting, knife sharpen, tactical, ammo, ammunition, firearm, archery, kayak, binocular, survival, angling, reel, rifle, holster',
    ),
    weak: words('outdoor, adventure, trail, gear, mountain'),
  },
  {
    slug: 'toys-and-games',
    strong: words(
      'muñeca, rompecabezas, juego de mesa, peluche, brettspiel, zabawk, leksak, speelgoed, brinquedo, toy, puzzle, board game, lego, doll, plush, figurine, action figure, trading card, pokemon, juguete, spielzeug, jouet, giocattoli, model kit, rc car, miniature, dice, playset',
    ),
    weak: words('game, play, kids, fun'),
  },
  {
    slug: 'baby-and-kids',
    strong: words(
      'baby, stroller, diaper, nursery, infant, toddler, kinderwagen, bébé, bebé, neonato, maternity, pacifier, kids clothing, car seat',
    ),
    weak: words('kids, children, kinder, enfant, mom, niños, child'),
  },
  {
    slug: 'pets',
    strong: words(
      'dog, cat food, pet, aquarium, puppy, kitten, leash, hundefutter, katze, hund, chien, chat, mascota, perro, horse, equestrian, saddle, reptile, bird cage, bird seed',
    ),
    weak: words('animal, collar, treat'),
  },
  {
    slug: 'books-and-media',
    strong: words(
      'bücher, buchhandlung, książk, böcker, boeken, livros, libri, book, novel, magazine, vinyl, record, dvd, comic, livre, libro, publisher, paperback, ebook, audiobook, manga, bookstore, poetry, blu-ray',
    ),
    weak: words('author, reading, story, music, film, edition, cd'),
  },
  {
    slug: 'music-instruments',
    strong: words(
      'guitar, piano, drum, amplifier, violin, synthesizer, ukulele, saxophone, musical instrument, midi, pedals, microphone, cymbal',
    ),
    weak: words('music, sound, string'),
  },
  {
    slug: 'arts-and-crafts',
    strong: words(
      'fabric, yarn, knitting, sewing, quilting, scrapbook, craft, embroidery, watercolor, canvas print, art print, poster, beads, stamps, sticker, stationery, papeterie, wolle, calligraphy, paintbrush, pattern pdf, washi',
    ),
    weak: words('art, print, design, handmade, pattern, paper, pen'),
  },
  {
    slug: 'automotive',
    strong: words(
      'car parts, auto parts, motorcycle, tyre, tire, wheels, brake, exhaust, truck, vehicle, ersatzteile, motorrad, pièces auto, coche, car accessories, engine oil, headlight, bumper, spark plug, suspension, scooter, atv',
    ),
    weak: words('auto, car, motor, engine, parts, racing'),
  },
  {
    slug: 'office-and-business',
    strong: words(
      'office supplies, office furniture, packaging, label printer, business card, signage, promotional product, bürobedarf, fournitures, shipping supplies, restaurant supply, point of sale, trophies, safety equipment, ppe',
    ),
    weak: words('office, business, wholesale, b2b, commercial'),
  },
  {
    slug: 'gifts-and-occasions',
    strong: words(
      'gift card, wedding, party supplies, balloon, greeting card, christmas, personalised gift, personalized gift, geschenk, cadeau, regalo, costume, halloween, hamper, souvenir',
    ),
    weak: words('gift, celebration, birthday, party, holiday'),
  },
  {
    slug: 'travel-and-events',
    strong: words('ticket, tour, hotel, booking, excursion, flight, festival, voucher, workshop booking, rental'),
    weak: words('travel, event, holiday, trip'),
  },
  {
    slug: 'education',
    strong: words(
      'online course, e-learning, training course, curriculum, certification, teacher, academy, masterclass, homeschool, worksheet',
    ),
    weak: words('learn, course, school, class, lesson'),
  },
  {
    slug: 'adult',
    strong: words('sex toy, vibrator, dildo, bdsm, erotic, adult toy, lubricant, condom'),
    weak: words('intimate, pleasure'),
  },
];
