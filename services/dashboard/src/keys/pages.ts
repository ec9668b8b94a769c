export { KeyLink, KeyState, LastUsed } from './pages/key-facts.tsx';
export { loadStoresAccess } from './pages/load-stores-access.ts';
export { StoresOff } from './pages/stores-off.tsx';
