/**
 * Products and menus that platforms install as samples. They say nothing about the goods of a shop that has not replaced them.
 *
 * A shop may sell an iPhone or a beanie, so one name shows nothing. A page shows a set when it has {@link leastSamples} of its
 * products, each as a whole title, and one of them is a name that no shop gives to goods of its own. A band may sell a "Hoodie with
 * Logo", so beside such a name a page must have {@link leastBesideBranded} of them.
 */
interface SampleSet {
  /** Where the platform publishes the set. */
  source: string;
  /** Names of products that only the set has. */
  products: string;
  /** Names of products that a shop may give to goods with its own brand. */
  branded?: string;
  /** Names of products that also shops have. */
  common: string;
  /** Names of categories, which the menu of the demo shows. */
  menu: string;
}

const sampleSets: readonly SampleSet[] = [
  {
    source: 'github.com/woocommerce/woocommerce sample-data/sample_products.csv',
    products: 'Logo Collection|WordPress Pennant',
    branded: 'Hoodie with Logo|Hoodie with Pocket|Hoodie with Zipper|T-Shirt with Logo|Beanie with Logo',
    common: 'V-Neck T-Shirt|Hoodie|T-Shirt|Beanie|Belt|Cap|Sunglasses|Long Sleeve Tee|Polo|Album|Single',
    menu: 'Clothing|Tshirts|T-Shirts|Hoodies|Accessories|Music|Decor',
  },
  {
    source: 'github.com/woocommerce/woocommerce dummy-data/dummy-data.xml',
    products:
      'Happy Ninja|Flying Ninja|Patient Ninja|Ninja Silhouette|Woo Ninja|Woo Logo|Ship Your Idea|Woo Album #1|Woo Album #2|Woo Album #3|Woo Album #4|Woo Single #1|Woo Single #2',
    common: 'Premium Quality',
    menu: 'Clothing|T-Shirts|Hoodies|Music|Albums|Singles|Posters',
  },
  {
    source: 'github.com/magento/magento2-sample-data app/code/Magento/*SampleData/fixtures',
    products: [
      'Joust Duffle Bag|Strive Shoulder Pack|Crown Summit Backpack|Wayfarer Messenger Bag|Rival Field Messenger|Fusion Backpack|Impulse Duffle|Voyage Yoga Bag|Compete Track Tote|Savvy Shoulder Tote|Endeavor Daytrip Backpack|Driven Backpack|Overnight Duffle|Push It Messenger Bag',
      "Affirm Water Bottle|Dual Handle Cardio Ball|Zing Jump Rope|Pursuit Lumaflex Tone Band|Go-Get'r Pushup Grips|Quest Lumaflex Band|Sprite Foam Yoga Brick|Sprite Foam Roller|Harmony Lumaflex Strength Band Kit|Sprite Yoga Companion Kit|Set of Sprite Yoga Straps|Sprite Yoga Strap 6 foot|Sprite Yoga Strap 8 foot|Sprite Yoga Strap 10 foot|Sprite Stasis Ball 55 cm|Sprite Stasis Ball 65 cm|Sprite Stasis Ball 75 cm|Solo Power Circuit|LifeLong Fitness IV|Luma Yoga For Life|Advanced Pilates & Yoga (Strength)",
      'Aim Analog Watch|Endurance Watch|Summit Watch|Cruise Dual Analog Watch|Dash Digital Watch|Luma Analog Watch|Bolo Sport Watch|Clamber Watch|Didi Sport Watch',
      'Chaz Kangeroo Hoodie|Teton Pullover Hoodie|Bruno Compete Hoodie|Frankie Sweatshirt|Hollister Backyard Sweatshirt|Stark Fundamental Hoodie|Hero Hoodie|Oslo Trek Hoodie|Abominable Hoodie|Mach Street Sweatshirt|Grayson Crewneck Sweatshirt|Ajax Full-Zip Sweatshirt|Marco Lightweight Active Hoodie',
      'Beaumont Summit Kit|Hyperion Elements Jacket|Montana Wind Jacket|Jupiter All-Weather Trainer|Typhon Performance Fleece-lined Jacket|Proteus Fitness Jackshirt|Mars HeatTech Pullover|Taurus Elements Shell|Lando Gym Jacket|Orion Two-Tone Fitted Jacket|Kenobi Trail Jacket',
      'Balboa Persistence Tee|Atomic Endurance Running Tee (V-neck)|Atomic Endurance Running Tee (Crew-Neck)|Ryker LumaTech Tee (V-neck)|Ryker LumaTech Tee (Crew-neck)|Strike Endurance Tee|Gobi HeatTec Tee|Zoltan Gym Tee|Helios EverCool Tee|Logan HeatTec Tee|Deion Long-Sleeve EverCool Tee|Aero Daily Fitness Tee|Helios Endurance Tank|Rocco Gym Tank|Vulcan Weightlifting Tank|Tristan Endurance Tank|Primo Endurance Tank|Erikssen CoolTech Fitness Tank|Atlas Fitness Tank|Sparta Gym Tank|Argus All-Weather Tank|Sinbad Fitness Tank|Tiberius Gym Tank|Cassius Sparring Tank',
      'Caesar Warm-Up Pant|Geo Insulated Jogging Pant|Supernova Sport Pant|Kratos Gym Pant|Mithra Warmup Pant|Thorpe Track Pant|Zeppelin Yoga Pant|Livingston All-Purpose Tight|Orestes Yoga Pant|Aether Gym Pant|Viktor LumaTech Pant|Cronus Yoga Pant',
      'Cobalt CoolTech Fitness Short|Apollo Running Short|Meteor Workout Short|Torque Power Short|Hawkeye Yoga Short|Lono Yoga Short|Rapha Sports Short|Orestes Fitness Short|Troy Yoga Short|Sol Active Short|Pierce Gym Short|Arcadio Gym Short',
      'Mona Pullover Hoodlie|Hera Pullover Hoodie|Autumn Pullie|Miko Pullover Hoodie|Selene Yoga Hoodie|Daphne Full-Zip Hoodie|Helena Hooded Fleece|Eos V-Neck Hoodie|Circe Hooded Ice Fleece|Stellar Solar Jacket|Josie Yoga Jacket|Augusta Pullover Jacket|Ingrid Running Jacket|Riona Full Zip Jacket|Juno Jacket|Inez Full Zip Jacket|Adrienne Trek Jacket|Jade Yoga Jacket|Nadia Elements Shell|Neve Studio Dance Jacket',
      'Juliana Short-Sleeve Tee|Minerva LumaTech V-Tee|Tiffany Fitness Tee|Karissa V-Neck Tee|Diva Gym Tee|Radiant Tee|Gwyn Endurance Tee|Desiree Fitness Tee|Iris Workout Top|Elisa EverCool Tee|Layla Tee|Breathe-Easy Tank|Antonia Racer Tank|Maya Tunic|Chloe Compete Tank|Nora Practice Tank|Nona Fitness Tank|Zoe Tank|Bella Tank|Celeste Sports Bra|Prima Compete Bra Top|Lucia Cross-Fit Bra|Electra Bra Top|Erica Evercool Sports Bra|Leah Yoga Top|Gabrielle Micro Sleeve Top|Phoebe Zipper Sweatshirt|Ariel Roll Sleeve Sweatshirt|Cassia Funnel Sweatshirt|Olivia 1/4 Zip Light Jacket',
      'Cora Parachute Pant|Sahara Leggings|Diana Tights|Aeon Capri|Bardot Capri|Carina Basic Capri|Daria Bikram Pant|Sylvia Capri|Deirdre Relaxed-Fit Capri|Portia Capri|Emma Leggings|Karmen Yoga Pant|Ida Workout Parachute Pant|Fiona Fitness Short|Maxima Drawstring Short|Gwen Drawstring Bike Short|Artemis Running Short|Bess Yoga Short|Angel Light Running Short|Echo Fit Compression Short|Sybil Running Short|Mimi All-Purpose Short|Ana Running Short|Erika Running Short|Ina Compression Short',
    ].join('|'),
    common: "Yoga Adventure|Beginner's Yoga",
    menu: "What's New|Women|Men|Gear|Training|Sale|Tops|Bottoms|Jackets|Hoodies & Sweatshirts|Tees|Tanks|Bras & Tanks|Pants|Shorts|Bags|Fitness Equipment|Watches|Video Download",
  },
  {
    source: 'github.com/PrestaShop/PrestaShop install-dev/fixtures/fashion (1.7 and later)',
    products:
      "Hummingbird printed t-shirt|Hummingbird printed sweater|Brown bear printed sweater|The best is yet to come' Framed poster|The adventure begins Framed poster|Today is a good day Framed poster|Mug The best is yet to come|Mug The adventure begins|Mug Today is a good day|Mountain fox cushion|Brown bear cushion|Hummingbird cushion|Mountain fox - Vector graphics|Brown bear - Vector graphics|Hummingbird - Vector graphics|Pack Mug + Framed poster|Mountain fox notebook|Brown bear notebook|Hummingbird notebook",
    common: 'Customizable mug',
    menu: 'Clothes|Men|Women|Accessories|Stationery|Home Accessories|Art',
  },
  {
    source: 'github.com/PrestaShop/PrestaShop install-dev/fixtures/fashion (1.6)',
    products: 'Faded Short Sleeve T-shirts|Faded Short Sleeves T-shirt|T-shirts à manches courtes délavés',
    common:
      "Blouse|Printed Dress|Printed Summer Dress|Printed Chiffon Dress|Robe imprimée|Robe d'été imprimée|Robe de soie imprimée",
    menu: 'Women|Tops|T-shirts|Blouses|Dresses|Casual Dresses|Evening Dresses|Summer Dresses',
  },
  {
    source: 'github.com/opencart/opencart upload/install/opencart.sql',
    products: 'Apple Cinema 30"|HTC Touch HD|Palm Treo Pro|Product 8|Samsung SyncMaster 941BW|HP LP3065',
    common:
      'MacBook|MacBook Air|MacBook Pro|iPhone|iMac|iPod Classic|iPod Nano|iPod Shuffle|iPod Touch|Canon EOS 5D|Nikon D300|Sony VAIO|Samsung Galaxy Tab 10.1',
    menu: 'Desktops|PC|Mac|Macs|Windows|Laptops & Notebooks|Components|Mice and Trackballs|Monitors|Printers|Scanners|Web Cameras|Tablets|Software|Phones & PDAs|Cameras|MP3 Players',
  },
];

