/** A form of text that shows a country. */
export interface CountryMark {
  country: string;
  form: RegExp;
}

/** A row of a compiled table: the expression as text. */
export interface WrittenMark {
  country: string;
  form: string;
  flags: string;
}

/** The marks of rows, with their further members. */
export const marksOf = <Row extends WrittenMark>(
  rows: readonly Row[],
): (Omit<Row, 'form' | 'flags'> & { form: RegExp })[] =>
  rows.map(({ form, flags, ...rest }) => ({ ...rest, form: new RegExp(form, flags) }));
