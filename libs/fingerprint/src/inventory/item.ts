/**
 * One entry of an inventory that the page prints about itself: a plugin folder, an extension, an app of a pixel list, or a library file.
 * Handles have the form `system:name`, in lower case.
 */
export interface InventoryItem {
  /** Handles from specific to general: `magento-module:amasty_shopby`, `magento-module:amasty`. All known ones count. */
  handles: readonly string[];
  family: 'network' | 'markup' | 'inline';
  /** Whether something shows that the app runs on this page. False if the app is only installed. */
  active: boolean;
  version: string;
}

/** Collects items without duplicates, at most {@link maxItems}. */
export class ItemCollector {
  readonly items: InventoryItem[] = [];
  /** Items by their most specific handle. */
  private readonly known = new Map<string, InventoryItem[]>();

  add(handles: readonly string[], family: InventoryItem['family'], active = true, version = ''): void {
    const lower = handles.map((handle) => handle.toLowerCase());
    const [specific = ''] = lower;
    const known = this.known.get(specific);
    const isKnown = known?.some((item) => item.family === family && item.active === active && item.version === version);
    if (isKnown || this.items.length >= maxItems) return;
    const item = { handles: lower, family, active, version };
    this.items.push(item);
    if (known) known.push(item);
    else this.known.set(specific, [item]);
  }
}

const maxItems = 4000;
