const DAY_MS = 86_400_000

export type Occurred = { readonly userId: string; readonly at: number }

/**
 * How many tasks lie in which window, by the rules and nothing else: `user/start` → tasks. Windows of `days` days are counted from the
 * user's anchor, both ways; what began up to five minutes before the anchor belongs to the window that it begins.
 */
export function expectedWindows(events: readonly Occurred[], anchors: ReadonlyMap<string, number>, days: number): Map<string, number> {
  const windows = new Map<string, number>()
  for (const { userId, at } of events) {
    const anchor = anchors.get(userId)
    if (anchor === undefined) throw new Error(`${userId} has no anchor`)
    let start = anchor
    while (at >= start + days * DAY_MS) start += days * DAY_MS
    while (at < start && !(start === anchor && at >= anchor - 300_000)) start -= days * DAY_MS
    const name = `${userId}/${start}`
    windows.set(name, (windows.get(name) ?? 0) + 1)
  }
  return windows
}

/** Events at the very first and last moments of each user's windows, and round the five minutes before its anchor. */
export function edgesOf(anchors: ReadonlyMap<string, number>, days: number): Occurred[] {
  const ends = [-3, -2, -1, 0, 1, 2, 3].map((n) => n * days * DAY_MS)
  const offsets = [...ends, ...ends.map((end) => end - 1), -300_000, -300_001]
  return [...anchors].flatMap(([userId, anchor]) => offsets.map((offset) => ({ userId, at: anchor + offset })))
}
