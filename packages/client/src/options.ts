/** The names of all options. */
export type Names<Options> = { readonly [Name in keyof Options]-?: true }

/**
 * Returns the options. Throws a TypeError for an option that does not exist: a misspelled one would have no effect, and the request would
 * be sent.
 */
export function known<Options extends object>(options: Options, names: Names<NoInfer<Options>>): Options {
  for (const given of Object.keys(options)) {
    if (Object.hasOwn(names, given)) continue
    const all = Object.keys(names)
    const nearest = all.map((name) => ({ name, edits: editsBetween(plain(given), plain(name)) })).sort((a, b) => a.edits - b.edits)[0]
    const isNear = nearest !== undefined && nearest.edits <= Math.max(1, given.length / 3)
    throw new TypeError(`there is no option ${given}; ${isNear ? `did you mean ${nearest.name}?` : `the options are ${all.join(', ')}`}`)
  }
  return options
}

/** Returns a name without what differs between `page_size`, `page-size` and `pageSize`. */
function plain(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase()
}

/** Returns how many characters to insert, remove or replace. */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, n) => n)
  for (const [n, character] of [...from].entries()) {
    const next = [n + 1]
    for (let at = 0; at < to.length; at++) {
      next.push(Math.min((row[at] ?? 0) + (to[at] === character ? 0 : 1), (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
