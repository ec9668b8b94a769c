const grouped = new Intl.NumberFormat('en');

/** For example "25,000". */
export const formatNumber = (value: number): string => grouped.format(value);
