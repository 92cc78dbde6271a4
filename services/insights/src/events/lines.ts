import { FIRST_WINDOW, nextWindow, type Shown } from './window.ts'

/** Lines that may wait for a place before whoever wakes more of them has to wait too. */
const MOST_READY = 1_000
/** Windows that are remembered of lines with nothing to do. */
const MOST_WINDOWS = 10_000

export type Lines = {
  /** There may be something for these. Resolves at once, or when there is less to do. */
  wake(ids: readonly string[]): Promise<void>
  /** Takes nothing more. Resolves when what is in hand has ended, or after `ms`. */
  close(ms: number): Promise<void>
  /** Those for which there may be more. */
  left(): string[]
}

type Options<T> = {
  /** Items in hand at once, among all lines, as long as they end promptly. */
  readonly places: number
  /** What takes longer gives its place to another; so many do. */
  readonly dawdlers: number
  readonly promptMs: number
  /** Gives what there is to do for a line, at most `room`, which is never less than 1. */
  readonly take: (id: string, room: number) => Promise<readonly T[]>
  /** Once `take` has rejected, nothing is taken for so long; then its line has its turn again. */
  readonly restMs: number
  /** Never rejects. */
  readonly work: (item: T) => Promise<Shown>
}

type Line = { readonly id: string; inHand: number; asking: boolean; more: boolean }

/** Works lines off side by side and in turn: how much of a line is in hand at once is up to what its items show of it. */
export function openLines<T>({ places, dawdlers, promptMs, take, restMs, work }: Options<T>): Lines {
  const lines = new Map<string, Line>()
  const windows = new Map<string, number>()
  /** In the order in which they get places. */
  const ready = new Set<Line>()
  let waiting: (() => void)[] = []
  let free = places
  let dawdling = 0
  let inHand = 0
  let resting = false
  let closed: (() => void) | undefined

  const windowOf = (id: string) => windows.get(id) ?? FIRST_WINDOW

  function look(line: Line): void {
    if (line.more && !line.asking && line.inHand < windowOf(line.id)) ready.add(line)
    else if (!line.more && !line.asking && line.inHand === 0) lines.delete(line.id)
  }

  function run(): void {
    for (const line of ready) {
      if (free <= 0 || resting || closed) break
      ready.delete(line)
      // Its window may have shrunk, or been forgotten, while it waited. It comes back when what it has in hand ends.
      const room = Math.min(windowOf(line.id) - line.inHand, free)
      if (room > 0) void ask(line, room)
    }
    if (closed || ready.size < MOST_READY) {
      for (const resolve of waiting) resolve()
      waiting = []
    }
    if (inHand === 0) closed?.()
  }

  async function ask(line: Line, room: number): Promise<void> {
    line.asking = true
    line.more = false
    hold(line, room)
    let items: readonly T[] = []
    try {
      items = await take(line.id, room)
      // What is short of the room was all there was, but for what has been woken meanwhile.
      if (items.length === room) line.more = true
    } catch {
      line.more = true
      rest()
    }
    line.asking = false
    hold(line, items.length - room)
    for (const item of items) void carry(line, item)
    look(line)
    run()
  }

  function rest(): void {
    if (resting) return
    resting = true
    const timer = setTimeout(() => {
      resting = false
      run()
    }, restMs)
    timer.unref()
  }

  function hold(line: Line, count: number): void {
    free -= count
    inHand += count
    line.inHand += count
  }

  async function carry(line: Line, item: T): Promise<void> {
    let dawdles = false
    let timer = setTimeout(dawdle, promptMs)
    function dawdle(): void {
      if (dawdling >= dawdlers) {
        timer = setTimeout(dawdle, promptMs)
        return
      }
      dawdles = true
      dawdling++
      free++
      run()
    }
    const shown = await work(item)
    clearTimeout(timer)
    hold(line, -1)
    if (dawdles) {
      dawdling--
      free--
    }
    remember(line.id, nextWindow(windowOf(line.id), shown, promptMs))
    look(line)
    run()
  }

  function remember(id: string, window: number): void {
    windows.delete(id)
    windows.set(id, window)
    if (windows.size <= MOST_WINDOWS) return
    const [oldest] = windows.keys()
    if (oldest !== undefined) windows.delete(oldest)
  }

  return {
    async wake(ids) {
      for (const id of ids) {
        const line = lines.get(id) ?? { id, inHand: 0, asking: false, more: false }
        lines.set(id, line)
        line.more = true
        look(line)
      }
      run()
      if (!closed && ready.size >= MOST_READY) await new Promise<void>((resolve) => waiting.push(resolve))
    },
    async close(ms) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        closed = () => {
          clearTimeout(timer)
          resolve()
        }
        run()
      })
    },
    left() {
      return [...lines.values()].filter((line) => line.more).map((line) => line.id)
    },
  }
}
