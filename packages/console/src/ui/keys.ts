/** Whether keys are text for the element that has the focus, or move in it. */
const TAKES_KEYS =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="tree"], [role="slider"], [role="listbox"], [role="menu"]'

/** Returns whether the reader types, so that no key is a shortcut. */
export function isTyping({ target, isComposing }: KeyboardEvent): boolean {
  return isComposing || (target instanceof Element && target.closest(TAKES_KEYS) !== null)
}

/** Returns whether a dialog or a menu is open, which has its own keys. The panel of a list does not count. */
export function isCovered(): boolean {
  return document.querySelector('dialog[open]:not([data-panel]), [popover]:not([role="tooltip"]):popover-open') !== null
}

/** Runs what a key means, instead of what the browser does for it. */
export function runInstead(event: KeyboardEvent, action: () => void): void {
  event.preventDefault()
  action()
}