const leastSamples = 3;
const leastBesideBranded = 6;

/** The decomposition makes two letters of a trade mark sign: `Helios EverCool™ Tee`. */
const decomposed = (text: string): string => text.replace(/™/g, ' ').normalize('NFKD');

/** The words of a name in lower case, without accents and marks. */
const wordsOf = (text: string): string =>
  decomposed(text)
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const namesOf = (list: string): string[] => (list ? list.split('|').map(wordsOf) : []);

interface Sample {
  set: number;
  /** The number of samples of the set that a page with this one must have. */
  least: number;
}

const samples = new Map<string, Sample[]>();
for (const [set, { products, branded = '', common }] of sampleSets.entries())
  for (const [names, least] of [
    [products, leastSamples],
    [branded, leastBesideBranded],
    [common, Number.POSITIVE_INFINITY],
  ] as const)
    for (const name of namesOf(names)) samples.set(name, [...(samples.get(name) ?? []), { set, least }]);
/** Most titles begin with another word. */
const firstWords = new Set([...samples.keys()].map((name) => name.split(' ', 1)[0]));
const longestName = Math.max(...[...samples.keys()].map(({ length }) => length));

/** Names of the set within a text. Addresses have the words of a name without its digits. */
function formOf({ products, branded = '', common, menu }: SampleSet): RegExp {
  const names = [products, branded, common, menu].flatMap(namesOf);
  const forms = new Set(names.flatMap((name) => [name, name.replace(/\d+/g, ' ').replace(/ +/g, ' ').trim()]));
  const longestFirst = [...forms].filter((form) => form.length > 1).sort((one, other) => other.length - one.length);
  const accented = longestFirst.map((form) =>
    form.replace(/[aeu]/g, '$&\u0300?\u0301?\u0302?').replace(/ /g, '[^\\p{L}\\p{N}]{1,3}'),
  );
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${accented.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
}

const forms: (RegExp | undefined)[] = [];
const formAt = (set: number): RegExp => (forms[set] ??= formOf(sampleSets[set] as SampleSet));

/** A theme may cut a long title: `The adventure begins Framed...`. */
const cutTitle = /(?:\.{3}|…)\s*$/;
const leastCutChars = 12;

function samplesOf(title: string): readonly (readonly [name: string, of: readonly Sample[]])[] {
  const name = wordsOf(title);
  const of = samples.get(name);
  if (of) return [[name, of]];
  if (name.length < leastCutChars || !cutTitle.test(title)) return [];
  return [...samples].filter(([whole]) => whole.startsWith(name)).slice(0, 1);
}

/** The sets whose samples the titles of products show. */
export function shownSampleSets(titles: readonly string[]): readonly number[] {
  const shown = sampleSets.map(() => ({ names: new Set<string>(), least: Number.POSITIVE_INFINITY }));
  for (const title of titles) {
    if (title.length < 3 || title.length > longestName * 2) continue;
    if (!firstWords.has(/[a-z\d]+/i.exec(title)?.[0].toLowerCase())) continue;
    for (const [name, of] of samplesOf(title))
      for (const { set, least } of of) {
        const found = shown[set];
        if (!found) continue;
        found.names.add(name);
        found.least = Math.min(found.least, least);
      }
  }
  return [...shown.entries()].filter(([, { names, least }]) => names.size >= least).map(([set]) => set);
}

/** The text without the names of products and categories of the sets. */
export const withoutSamples = (text: string, sets: readonly number[]): string =>
  sets.length === 0 ? text : sets.reduce((rest, set) => rest.replace(formAt(set), ' '), decomposed(text));

/**
 * The notices of WooCommerce (`woocommerce_demo_store` in includes/wc-template-functions.php) and of Magento (module-theme
 * demonotice.phtml) that the store is a demonstration.
 */
const demoNotice =
  /this is a demo store for testing purposes|this is a demo store\. any orders placed through this store will not be/i;

export const hasDemoNotice = (visible: string): boolean => demoNotice.test(visible);
