const MAX_LENGTH = 300

/**
 * Whether a document's pattern may be run on what callers send: it is valid with the `u` flag, and nothing that repeats holds something that
 * repeats or has alternatives, for such a pattern may take time without end.
 */
export function safePattern(pattern: string): boolean {
  if (pattern.length > MAX_LENGTH || /\\[1-9k]/.test(pattern)) return false
  try {
    new RegExp(pattern, 'u')
  } catch {
    return false
  }
  return !repeatsInside(pattern) && (pattern.match(/[^\\][*+]|\{\d+,\}/g)?.length ?? 0) <= 3
}

/** Whether a group with a repetition or an alternative in it is repeated itself. */
function repeatsInside(pattern: string): boolean {
  const bare = pattern.replace(/\\./g, 'x').replace(/\[(?:[^\]])*\]/g, 'x')
  const groups: boolean[] = []
  for (let index = 0; index < bare.length; index += 1) {
    const character = bare[index]
    if (character === '(') groups.push(false)
    else if (character === ')') {
      const inner = groups.pop() ?? false
      const repeated = /^(?:[*+]|\{\d+,)/.test(bare.slice(index + 1)) || /^\{\d{3,}\}/.test(bare.slice(index + 1))
      if (inner && repeated) return true
      if (inner && groups.length > 0) groups[groups.length - 1] = true
    } else if (/[*+|]/.test(character ?? '') || /^\{\d+,/.test(bare.slice(index))) {
      if (groups.length > 0) groups[groups.length - 1] = true
    }
  }
  return false
}
