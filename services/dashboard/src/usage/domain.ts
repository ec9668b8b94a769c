export { countsOf, noCounts, type UnitCounts, type UnitName, unitNames } from './domain/units.ts';
