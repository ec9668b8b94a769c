/** The near values that an error of the API names, such as `must be …, not "klavyo"; near ones: klaviyo`. */
export function nearValuesOf(message: string): { wrong: string; near: string[] } | undefined {
  const [, wrong, list] = /, not "(.*)"; near ones: (.*)$/.exec(message) ?? [];
  return wrong === undefined || list === undefined ? undefined : { wrong, near: list.split(', ') };
}
