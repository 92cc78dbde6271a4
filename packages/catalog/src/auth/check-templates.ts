import type { Path, Report } from '../problems.ts'
import type { Scheme } from '../types.ts'
import { compileFieldTemplate } from './field-template.ts'

/** Reports what is wrong with the templates of basic and custom authentication: each names own fields only, and each field is used. */
export function checkTemplates(scheme: Scheme, at: Path, report: Report): void {
  if (scheme.type !== 'basic' && scheme.type !== 'custom') return
  const texts = textsOf(scheme)
  if (scheme.type === 'basic' && !isComplete(scheme, at, report)) return
  const fields = Object.keys(scheme.fields ?? {})
  const used = new Set<string>()
  for (const { text, path } of texts) {
    for (const name of compileFieldTemplate(text).names) {
      used.add(name)
      if (!fields.includes(name)) report([...at, ...path], `{${name}} is not a field of this scheme`)
    }
  }
  for (const name of fields.filter((item) => !used.has(item))) report([...at, 'fields', name], 'is not used by this scheme')
  checkLiterals(scheme, at, report)
}

type Text = { readonly text: string; readonly path: Path }

function textsOf(scheme: Extract<Scheme, { type: 'basic' | 'custom' }>): Text[] {
  const one = (key: string, text: string | undefined): Text[] => (text === undefined ? [] : [{ text, path: [key] }])
  if (scheme.type === 'basic') return [...one('username', scheme.username), ...one('password', scheme.password)]
  const many = (key: string, map: Readonly<Record<string, string>> = {}) =>
    Object.entries(map).map(([name, text]) => ({ text, path: [key, name] }))
  return [...many('headers', scheme.headers), ...many('query', scheme.query), ...one('path', scheme.path)]
}

/** Fields and both templates come together, or none of them. */
function isComplete(scheme: Extract<Scheme, { type: 'basic' }>, at: Path, report: Report): boolean {
  const keys = (['fields', 'username', 'password'] as const).filter((key) => scheme[key] === undefined)
  if (keys.length === 0 || keys.length === 3) return keys.length === 0
  for (const key of keys) report(at, `needs ${key} too`)
  return false
}

function checkLiterals(scheme: Extract<Scheme, { type: 'basic' | 'custom' }>, at: Path, report: Report): void {
  if (scheme.type === 'basic') {
    const fixed = compileFieldTemplate(scheme.username ?? '').literals.join('')
    if (fixed.includes(':')) report([...at, 'username'], 'must not hold a colon')
    return
  }
  const path = scheme.path ?? '/x'
  if (path.includes('//') || path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)) || path.endsWith('/')) {
    report([...at, 'path'], 'must not hold an empty, . or .. segment')
  }
  if (/[\s{}?#\\]/.test(compileFieldTemplate(path).literals.join('x'))) report([...at, 'path'], 'must not hold spaces, braces, ?, # or \\')
}
