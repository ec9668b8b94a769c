import { townMarks } from './cities.ts';
import { type CountryMark, mark } from './country-mark.ts';

/**
 * Marks of one country in the text of an imprint or a footer: forms of tax and register numbers, postal addresses,
 * and authorities to which a merchant must refer. Every repetition is bounded.
 */

// VAT numbers of the European Union and its neighbours, in the forms of the tax authorities.
const vatForms: Readonly<Record<string, string>> = {
  AT: 'ATU\\s?\\d{8}',
  BE: 'BE\\s?[01]\\d{3}[. ]?\\d{3}[. ]?\\d{3}',
  BG: 'BG\\s?\\d{9,10}',
  CY: 'CY\\s?\\d{8}[A-Z]',
  CZ: 'CZ\\s?\\d{8,10}',
  DE: 'DE\\s?\\d{3}\\s?\\d{3}\\s?\\d{3}',
  DK: 'DK\\s?\\d{2}\\s?\\d{2}\\s?\\d{2}\\s?\\d{2}',
  EE: 'EE\\s?\\d{9}',
  ES: 'ES\\s?-?(?:[A-Z]-?\\d{7}[A-Z\\d]|\\d{8}[A-Z])',
  FI: 'FI\\s?-?\\d{8}',
  FR: 'FR\\s?[\\dA-Z]{2}\\s?\\d{3}\\s?\\d{3}\\s?\\d{3}',
  GB: 'GB\\s?\\d{3}\\s?\\d{4}\\s?\\d{2}',
  GR: 'EL\\s?\\d{9}',
  HR: 'HR\\s?\\d{11}',
  HU: 'HU\\s?\\d{8}',
  IE: 'IE\\s?\\d[A-Z\\d]\\d{5}[A-W][A-I]?',
  IT: 'IT\\s?-?\\d{11}',
  LT: 'LT\\s?\\d{9}(?:\\d{3})?',
  LU: 'LU\\s?\\d{8}',
  LV: 'LV\\s?\\d{11}',
  MT: 'MT\\s?\\d{4}[ -]?\\d{4}',
  NL: 'NL\\s?\\d{4}[. ]?\\d{2}[. ]?\\d{3}[. ]?B[. ]?\\d{2}',
  NO: 'NO\\s?\\d{3}\\s?\\d{3}\\s?\\d{3}',
  PL: 'PL\\s?\\d{3}-?\\d{3}-?\\d{2}-?\\d{2}',
  PT: 'PT\\s?\\d{9}',
  RO: 'RO\\s?\\d{6,10}',
  SE: 'SE\\s?\\d{6}-?\\d{4}-?01',
  SI: 'SI\\s?\\d{8}',
  SK: 'SK\\s?\\d{10}',
};
const vatLabel =
  '(?:\\b(?:VAT|V\\.A\\.T|UID|TVA|IVA|I\\.V\\.A|BTW|ALV|PVM|PVN|KMKR|KMK|DIČ|DPH|DDV|PDV|TIN|[Mm]oms|MOMS|NIF|NIP|CUI|Tax ID|ID nr|Mw[Ss]t|MWST|U[Ss][Tt]|Umsatzsteuer|intracom)|ΑΦΜ|ΦΠΑ|ДДС)';
const vatNumbers = new Map(
  Object.entries(vatForms).map(([country, form]) => [
    form.slice(0, 2),
    { country, form: new RegExp(`^${form}(?![\\dA-Z])`) },
  ]),
);
const labelledVat = new RegExp(
  `${vatLabel}[^\\n]{0,40}?(?<![A-Z\\d])((${[...vatNumbers.keys()].join('|')})[\\dA-Z .-]{6,18})`,
  'g',
);
const maxVatNumbers = 10;

/** Countries of the VAT numbers that stand behind a label. */
export function vatCountries(text: string): string[] {
  const found: string[] = [];
  for (const [, number = '', code = ''] of text.matchAll(labelledVat)) {
    if (found.length >= maxVatNumbers) break;
    const known = vatNumbers.get(code);
    if (known?.form.test(number)) found.push(known.country);
  }
  return found;
}

