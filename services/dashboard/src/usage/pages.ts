export { type Allowance, loadAllowance } from './pages/load-units.ts';
export { billedText, totalOf, units } from './pages/units.ts';
export { UnitsLeft } from './pages/units-left.tsx';
