import { z } from 'zod';
import { checkForms, flags, formOf, forms, language } from '../marks.ts';
import { duplicates, type Table } from '../table.ts';

const currency = z.string().regex(/^[A-Z]{3}$/, 'is not a code of ISO 4217');
const codes = z.array(currency).min(1);

const sign = z
  .strictObject({ forms: forms.exactOptional(), word: z.string().min(1).exactOptional(), flags, currencies: codes })
  .superRefine(({ forms, word, flags }, context) => {
    if ((forms === undefined) === (word === undefined))
      context.addIssue({ code: 'custom', message: 'a sign has forms or a word' });
    checkForms({ forms: forms ?? [word ?? ''], ...(flags && { flags }) }, context);
  });

const data = z.strictObject({
  minorDigits: z.record(z.string().regex(/^\d$/, 'is not a number of digits'), codes),
  pointDecimals: codes,
  signs: z.array(sign),
  codes,
  otherCodes: z.record(currency, currency),
  active: codes,
  names: z.record(currency, z.array(z.string().min(1)).min(1)),
  visibleSigns: z.array(
    z.strictObject({ sign: z.string().min(1), currency, languages: z.array(language).min(1).exactOptional() }),
  ),
  visibleCodes: codes,
});

type Sign = z.infer<typeof sign>;

/** A sign of letters counts only if it is not part of a longer word. */
const formOfSign = ({ forms = [], word, flags }: Sign): { form: string; flags: string } =>
  word === undefined
    ? formOf({ forms, ...(flags && { flags }) })
    : { form: `(?<!\\p{L})${word}(?!\\p{L})`, flags: `${flags ?? ''}u` };

/** Every returned code comes from these tables. Each must therefore be a code of ISO 4217. */
function withoutIsoCode({ active, signs, names, otherCodes, visibleSigns, codes, visibleCodes }: z.infer<typeof data>) {
  const isActive = new Set(active);
  const used = {
    signs: signs.flatMap(({ currencies }) => currencies),
    names: Object.keys(names),
    otherCodes: Object.values(otherCodes),
    codes: codes.map((code) => otherCodes[code] ?? code),
    visibleSigns: visibleSigns.map(({ currency }) => currency),
    visibleCodes,
  };
  return Object.entries(used).flatMap(([member, codes]) =>
    codes
      .filter((code) => !isActive.has(code))
      .map((code) => ({ path: [member], message: `${code} is not a code in "active"` })),
  );
}

export const currencies: Table<z.infer<typeof data>> = {
  source: 'currencies.yaml',
  output: 'currencies',
  schema: data,
  check: (data) => [
    ...duplicates(data.visibleSigns, 'sign', ({ sign }) => [sign]).map(({ path, message }) => ({
      path: ['visibleSigns', ...path],
      message,
    })),
    ...withoutIsoCode(data),
  ],
  compile: ({ signs, ...rest }) => ({
    ...rest,
    signs: signs.map((sign) => ({ ...formOfSign(sign), currencies: sign.currencies })),
  }),
};
