import { type RefObject, useEffect, useLayoutEffect } from 'react'

/** Space between an element and what opens at it, and between that and the edge of the window, in pixels. */
const GAP = 6
const EDGE = 8

type Box = { readonly left: number; readonly top: number; readonly width: number; readonly height: number }

/**
 * Returns where to put a box of a given size at an anchor: below it, or above it if there is more room, and always inside the window.
 * `height` is the room that the box has; a longer one scrolls.
 */
export function placeAt(anchor: Box, size: Box, window: Box, align: 'start' | 'end'): { left: number; top: number; height: number } {
  const below = window.height - anchor.top - anchor.height - GAP - EDGE
  const above = anchor.top - GAP - EDGE
  const up = size.height > below && above > below
  const height = Math.max(0, up ? above : below)
  const wanted = align === 'start' ? anchor.left : anchor.left + anchor.width - size.width
  const left = Math.max(EDGE, Math.min(wanted, window.width - size.width - EDGE))
  const top = up ? anchor.top - GAP - Math.min(size.height, height) : anchor.top + anchor.height + GAP
  return { left, top, height }
}

/** Keeps a fixed element at its anchor while `open`, also when the page scrolls or changes its size. */
export function usePlace(
  anchor: RefObject<HTMLElement | null>,
  box: RefObject<HTMLElement | null>,
  open: boolean,
  align: 'start' | 'end' = 'start',
): void {
  const place = () => {
    if (anchor.current === null || box.current === null) return
    const { style, offsetWidth, offsetHeight, clientHeight, scrollHeight } = box.current
    // The height without a limit. To remove the limit and measure would scroll the box back to its top.
    const size = { left: 0, top: 0, width: offsetWidth, height: scrollHeight + offsetHeight - clientHeight }
    const window = { left: 0, top: 0, width: document.documentElement.clientWidth, height: innerHeight }
    const { left, top, height } = placeAt(anchor.current.getBoundingClientRect(), size, window, align)
    style.left = `${left}px`
    style.top = `${top}px`
    style.maxHeight = `${height}px`
  }
  useLayoutEffect(() => {
    if (open) place()
  })
  useEffect(() => {
    if (!open) return
    addEventListener('scroll', place, { capture: true, passive: true })
    addEventListener('resize', place)
    return () => {
      removeEventListener('scroll', place, { capture: true })
      removeEventListener('resize', place)
    }
  })
}
