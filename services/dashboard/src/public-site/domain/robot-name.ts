/** The product token of the scanner's robot, which never changes. The scanner is no dependency of this service. */
export const robotName = 'ShopscopeBot';
