export { type Allowance, loadAllowance } from './pages/load-units.ts';
export { totalOf } from './pages/units.ts';
export { billedText, UnitsLeft } from './pages/units-left.tsx';
