import type { Quarantined } from '@onward/catalog'
import type { Log } from '@onward/runtime'

/** Warns of each thing that is left out of the catalog, once for as long as its reasons stay the same. */
export function openQuarantineLog(log: Log): (quarantined: readonly Quarantined[]) => void {
  const told = new Map<string, string>()
  return (quarantined) => {
    for (const each of quarantined) {
      const name = each.function ?? each.app
      const problems = each.problems.join('\n')
      if (told.get(name) === problems) continue
      told.set(name, problems)
      log.warn({ app: each.app, function: each.function, problems: each.problems }, 'left out of the catalog')
    }
  }
}
