export { type Allowance, loadAllowance } from './pages/load-units.ts';
export { billedText, totalOf, UnitsLeft } from './pages/units.tsx';
