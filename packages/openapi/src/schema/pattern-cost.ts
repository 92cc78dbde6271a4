type PatternCost = {
  /** Whether something is repeated that holds a repeat, an option or alternatives. */
  readonly nested: boolean
  /** How many repeats have no bound, or one above 100. */
  readonly unbounded: number
  /** Whether it can only begin where the text begins. */
  readonly anchored: boolean
  /** In how many ways its options, alternatives and bounded repeats go together. */
  readonly ways: number
}

type Group = { alternatives: number; choice: boolean }

const MAX_REPEAT = 100

/** What a valid pattern may cost where it does not fit. */
export function patternCost(pattern: string): PatternCost {
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
      // A number that is fixed leaves no choice.
      if (groups?.least !== undefined && groups.most === undefined) continue
      group.choice = true
      if (most > MAX_REPEAT) cost.unbounded += 1
      else cost.ways *= Math.max(1, most - Number(groups?.least ?? 0) + 1)
    }
  }
  return cost
}

/** The pattern with an x for each character and class, and without what tells the kind of a group. */
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
