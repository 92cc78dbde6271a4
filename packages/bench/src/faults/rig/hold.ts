/** An answer that is kept back, so that a process can be ended between a commit and its hearing of it. */
export type Hold<Line> = {
  /** Bytes on their way to the server. */
  sent(line: Line, chunk: Buffer): void
  /** Whether bytes on their way back are to be kept back. */
  keeps(line: Line): boolean
  /** Resolves once the server has answered. */
  readonly held: Promise<void>
  /** Looks out no longer, and breaks the connection whose answer was kept back. */
  end(): void
}

/** Looks out for a connection on which these texts are sent, in this order. */
export function openHold<Line>(texts: readonly string[], cut: (line: Line) => void, onEnd: () => void): Hold<Line> {
  const seen = new Map<Line, number>()
  let caught: Line | undefined
  let answered: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    answered = resolve
  })
  return {
    sent(line, chunk) {
      if (caught !== undefined) return
      let next = seen.get(line) ?? 0
      while (next < texts.length && chunk.includes(texts[next] ?? '')) next++
      seen.set(line, next)
      if (next === texts.length) caught = line
    },
    keeps(line) {
      if (line !== caught) return false
      answered()
      return true
    },
    held,
    end() {
      if (caught !== undefined) cut(caught)
      onEnd()
    },
  }
}
