/**
 * One entry of an inventory that the page prints about itself: a plugin folder, an extension, an app of a pixel list, a
 * library file. Handles have the form `system:name`, in lower case.
 */
export interface InventoryItem {
  /** From specific to general: `magento-module:amasty_shopby`, `magento-module:amasty`. All known ones count. */
  handles: readonly string[];
  family: 'network' | 'markup' | 'inline';
  /** false: the app is installed, and nothing shows that it runs on this page. */
  active: boolean;
  version: string;
}

/** Collects items without duplicates, at most {@link maxItems}. */
export class ItemCollector {
  readonly items: InventoryItem[] = [];
  private readonly seen = new Set<string>();

  add(handles: readonly string[], family: InventoryItem['family'], active = true, version = ''): void {
    const lower = handles.map((handle) => handle.toLowerCase());
    const key = `${lower[0]} ${family} ${active} ${version}`;
    if (this.seen.has(key) || this.items.length >= maxItems) return;
    this.seen.add(key);
    this.items.push({ handles: lower, family, active, version });
  }
}

const maxItems = 4000;
