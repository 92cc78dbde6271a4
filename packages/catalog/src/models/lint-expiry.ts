import type { App } from '../types.ts'

const DAY_MS = 86_400_000
const WARN_DAYS = 90

/** Returns one line for each part of the apps that has expired, and one for each that expires within 90 days of `now`. */
export function lintExpiry(apps: readonly App[], now: Date): { expired: string[]; expiring: string[] } {
  const expired: string[] = []
  const expiring: string[] = []
  for (const { name, expires } of apps) {
    for (const { what, on, source } of expires) {
      if (on === undefined) continue
      const days = Math.ceil((Date.parse(on) - now.getTime()) / DAY_MS)
      if (days <= 0) expired.push(`${name}: ${what} expired on ${on}; see ${source}`)
      else if (days <= WARN_DAYS)
        expiring.push(`${name}: ${what} expires on ${on}, in ${days} ${days === 1 ? 'day' : 'days'}; see ${source}`)
    }
  }
  return { expired, expiring }
}

/** Returns one line for each version in a header of the apps that no entry of `expires` names. */
export function lintVersions(apps: readonly App[]): string[] {
  return apps.flatMap(({ name, expires, pinned }) =>
    pinned
      .filter((header) => !expires.some(({ what }) => what.includes(versionIn(header))))
      .map((header) => `${name}: headers: ${header} needs an entry in expires that names the version, and when the vendor ends it`),
  )
}

function versionIn(header: string): string {
  return header.replace(/^.*version[:=]\s*/i, '')
}
