import { own } from '../request/template.ts'
import type { Credentials } from '../types.ts'
import { compileUrl } from './compile-url.ts'
import { kindProblem } from './kind-problem.ts'

/**
 * A URL of an OAuth scheme with the account's settings in it. Throws when a setting that it names is missing, or can't stand there: the
 * host would be another.
 */
export function fillAccountUrl(template: string, credentials: Credentials): string {
  const problems: string[] = []
  const url = compileUrl(template, new Set(Object.keys(credentials)), [], (_path, what) => problems.push(what))
  for (const [name, kind] of url.kinds) {
    const problem = kindProblem(own(credentials, name) ?? '', kind)
    if (problem !== null) problems.push(`${name}: ${problem}`)
  }
  const filled = problems.length === 0 ? url.fill(credentials, problems) : { origin: '', path: '' }
  if (problems.length > 0) throw new Error(problems.join('; '))
  return `${filled.origin}${filled.path}`
}

/** A text of an OAuth scheme with the account's settings in it. Throws when a setting that it names is missing. */
export function fillAccountText(template: string, credentials: Credentials): string {
  return template.replace(/\{account\.([a-z][a-z0-9_]*)\}/g, (_tag, name: string) => {
    const value = own(credentials, name)
    if (value === undefined) throw new Error(`${name}: is missing`)
    return value
  })
}
