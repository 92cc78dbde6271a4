/** How a text gets to the clipboard. `selection` is the way of pages on plain HTTP, where there is no Clipboard API. */
type CopyWays = {
  readonly clipboard: ((text: string) => Promise<void>) | undefined
  /** Selects the text in an element and runs the browser's copy command; returns whether that worked. */
  selection(text: string): boolean
}

/** Copies a text. Returns false if no way worked: the caller then shows the text selected, to be copied by hand. */
export async function copy(text: string, ways: CopyWays): Promise<boolean> {
  if (ways.clipboard !== undefined) {
    const written = await ways.clipboard(text).then(
      () => true,
      () => false,
    )
    if (written) return true
  }
  return ways.selection(text)
}

/** The ways of this browser. The text area is put beside `near`, because a modal dialog refuses the focus to what is outside of it. */
export function copyWaysOf(near: HTMLElement): CopyWays {
  return {
    clipboard: isSecureContext && navigator.clipboard ? (text) => navigator.clipboard.writeText(text) : undefined,
    selection(text) {
      const area = document.createElement('textarea')
      area.value = text
      area.readOnly = true
      area.className = 'hidden'
      const focused = document.activeElement
      near.after(area)
      area.select()
      const done = document.execCommand('copy')
      area.remove()
      if (focused instanceof HTMLElement) focused.focus()
      return done
    },
  }
}
