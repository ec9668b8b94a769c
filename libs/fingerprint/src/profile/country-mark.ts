/** A form of text that shows a country. */
export interface CountryMark {
  country: string;
  form: RegExp;
}

export const mark = (country: string, form: RegExp): CountryMark => ({ country, form });