// A number needs its label, because digits alone occur everywhere. The forms are those that the authorities publish. A
// label of several countries needs the form of one of them.
export const registerMarks: readonly CountryMark[] = [
  mark('AT', /\bATU\s?\d{8}\b|\bFN\s?\d{5,6}\s?[a-z]\b|firmenbuch(?:nummer|gericht)|\bhandelsgericht wien\b/i),
  mark('DE', /\bDE\s?\d{3}\s?\d{3}\s?\d{3}\b|\bHR[AB]\s?\d{2,7}\b|\bamtsgericht\s[A-ZÄÖÜ]|\bWEEE-Reg/),
  mark('CH', /\bCHE[-\s]?\d{3}[.\s]?\d{3}[.\s]?\d{3}\b/),
  mark(
    'FR',
    /\bFR\s?[0-9A-Z]{2}\s?\d{3}\s?\d{3}\s?\d{3}\b|\bSIRE[TN]\b[^\n]{0,12}\d{3}|\bR\.?C\.?S\.?\s(?:de\s)?[A-Z][a-zé-]{2,20}|\bcode (?:APE|NAF)\b/,
  ),
  mark(
    'IT',
    /\b(?:p(?:artita|\.)?\s?\.?\s?iva|p\.?\s?i\.)\s?:?\s{0,2}(?:IT)?\s?\d{11}\b|\bREA\s?:?\s?[A-Z]{2}\s?-?\s?\d{5,7}\b/i,
  ),
  mark('IT', /\bIT\s?\d{11}\b/),
  mark(
    'ES',
    /\b(?:C\.?I\.?F|N\.?I\.?F)\.?:?\s{0,2}(?:ES)?[A-HJNP-SUVW]-?\s?\d{8}\b|\bES[A-Z]\d{8}\b|\bC\.?I\.?F\.?:?\s{0,2}[A-Z]-?\d{2}[.\d]{6,9}|\bregistro mercantil de (?:madrid|barcelona|valencia|sevilla|m[aá]laga|alicante|murcia|zaragoza|bizkaia|girona)/i,
  ),
  mark('PT', /\b(?:NIPC|NIF|contribuinte)[^\n\d]{0,12}5\d{2}\s?\d{3}\s?\d{3}\b|livro de reclama[cç][oõ]es/i),
  mark(
    'NL',
    /\bNL\s?\d{9}\s?B\s?\d{2}\b|\bNL\s?\d{4}[.\s]\d{2}[.\s]\d{3}[.\s]?B\d{2}\b|\bK\.?v\.?K\b\.?(?:[-\s]?(?:nummer|nr|number|no)\.?)?\s?:?\s?\d{2}\.?\d{3}\.?\d{3}\b/i,
  ),
  mark(
    'BE',
    /\bBE\s?0\s?\d{3}[.\s]?\d{3}[.\s]?\d{3}\b|\b(?:ondernemingsnummer|num[eé]ro d['’]entreprise)\b|\bKBO[^\n\d]{0,10}0\d{3}[.\s]\d{3}[.\s]\d{3}\b/i,
  ),
  mark('LU', /\bLU\s?\d{8}\b|\bRCS(?:L| Luxembourg)\b[^\n]{0,6}\bB\s?\d{4,6}/),
  mark(
    'GB',
    /\bGB\s?\d{3}\s?\d{4}\s?\d{2}\b|\bregistered in (?:england|scotland|wales|northern ireland)|\bcompan(?:y|ies) (?:reg(?:istration|istered)?\.?\s)?(?:house|registered in england)|\bregistered (?:office|company)[^\n]{0,60}(?:england|scotland)|\bVAT\s(?:reg(?:istration|istered)?\.?\s)?(?:no|number|nr)?[.:]?\s{0,2}\d{3} \d{4} \d{2}\b|\bcompany (?:reg(?:istration|istered)?\.?\s)?(?:no|number)[.:]{0,2}\s{0,2}(?:SC|NI|OC)\d{6}\b/i,
  ),
  mark('IE', /\bIE\s?\d{7}[A-W][A-I]?\b|\bregistered in (?:the republic of )?ireland\b/i),
  mark(
    'DK',
    /\bCVR\b(?:[-\s.]{0,2}(?:nr|nummer|no)\.?)?\s?[.:]?\s?(?:DK[-\s]?)?\d{2}\s?\d{2}\s?\d{2}\s?\d{2}\b|\bDK[-\s]?\d{8}\b/i,
  ),
  mark('SE', /\borg(?:anisations)?\.?[\s-]?(?:nr|nummer|no)\.?\s?:?\s?\d{6}-\d{4}\b|\bSE\s?\d{6}-?\d{4}\s?01\b/i),
  mark(
    'NO',
    /\borg(?:anisasjons)?\.?[\s-]?(?:nr|nummer|no)\.?\s?:?\s?(?:NO\s?)?[89]\d{2}\s?\d{3}\s?\d{3}\b|\b[89]\d{2}\s?\d{3}\s?\d{3}\s?MVA\b/i,
  ),
  mark('FI', /\b(?:y-tunnus|business id)\s?:?\s?(?:FI)?\d{7}-\d\b|\bFI\s?\d{8}\b/i),
  mark('IS', /\b(?:kt|kennitala)\.?\s?:?\s?\d{6}-?\d{4}\b|\bVSK\s?(?:nr|númer)/i),
  mark('EE', /\b(?:reg(?:istri)?kood|registrikood)|\bEE\s?\d{9}\b/i),
  mark('LV', /\bLV\s?4\d{10}\b|\breģ\.?\s?nr\.?\s?:?\s?(?:LV)?\d{11}\b|\breģistrācijas numurs\b/i),
  mark('LT', /\b(?:įmonės kodas|į\.k\.|PVM (?:mokėtojo )?kodas)|\bLT\s?\d{9}(?:\d{3})?\b/i),
  mark(
    'PL',
    /\bNIP\b\s?:?\s?(?:PL)?\s?\d{3}[-\s]?\d{2,3}[-\s]?\d{2}[-\s]?\d{2,3}\b|\bREGON\b\s?:?\s?\d{9}|\bKRS\b\s?:?\s?\d{10}/i,
  ),
  mark(
    'CZ',
    /\bDIČ\s?:?\s?CZ\s?\d{8,10}\b|\bCZ\s?\d{8,10}\b|\bspisová značka\b|\bměstsk\S{1,3} soud|\bkrajsk\S{1,3} soud/i,
  ),
  mark('SK', /\bSK\s?20\d{8}\b|\bIČ\s?DPH\b|\bobchodn\S{1,3} register okresn\S{1,4} súd|\bokresn\S{1,3} súd/i),
  mark('HU', /\b(?:adószám|HU)[^\n]{0,12}\d{8}-[1-5]-\d{2}|\badószám|\bcégjegyzékszám/i),
  mark(
    'RO',
    /\b(?:C\.?U\.?I|C\.?I\.?F|cod fiscal)\b\.?\s?:?\s?(?:RO\s?)?\d{6,9}\b|\bJ\s?\d{2}\s?\/\s?\d{1,5}\s?\/\s?(?:19|20)\d{2}\b|\banpc\.(?:ro|gov\.ro)|\bANPC\b/,
  ),
  mark('BG', /(?:ЕИК|ЕИК\/ПИК|БУЛСТАТ)\s?:?\s?\d{9}/),
  mark('GR', /(?:Α\.?Φ\.?Μ\.?|ΓΕΜΗ|Γ\.Ε\.ΜΗ\.?|Αρ\.\s?ΓΕΜΗ)\s?:?\s?\d{6,12}/),
  mark('HR', /\bOIB\b\s?:?\s?(?:HR)?\d{11}\b/i),
  mark('SI', /\bSI\s?\d{8}\b|\bmatična številka\b/),
  mark('RS', /\b(?:PIB|ПИБ)\b\s?:?\s?\d{9}\b/i),
  mark('BA', /\bJIB\b\s?:?\s?4\d{12}\b|\bPDV broj\b/i),
  mark('ME', /\bPIB\b\s?:?\s?\d{8}\b/),
  mark('MK', /(?:ЕДБ|ЕМБС)\s?:?\s?(?:MK|МК)?\d{7,13}/),
  mark('UA', /(?:ЄДРПОУ|ІПН)\s?:?\s?\d{8,10}/),
  // Ten or twelve digits: Russia. Kyrgyzstan has fourteen, Uzbekistan nine.
  mark('RU', /ИНН\s{0,2}[:№]?\s{0,2}(?:\d{10}|\d{12})(?!\d)|ОГРН(?:ИП)?\s{0,2}[:№]?\s{0,2}\d{13}/),
  mark('KG', /ИНН\s{0,2}[:№]?\s{0,2}\d{14}(?!\d)/),
  mark('BY', /УНП\s{0,2}[:№]?\s{0,2}\d{9}/),
  mark('KZ', /(?:БИН|ИИН)\s{0,2}[:№]?\s{0,2}\d{12}/),
  mark('MD', /\bIDNO\b\s?:?\s?\d{13}/),
  mark('GE', /(?:ს\/[კნ]|საიდენტიფიკაციო)[^\n\d]{0,12}\d{9}/),
  mark('TR', /\b(?:mersis|vergi (?:no|numarası|dairesi)|ETBİS)\b/i),
  mark('IL', /ח\.?["״']?פ\.?\s{0,2}:?\s{0,2}\d{9}|ע\.?["״']?מ\.?\s{0,2}:?\s{0,2}\d{9}/),
  mark('BR', /\bCNPJ\b|\b\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}\b/),
  mark('AR', /\bCUIT\b|\bdata fiscal\b|qr\.afip\.gob\.ar|bot[oó]n de arrepentimiento/i),
  mark('CL', /\bR\.?U\.?T\.?\s?:?\s?\d{2}\.?\d{3}\.?\d{3}-[\dkK]\b|\bsernac\b/i),
  mark('UY', /\bR\.?U\.?T\.?\s?:?\s?2[12]\s?\d{10}\b/i),
  // Colombian companies have nine digits that begin with 8 or 9, and a check digit. Guatemala, Bolivia and El Salvador
  // have other lengths.
  mark(
    'CO',
    /\bN\.?I\.?T\b\.?:?\s?(?:N[o°º]\.?\s?)?[89]\d{2}[.,]?\d{3}[.,]?\d{3}\s?-\s?\d\b|superintendencia de industria y comercio/i,
  ),
  mark('MX', /\bR\.?F\.?C\.?\s?:?\s?[A-ZÑ&]{3,4}-?\d{6}-?[A-Z0-9]{3}\b|\bprofeco\b/i),
  mark('PE', /\bR\.?U\.?C\.?\s?:?\s?(?:N[o°º]\.?\s?)?(?:10|20)\d{9}\b|\bindecopi\b|libro de reclamaciones/i),
  mark('EC', /\bR\.?U\.?C\.?\s?:?\s?\d{10}001\b/i),
  mark('PY', /\bR\.?U\.?C\.?\s?:?\s?80\d{6}-\d\b/i),
  mark('VE', /\bR\.?I\.?F\b\.?\s?:?\s?[JVG]-?\d{8}-?\d\b/i),
  mark('CR', /\bc[eé]dula jur[ií]dica[^\n\d]{0,10}3-?\d{3}-?\d{6}\b/i),
  mark('DO', /\bRNC\b\s?:?\s?\d-?\d{2}-?\d{5}-?\d\b/),
  mark(
    'AU',
    /\b(?:ABN|ACN|A\.B\.N\.|A\.C\.N\.)(?=[\s:#])\s?(?:no\.?)?[:#]?\s{0,2}\d{2,3}\s?\d{3}\s?\d{3}(?:\s?\d{3})?\b/i,
  ),
  mark('NZ', /\bNZBN\b|\bGST\s(?:no|number|reg\w{0,12})\.?:?\s?\d{2,3}-\d{3}-\d{3}\b/i),
  mark('CA', /\b\d{9}\s?RT\s?\d{4}\b|\bNEQ\s?:?\s?\d{10}\b/),
  mark(
    'IN',
    /\bGST(?:IN)?\b[^\n\d]{0,12}\d{2}[A-Z]{5}\d{4}[A-Z]\d?[A-Z]|\bCIN\b\s?[:-]?\s?[LU]\d{5}[A-Z]{2}\d{4}|\bFSSAI\b/i,
  ),
  mark('SG', /\bUEN\b\s?[:.]?\s?(?:no\.?\s?)?\d{8,9}[A-Z]\b/i),
  mark('MY', /\bsdn\.?\s?bhd\b/i),
  mark('ID', /\bNPWP\b|\bSIUP\b/),
  mark('PH', /\bDTI (?:registration|permit|certificate)|\bSEC registration\b/i),
  mark('PK', /\bNTN\b\s?[:#]?\s?\d{7}-\d\b/),
  mark('ZA', /\b(?:19|20)\d{2}\/\d{6}\/(?:07|23)\b/),
  mark('AE', /\bTRN\b\s?:?\s?100\d{12}\b/i),
  // Commercial registers are in every Arab country. Saudi numbers have ten digits, tax numbers fifteen.
  mark(
    'SA',
    /(?:سجل تجاري|السجل التجاري)[^\n\d]{0,16}(?:1010|1131|2050|2051|2250|2252|2511|3350|4030|4031|4602|4650|5850|5900|70\d{2})\d{6}(?!\d)|(?:الرقم الضريبي|\bVAT\b)[^\n\d]{0,16}3\d{13}3(?!\d)/,
  ),
  mark('EG', /(?:السجل التجاري|سجل تجاري)[^\n]{0,40}(?:القاهرة|الجيزة|الإسكندرية)|بطاقة ضريبية/),
  mark('JP', /特定商取引法|古物商許可/),
  mark('KR', /사업자\s?등록\s?번호|통신판매업/),
  mark('CN', /[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]ICP[备证]|公网安备/),
  mark('TW', /統一編號|統編\s?[:：]?\s?\d{8}/),
  mark('VN', /mã số thuế|\bMST\s?:\s?\d{10}|ĐKKD/i),
  mark('TH', /เลขทะเบียน(?:พาณิชย์|นิติบุคคล)|เลขประจำตัวผู้เสียภาษี/),
];

const legal = (country: string, form: string): CountryMark =>
  mark(country, new RegExp(`[\\s,](?:${form})(?![\\p{L}\\d])`, 'u'));

/** Legal forms of one country. They count in short lines at the end of a page and in copyright lines. */
export const legalForms: readonly CountryMark[] = [
  legal('AT', 'e\\.\\s?U\\.'),
  legal('DE', 'e\\.\\s?K\\.|UG \\(haftungsbeschränkt\\)|OHG'),
  legal('FR', 'EURL|SASU|E\\.U\\.R\\.L\\.'),
  legal('IT', '[Ss]\\.p\\.[Aa]\\.|S\\.?n\\.?c\\.|[Ss]\\.?r\\.?l\\.?[Ss]\\.|S\\.a\\.s\\. di|s\\.r\\.l\\. unipersonale'),
  legal('ES', 'S\\.?L\\.?U\\.?|S\\.L\\.|S\\.?C\\.?C\\.?L\\.?'),
  legal('PT', '[Ll][Dd][Aa]\\.?|Unipessoal'),
  legal('BE', 'BVBA|SPRL|CVBA'),
  legal('NL', 'V\\.?O\\.?F\\.?'),
  legal('DK', 'ApS|I\\/S|IVS'),
  legal('SE', 'Aktiebolag'),
  legal('FI', 'Oyj?|Tmi|Ky'),
  legal('EE', 'OÜ'),
  mark('LT', /\bUAB ["„“”']?\p{Lu}|\bMB ["„“”']\p{Lu}/u),
  mark('LV', /\bSIA ["„“”']\p{Lu}/u),
  legal('PL', '[Ss][Pp]\\.?\\s?[Zz]\\.?\\s?[Oo]\\.?\\s?[Oo]\\.?|[Ss]p\\. ?[jk]\\.'),
  legal('CZ', 'a\\.\\s?s\\. Praha'),
  legal('HU', 'Kft\\.?|Zrt\\.?|Nyrt\\.?'),
  legal('BG', 'ЕООД|ООД|EOOD|OOD'),
  legal('HR', 'j\\.\\s?d\\.\\s?o\\.\\s?o\\.'),
  legal('TR', 'Ltd\\.?\\s?Şti\\.?|LTD\\.?\\s?ŞTİ\\.?|San\\. (?:ve )?Tic\\.|A\\.Ş\\.'),
  mark('UA', /(?:^|[\s,])(?:ТОВ|ФОП) ["«„]?\p{Lu}/mu),
  mark('KZ', /(?:^|[\s,])ТОО ["«„]?\p{Lu}/mu),
  legal('BR', 'EIRELI|LTDA ?-? ?(?:ME|EPP)'),
  legal('MX', 'S\\.?A\\.? de C\\.?V\\.?|S\\.? de R\\.?L\\.? de C\\.?V\\.?|S\\.?A\\.?P\\.?I\\.? de C\\.?V\\.?'),
  legal('PE', 'S\\.A\\.C\\.?|E\\.I\\.R\\.L\\.?'),
  legal('CO', 'S\\.A\\.S\\.? BIC'),
  legal('AU', 'P[Tt][Yy]\\.? L(?:[Tt][Dd]|imited)'),
  legal('ZA', '\\((?:P[Tt][Yy]|Proprietary)\\)\\.? L(?:[Tt][Dd]|imited)|\\bCC t\\/a'),
  legal('SG', 'P[Tt][Ee]\\.? L(?:[Tt][Dd]|imited)'),
  legal('MY', '[Ss][Dd][Nn]\\.? ?[Bb][Hh][Dd]'),
  legal('IN', 'P[Vv][Tt]\\.? L(?:[Tt][Dd]|imited)|Private Limited'),
  mark('ID', /(?:^|©\s?(?:20\d\d\s)?)PT\.? \p{Lu}\p{L}{2,}/mu),
  mark('JP', /株式会社|合同会社/),
  mark('KR', /\(주\)|주식회사/),
  legal('GB', 'Ltd\\.?,? (?:UK|England)'),
  legal('AE', 'FZ-?(?:LLC|E|CO)|DMCC|FZE'),
  legal('IS', 'ehf\\.?'),
  legal('IL', 'בע"מ|בע״מ'),
];

const usStates =
  'A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]|Alabama|Arizona|California|Colorado|Connecticut|Florida|Georgia|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maryland|Massachusetts|Michigan|Minnesota|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|Ohio|Oklahoma|Oregon|Pennsylvania|South Carolina|Tennessee|Texas|Utah|Vermont|Virginia|Washington|Wisconsin|Wyoming';

/** Without a postal code, the abbreviations that are codes of countries too say nothing. */
const spokenStates =
  'CA|TX|NY|FL|OH|MI|WI|NJ|UT|NV|OK|CT|KS|IA|HI|NH|ND|WV|WY|RI|AK|Alabama|Arizona|California|Colorado|Connecticut|Florida|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maryland|Massachusetts|Michigan|Minnesota|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|Ohio|Oklahoma|Oregon|Pennsylvania|South Carolina|Tennessee|Texas|Utah|Vermont|Virginia|Wisconsin|Wyoming';

export const addressMarks: readonly CountryMark[] = [
  // A town stands before the state. In other countries a town or more digits follow the number.
  mark(
    'US',
    new RegExp(
      `(?<=[a-z.],?\\s{1,3}|,\\s{0,3})(?:${usStates})\\.?,?\\s{1,3}\\d{5}(?:-\\d{4})?\\b(?![.,]\\d|-\\d)(?!\\s(?!United|USA)[A-ZÄÖÜ][a-zäöüß]{2})`,
    ),
  ),
  mark(
    'CA',
    /\b(?:AB|BC|MB|NB|NL|NS|ON|PE|QC|SK|YT|Alberta|British Columbia|Manitoba|Ontario|Qu[eé]bec|Nova Scotia|Saskatchewan)\.?,?\s{1,3}(?:Canada,?\s)?[ABCEGHJ-NPRSTVXY]\d[A-Z]\s?\d[A-Z]\d\b/,
  ),
  // The area comes from the list of the Royal Mail: "M10 4GB" is a device with its memory, "T1 2XL" a size.
  mark(
    'GB',
    /\b(?:A[BL]|B[ABDHLNRST]?|C[ABFHMORTVW]|D[ADEGHLNTY]|E[CHNX]?|F[KY]|G[LU]?|H[ADGPRSUX]|I[GPV]|K[ATWY]|L[ADELNSU]?|M[EKL]?|N[EGNPRW]?|O[LX]|P[AEHLOR]|R[GHM]|S[AEGKLMNOPRSTWY]?|T[ADFNQRSW]|UB|W[ACDFNRSV]?|YO|ZE)\d{1,2}[A-Z]? \d(?!GB|TB|LB|XL|ND|RD|TH|ST|HP)[ABD-HJLNP-UW-Z]{2}\b/,
  ),
  mark('JE', /\bJE\d \d[A-Z]{2}\b/),
  mark('GG', /\bGY\d{1,2} \d[A-Z]{2}\b/),
  mark('IM', /\bIM\d{1,2} \d[A-Z]{2}\b/),
  mark(
    'IE',
    /\b(?:D6W|[AC-FHKNPRTV-Y]\d{2})\s(?=\d{0,3}[A-Z])(?=[A-Z]{0,3}\d)[0-9AC-FHKNPRTV-Y]{4}\b|\bCo\.?\s(?:Dublin|Cork|Galway|Kerry|Mayo|Donegal|Wicklow|Kildare|Meath|Limerick|Clare|Tipperary|Wexford|Waterford|Louth|Kilkenny|Sligo|Westmeath|Cavan|Monaghan|Laois|Offaly|Carlow|Roscommon|Leitrim|Longford)\b/,
  ),
  mark(
    'AU',
    /\b(?:NSW|VIC|QLD|TAS|ACT|Vic|Qld|Tas)\.?,?\s{1,3}\d{4}\b(?!\d)|\b(?:WA\.?,?\s6\d{3}|SA\.?,?\s5\d{3}|NT\.?,?\s08\d{2})\b(?![\d-])|\b(?:Victoria|Queensland|New South Wales|Western Australia|South Australia|Tasmania),?\s{1,3}\d{4}\b/,
  ),
  // "November 2, 2023" and "LA" or "PM" in the same line or the next is a date.
  mark(
    'NL',
    /(?<=\b(?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)(?:[a-z]{1,6})?\.?\s)[A-Z][A-Za-z.]{3,40}\s\d{1,4}\s?[a-zA-Z]?[\s,]{1,4})[1-9]\d{3}\s?(?!SA|SD|SS|IU)[A-Z]{2}[\s,]{1,3}(?:[A-Z][a-z]{3,}|'s-|Den )/,
  ),
  mark('DE', /\bD\s?-\s?\d{5}\s[A-ZÄÖÜ]/),
  mark('AT', /\bA\s?-\s?\d{4}\s[A-ZÄÖÜ]/),
  mark('CH', /\bCH\s?-\s?\d{4}\s[A-ZÄÖÜ]/),
  // One letter before the code is also a model number, so the number of the house stands before it.
  mark('BE', /(?<=\d[a-zA-Z]?[\s,|·•–]{1,4})B\s?-\s?\d{4}\s[A-Z][a-z]/),
  mark('LU', /(?<=\d[a-zA-Z]?[\s,|·•–]{1,4})L\s?-\s?\d{4}\s[A-Z][a-z]/),
  mark('FR', /(?<=\d[a-zA-Z]?[\s,|·•–]{1,4})F\s?-\s?\d{5}\s[A-Z]|\bCEDEX\b(?: \d{1,2})?/),
  mark(
    'IT',
    /(?<=\d[a-zA-Z]?[\s,|·•–]{1,4})I\s?-\s?\d{5}\s[A-Z]|\b[Vv]i(?:a|ale) \p{Lu}[^\n]{2,40}\d[^\n]{0,6}[\s,–-]{1,4}\d{5}\s[\p{L}' ]{2,30}\s?\((?:[A-Z]{2})\)/u,
  ),
  mark('DK', /\bDK\s?-\s?\d{4}\s[A-ZÆØÅ]/),
  mark('SE', /(?:\bSE|(?<=\d[a-zA-Z]?[\s,|·•–]{1,4})S)\s?-\s?\d{3}\s?\d{2}\s[A-ZÅÄÖ]/),
  mark('NO', /(?:\bNO|(?<=\d[a-zA-Z]?[\s,|·•–]{1,4})N)\s?-\s?\d{4}\s[A-ZÆØÅ]/),
  mark('FI', /\bFI\s?-\s?\d{5}\s[A-ZÄÖ]/),
  mark('CZ', /\bCZ\s?-\s?\d{3}\s?\d{2}\s\p{Lu}/u),
  mark('HU', /(?:\bHU|(?<=\d[a-zA-Z]?[\s,|·•–]{1,4})H)\s?-\s?\d{4}\s[A-ZÁÉÍÓÖŐÚÜŰ][a-zá-ű]/),
  mark('LV', /\p{Ll},?\sLV-\d{4}(?!\d)|\bLV-\d{4}[\s,]{1,2}\p{Lu}\p{Ll}{2}/u),
  mark('LT', /\p{Ll},?\sLT-\d{5}(?!\d)|\bLT-\d{5}[\s,]{1,2}\p{Lu}\p{Ll}{2}/u),
  mark('SI', /\bSI\s?-\s?\d{4}\s\p{Lu}/u),
  mark('HR', /\bHR\s?-\s?\d{5}\s\p{Lu}/u),
  mark(
    'BR',
    /\bCEP\b\s?:?\s?\d{2}\.?\d{3}-?\d{3}\b|\b(?:SP|RJ|MG|RS|SC|BA|DF|GO|PE|CE|ES)\b[\s,–-]{1,4}\d{5}-\d{3}\b(?=[^\n]{0,30}[Bb]ra[sz]il)/,
  ),
  mark('AR', /\bCiudad Aut[oó]noma de Buenos Aires\b|\bC\.A\.B\.A\.?|\bCABA\b|\bCapital Federal\b[^\n]{0,20}Argentina/),
  mark('MX', /\bCol(?:onia|\.)\s[A-ZÁÉÍÓÚ][^\n]{2,50}C\.?P\.?\s?\d{5}\b/),
  mark(
    'CL',
    /\b(?:Las Condes|Providencia|Ñuñoa|Vitacura|Huechuraba|Quilicura)\b[^\n]{0,30}(?:Santiago|Regi[oó]n Metropolitana|RM\b)/,
  ),
  mark('PE', /\b(?:Miraflores|San Isidro|Surco|La Victoria|San Borja|Barranco)\b[\s,-]{1,4}Lima\b/),
  mark(
    'HK',
    /\b(?:Kowloon|Tsim Sha Tsui|Kwun Tong|Wan Chai|Mong Kok|Causeway Bay|New Territories|Sheung Wan|Kwai Chung)\b[^\n]{0,40}(?:Hong Kong|HK\b|H\.K\.)/,
  ),
  mark(
    'AE',
    /\bP\.?\s?O\.?\s?Box:?\s\d{3,6}[^\n]{0,30}\b(?:Dubai|Abu Dhabi|Sharjah)\b|\b(?:Dubai|Abu Dhabi|Sharjah)[\s,-]{1,4}(?:U\.?A\.?E|United Arab Emirates)/,
  ),
  mark('TW', /(?:台北|臺北|新北|台中|臺中|高雄|桃園|台南|臺南)市[^\n]{1,12}區/),
  mark('CN', /(?:省|上海市|北京市|深圳市|杭州市|广州市|重庆市|天津市)[^\n]{1,14}(?:区|县)[^\n]{1,14}(?:路|街|道)/),
  mark('JP', /〒\s?\d{3}-?\d{4}/),
  mark('PL', /\bul\.\s[A-ZŁŚŻŹ][^\n]{2,50}\b\d{2}-\d{3}\s[A-ZŁŚŻŹ]/),
  ...townMarks,
];

/** Postal addresses that only the language of the page tells apart. */
export const nationalAddresses: Readonly<Record<string, readonly CountryMark[]>> = {
  de: [
    mark(
      'DE',
      /(?:str\.|stra(?:ß|ss)e|[wW]eg|[pP]latz|allee|gasse|[rR]ing|damm|ufer|hof|chaussee|markt|berg)\s\d{1,4}\s?[a-zA-Z]?(?:\s?-\s?\d{1,4})?[\s,|·•–]{1,4}(?:D-?\s?)?\d{5}\s\p{Lu}\p{Ll}/u,
    ),
  ],
  pt: [mark('PT', /(?<![\d-])\d{4}-\d{3}\s\p{Lu}\p{L}{2}/u), mark('BR', /(?<![\d-])\d{5}-\d{3}(?![\d-])/)],
  fr: [
    mark(
      'FR',
      /\b(?:rue|avenue|av\.|boulevard|bd|place|chemin|route|impasse|allée|quai|zone|ZA|ZI|cours)\s[^\n]{2,60}[\s,–-]{1,4}\d{5}\s[A-ZÉÈ]/i,
    ),
  ],
  es: [
    mark(
      'ES',
      /(?:C\/|\bcalle\b|\bavda?\.|\bavenida\b|\bplaza\b|\bpol\.|\bpol[ií]gono\b|\bcarretera\b)\s?[^\n]{2,60}[\s,–-]{1,4}(?:0[1-9]|[1-4]\d|5[0-2])\d{3}[\s,-]{1,3}\p{Lu}[\p{L} ]{2,30}(?:\(|,\s?(?:Espa[nñ]a|Spain)|\s-\s)/iu,
    ),
  ],
};

/** Phone numbers without the code of the country, where the language leaves few countries. */
export const nationalPhones: Readonly<Record<string, readonly CountryMark[]>> = {
  en: [
    mark(
      'GB',
      /(?<![\d+(])\(?0(?:1\d{3}\)?\s\d{3}\s?\d{3}|1\d{2}\)?\s\d{3}\s\d{4}|20\)?\s?\d{4}\s\d{4}|(?:800|808|845|844|333|330|345)\s\d{3}\s?\d{3,4}|7\d{3}\s\d{3}\s?\d{3})(?!\d)/,
    ),
    mark(
      'AU',
      /(?<![\d+])(?:\(0[2378]\)\s?\d{4}\s\d{4}|0[2378]\s\d{4}\s\d{4}|1[38]00\s\d{3}\s\d{3}|13\s\d{2}\s\d{2}|04\d{2}\s\d{3}\s\d{3})(?![\s-]?\d)/,
    ),
    mark(
      'NZ',
      /(?<![\d+])(?:\(0[34679]\)\s?\d{3}\s\d{4}|0[34679]\s\d{3}\s\d{4}|0(?:800|508)\s\d{2,3}\s\d{2,3}(?:\s\d{2,3})?)(?![\s-]?\d)/,
    ),
    mark('ZA', /(?<![\d+])\(?0(?:1[0-8]|2[1-8]|3[1-6]|4[1-9]|5[1-8]|86)\d?\)?\s\d{3}\s\d{4}(?!\d)/),
    mark('IN', /(?<![\d+])1800[\s-]\d{3}[\s-]\d{4}(?!\d)/),
  ],
  fr: [mark('FR', /(?<![\d+])0[1-9](?:[\s.]\d{2}){4}(?!\d)/)],
  es: [
    mark('ES', /(?<![\d+])(?:9[1-8]\d|900|902)\s\d{3}?\s?\d{2}\s\d{2}\s\d{2}(?!\d)/),
    mark('CO', /\b01\s?8000\s?\d{2}/),
    mark('MX', /\b01\s800\s\d{3}\s\d{4}\b/),
  ],
  pt: [
    mark('BR', /\(\d{2}\)\s?9?\s?\d{4}-\d{4}/),
    mark('PT', /(?<![\d+])(?:2[1-9]\d|9[1236]\d)\s\d{3}\s\d{3}(?!\s?\d)/),
  ],
  ru: [
    mark('RU', /(?<![\d+])8[\s-]?\(?(?:495|499|812|800|343|383|846|863|861)\)?[\s-]?\d{3}[\s-]?\d{2}/),
    mark('UA', /(?<!\d)\(?0(?:44|50|63|66|67|68|73|9[3-9])\)?[\s-]?\d{3}[\s-]\d{2}[\s-]\d{2}(?!\d)/),
  ],
};

/** Words before the country from which a merchant ships. */
export const shippingOrigin =
  /\b(?:ships?|shipped|shipping|dispatched|delivered|sent|posted|made and shipped|designed and shipped)\s(?:directly\s|direct\s|fast\s|daily\s|out\s|to you\s)?from\s(?:our\s[a-z ]{0,30}in\s|the\s)?([A-Z][A-Za-z. ]{1,24}?)(?=[\s,.!)|]{0,2}(?:$|[\n,.!|)]|\s(?:and|to|with|within|in|by|for)\b))/g;

/** Habits of merchants of one country that others share. Each counts little. */
export const habitMarks: readonly (CountryMark & { points: number })[] = [
  { country: 'US', points: 3, form: /(?:©|copyright)[^\n]{0,80}\bL\.?L\.?C\b/i },
  { country: 'US', points: 1, form: /(?:©|copyright)[^\n]{0,80}\b(?:Inc|Corp)\b/ },
  { country: 'US', points: 1.5, form: /\d\s?(?:[ap]\.?m\.?|noon)\s\(?(?:[ECMP][SD]?T|eastern|pacific|central)\b/i },
  { country: 'US', points: 1, form: /\bzip code\b/i },
  { country: 'US', points: 1.5, form: /\b\d{3}\s?°\s?F\b|\bdegrees (?:F\b|fahrenheit)/ },
  { country: 'US', points: 0.5, form: /\d\s?(?:oz|lbs?|ounces|pounds)\b/ },
  { country: 'US', points: 0.5, form: /\bmade in (?:the )?u\.?s\.?a\b/i },
  {
    country: 'US',
    points: 1.5,
    form: /\b(?:do not sell (?:or share )?(?:my )?(?:personal )?(?:info|information|data)|california residents|california privacy|prop(?:osition)? 65|veteran[- ]owned|sales tax)\b/i,
  },
  { country: 'US', points: 1, form: /\bm(?:sg|essage) (?:&|and) data rates\b/i },
  {
    country: 'US',
    points: 1,
    form: /\b(?:amazon services llc|amazon\.com associat|fda|food and drug administration)\b/i,
  },
  {
    country: 'US',
    points: 1.5,
    form: new RegExp(`(?<=\\b[A-Z][a-z]{2,}),\\s(?:${spokenStates})(?![\\p{L}\\d]|\\s\\d)`, 'u'),
  },
  {
    country: 'US',
    points: 0.5,
    form: /\b(?:color|colors|favorite|favorites|personalized|customized|flavor|jewelry|aluminum)\b/i,
  },
  { country: 'GB', points: 1, form: /\b(?:favourites?|personalised|jewellery|p&p)\b/i },
  { country: 'GB', points: 1, form: /(?:©|copyright)[^\n]{0,80}\b(?:Ltd|Limited)\b/i },
  {
    country: 'GB',
    points: 1.5,
    form: /\b(?:(?:inc(?:l|luding)?|ex(?:cl)?)\.? VAT|UK mainland|made in (?:the UK|england|britain)|bank holidays?)\b/i,
  },
  { country: 'DE', points: 1, form: /(?:©|copyright)[^\n]{0,80}\b(?:GmbH|e\.\s?K\.)/i },
  { country: 'DE', points: 1, form: /\b(?:widerrufsbelehrung|datenschutzerklärung)\b/i },
  { country: 'DE', points: 1.5, form: /\b(?:inkl\.|zzgl\.) (?:der )?(?:gesetzl\.? |gesetzlicher )?(?:19 ?% )?mwst/i },
  { country: 'AU', points: 1.5, form: /\b(?:australian owned|aussie|afterpay available|inc(?:l|luding)?\.? gst)\b/i },
  { country: 'NZ', points: 1, form: /\b(?:kiwi owned|new zealand owned|rural delivery)\b/i },
  { country: 'IN', points: 2, form: /\b(?:pvt\.?|private) (?:ltd|limited)\b/i },
  { country: 'IN', points: 2, form: /\b(?:inclusive of all taxes|cash on delivery available|lakhs?|crores?)\b/i },
  { country: 'BR', points: 3, form: /\b(?:sem juros|frete gr[aá]tis|cadastre-se)\b/i },
  {
    country: 'PT',
    points: 2,
    form: /\b(?:portes (?:gr[aá]tis|de envio)|telem[oó]vel|subscrever a newsletter|registar-se)\b/i,
  },
  { country: 'MX', points: 3, form: /\bpesos mexicanos\b|\b\d MXN\b/i },
  { country: 'CO', points: 3, form: /\bpesos colombianos\b|\b\d COP\b|\bh[aá]beas data\b/i },
  { country: 'AR', points: 3, form: /\bpesos argentinos\b|\bcuotas sin inter[eé]s\b/i },
  { country: 'CL', points: 3, form: /\bpesos chilenos\b|\b\d CLP\b/i },
  { country: 'QA', points: 2, form: /\bdoha,? qatar\b/i },
];

export const domesticShipping: readonly CountryMark[] = [
  // Shops abroad state days to the United States, too. They name their own country first, need more days, or write "other international".
  mark(
    'US',
    /(?<!\b(?:canada|u\.?k|united kingdom|britain|europe|eu|australia|new zealand|india|china|japan|hong kong|israel|ireland|germany|france)\b[\s\S]{0,120})\b[1-3]\s?(?:-|–|to)\s?[2-7] (?:business |working )?days? (?:within|inside) (?:the )?(?:u\.?s\.?a?\b(?! dollar)|united states)[^\n]{0,80}(?<!\bother )\binternational/i,
  ),
  mark(
    'US',
    /\b(?:free|fast|flat[- ]rate|domestic)\s(?:standard\s|ground\s|priority\s)?(?:u\.?s\.?a?\.?|united states|domestic u\.?s\.?)\s(?:shipping|delivery)|\bfree\s(?:standard\s|ground\s)?shipping\s(?:\w+\s){0,4}(?:in|within|to|throughout|across)\s(?:the\s)?(?:continental\s|contiguous\s|lower\s48\s|entire\s)?(?:u\.?s\.?a?\b|united states)|\b(?:contiguous|continental) (?:u\.?s\.?|united states)\b|\b(?:all|any) u\.s\. orders\b|\bvalid only in (?:the )?u\.s\b/i,
  ),
  mark(
    'CA',
    /\bfree\s(?:\w+\s)?shipping\s(?:\w+\s){0,4}(?:in|within|across|throughout)\scanada\b|\bcanada[- ]wide shipping/i,
  ),
  mark(
    'GB',
    /\bfree\s(?:\w+\s){0,2}u\.?k\.?\s(?:mainland\s)?(?:delivery|shipping|postage|p&p)|\b(?:delivery|shipping)\s(?:\w+\s){0,3}(?:within|across|throughout|in)\s(?:the\s)?(?:u\.?k\.?\b|mainland uk|united kingdom)/i,
  ),
  mark(
    'AU',
    /\b(?:free|fast|flat[- ]rate)\s(?:\w+\s){0,2}(?:shipping|delivery)\s(?:\w+\s){0,3}(?:australia[- ]wide|within australia|across australia|in australia)|\baustralia[- ]wide (?:shipping|delivery)/i,
  ),
  mark(
    'NZ',
    /\b(?:nz|new zealand)[- ]wide (?:shipping|delivery)|free (?:shipping|delivery) (?:\w+\s){0,3}(?:new zealand|nz)\b/i,
  ),
  mark('IN', /\b(?:pan[- ]india|all over india|across india)\b/i),
  mark(
    'DE',
    /\b(?:versandkostenfrei|kostenloser? (?:versand|lieferung)|gratis[- ]?versand|versand)\s[^\n]{0,30}(?:innerhalb deutschlands?|in deutschland|deutschlandweit)/i,
  ),
  mark(
    'AT',
    /\b(?:versandkostenfrei|kostenloser? (?:versand|lieferung)|gratis[- ]?versand)\s[^\n]{0,30}(?:innerhalb österreichs?|in österreich|österreichweit)/i,
  ),
  mark(
    'FR',
    /\blivraison\s[^\n]{0,40}en france m[eé]tropolitaine\b|\blivraison (?:offerte|gratuite)\s[^\n]{0,30}en france(?! et)\b/i,
  ),
  mark('ES', /\benv[ií]os?\s[^\n]{0,40}(?:a toda españa|en españa|península)/i),
  mark('IT', /\bspedizion[ei]\s[^\n]{0,40}in (?:tutta )?italia\b/i),
  mark('BR', /\b(?:frete|entrega|enviamos)\s[^\n]{0,30}(?:todo o brasil|para o brasil)|\btodo o brasil\b/i),
  mark('AR', /\benv[ií]os?\s[^\n]{0,30}(?:a )?todo el pa[ií]s\b/i),
  mark('MX', /\benv[ií]os?\s[^\n]{0,30}(?:a )?todo m[eé]xico\b/i),
  mark('CL', /\b(?:env[ií]os?|despachos?)\s[^\n]{0,30}(?:a )?todo chile\b/i),
  mark('CO', /\benv[ií]os?\s[^\n]{0,30}(?:a )?toda colombia\b/i),
  mark('PE', /\benv[ií]os?\s[^\n]{0,30}(?:a )?todo (?:el )?per[uú]\b/i),
  mark('RU', /доставка\s[^\n]{0,20}по (?:всей )?россии/i),
  mark('UA', /доставка\s[^\n]{0,20}по (?:всій )?україні/i),
  mark('KZ', /доставка\s[^\n]{0,20}по (?:всему )?казахстану/i),
  mark('BY', /доставка\s[^\n]{0,20}по (?:всей )?беларуси/i),
];
