const maxZones = 100;

/** Formats instants in a time zone. Making a formatter is slow, so formatters of up to 100 zones are kept. */
export function zoned(options: Intl.DateTimeFormatOptions) {
  const formatters = new Map<string, Intl.DateTimeFormat>();
  return (ms: number, timeZone: string): string => {
    let formatter = formatters.get(timeZone);
    if (!formatter) {
      formatter = new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
      if (formatters.size >= maxZones) formatters.clear();
      formatters.set(timeZone, formatter);
    }
    return formatter.format(ms);
  };
}
