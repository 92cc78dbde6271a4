import type { PolicyRule } from '@onward/contract'
import { type Functions, unknownNames } from '../catalog/functions.ts'
import { compileCondition } from './policy.ts'

/** Returns the problems of rules: unknown names, conditions that are no schemas, and values that a function does not take. */
export function problemsOfRules(functions: Functions, rules: readonly PolicyRule[]): string[] {
  const appNames = functions.apps.map(({ name }) => name)
  const functionNames = functions.all.map(({ fn }) => fn.name)
  return rules.flatMap((rule, at) => [
    ...unknownNames(`rules[${at}].apps`, rule.apps ?? [], appNames),
    ...unknownNames(`rules[${at}].functions`, rule.functions ?? [], functionNames),
    ...conditionProblems(`rules[${at}].arguments`, rule.arguments),
    ...lockProblems(functions, rule, `rules[${at}]`),
  ])
}

function conditionProblems(place: string, schema: object | undefined): string[] {
  if (schema === undefined) return []
  try {
    compileCondition(schema)
    return []
  } catch (err) {
    return [`${place}: must be a JSON Schema: ${err instanceof Error ? err.message : String(err)}`]
  }
}

function lockProblems(functions: Functions, rule: PolicyRule, place: string): string[] {
  const { lock } = rule
  if (lock === undefined) return []
  if (rule.functions === undefined) return [`${place}.functions: is required with lock, because parameters belong to functions`]
  if (rule.arguments !== undefined) return [`${place}.arguments: cannot be combined with lock; use two rules`]
  const names = Object.keys(lock)
  return rule.functions
    .flatMap((name) => functions.get(name) ?? [])
    .flatMap(({ fn, check }) => {
      const unknown = names.filter((name) => !Object.hasOwn(fn.parameters.properties, name))
      // What else the function requires, callers send.
      const wrong = check(structuredClone(lock)).filter((problem) => names.includes(problem.split(/[.:[]/)[0] ?? ''))
      return [
        ...unknown.map((name) => `${place}.lock.${name}: is not a parameter of ${fn.name}`),
        ...wrong.filter((problem) => !unknown.includes(problem.split(/[.:[]/)[0] ?? '')).map((problem) => `${place}.lock.${problem}`),
      ]
    })
}
