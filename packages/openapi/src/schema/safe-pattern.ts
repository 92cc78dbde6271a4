const MAX_LENGTH = 300
/** Maximum of `ways` below. The regular expression engine may try each way at every position of a long text. */
const MAX_WAYS = 1_000

/**
 * Whether a pattern of a document runs in linear time on any input, since callers choose the input. It must be valid with the `u` flag, have at
 * most one unbounded repeat (and only when it is anchored at the start), and must not repeat a group that contains a choice.
 */
export function safePattern(pattern: string): boolean {
  if (pattern.length > MAX_LENGTH || /\\[1-9k]/.test(pattern)) return false
  try {
    new RegExp(pattern, 'u')
  } catch {
    return false
  }
  const { nested, unbounded, anchored, ways } = patternCost(pattern)
  return !nested && unbounded <= (anchored ? 1 : 0) && ways <= MAX_WAYS
}

type PatternCost = {
  /** Whether a group that contains a repeat, an option or alternatives is itself repeated. */
  readonly nested: boolean
  /** Number of repeats without an upper bound, or with one above 100. */
  readonly unbounded: number
  /** Whether every match begins at the start of the text. */
  readonly anchored: boolean
  /** Number of combinations of its options, alternatives and bounded repeats. */
  readonly ways: number
}

type Group = { alternatives: number; choice: boolean }

const MAX_REPEAT = 100

/** Estimates the cost of a valid pattern on a text that does not match. */
function patternCost(pattern: string): PatternCost {
  const bare = withoutText(pattern)
  const cost = { nested: false, unbounded: 0, anchored: bare.startsWith('^'), ways: 1 }
  const open: Group[] = [{ alternatives: 1, choice: false }]
  let closed = open[0] as Group
  for (const { 0: token, index, groups } of bare.matchAll(/[()|]|(?:[*+?]|\{(?<least>\d+)(?<most>,\d*)?\})\??/g)) {
    const group = open.at(-1) as Group
    if (token === '(') open.push({ alternatives: 1, choice: false })
    else if (token === ')') {
      closed = open.pop() as Group
      cost.ways *= closed.alternatives
      if (closed.choice) (open.at(-1) as Group).choice = true
    } else if (token === '|') {
      group.alternatives += 1
      group.choice = true
      if (open.length === 1 && bare[index + 1] !== '^') cost.anchored = false
    } else {
      const most = mostOf(token, groups?.least, groups?.most)
      if (!token.startsWith('?') && bare[index - 1] === ')' && closed.choice) cost.nested = true
      // A fixed count is not a choice.
      if (groups?.least !== undefined && groups.most === undefined) continue
      group.choice = true
      if (most > MAX_REPEAT) cost.unbounded += 1
      else cost.ways *= Math.max(1, most - Number(groups?.least ?? 0) + 1)
    }
  }
  return cost
}

/** Replaces each character and class with an x, and removes the markers of group kinds. */
function withoutText(pattern: string): string {
  return pattern
    .replace(/\\(?:[pPu]\{[^}]*\}|.)/gs, 'x')
    .replace(/\[[^\]]*\]/g, 'x')
    .replace(/\(\?(?:[:=!]|<[=!]|<[^>]*>)/g, '(')
}

function mostOf(token: string, least: string | undefined, most: string | undefined): number {
  if (token.startsWith('?')) return 1
  if (least === undefined || most === ',') return Number.POSITIVE_INFINITY
  return Number(most?.slice(1) ?? least)
}
