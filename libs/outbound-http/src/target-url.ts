/** Longer URLs are refused, because they are probably an attack on a parser. */
export const maxUrlLength = 2_048;
