import { getPolicy, type PolicyRule, putPolicy } from '@onward/contract'
import { nearestAll, Refusal, refuseProblems } from '@onward/runtime'
import type { Functions } from '../../catalog/functions.ts'
import { readRules, replaceRules } from '../../db/applications.ts'
import { compileCondition } from '../../policy/policy.ts'
import { route } from '../route.ts'

export const getPolicyRoute = route(getPolicy, async (ctx, { params }) => {
  return { rules: (await readRules(ctx.db, params.app_key)) ?? refuseUnknown() }
})

export const putPolicyRoute = route(putPolicy, async (ctx, { params, body, changed }) => {
  const { functions } = ctx.catalog.current
  refuseProblems(body.rules.flatMap((rule, at) => problemsOf(functions, rule, `rules[${at}]`)))
  const before = (await readRules(ctx.db, params.app_key)) ?? refuseUnknown()
  if (!(await replaceRules(ctx.db, params.app_key, body.rules))) refuseUnknown()
  ctx.applications.drop(params.app_key)
  changed({ rules: before }, body)
  return { rules: body.rules }
})

function refuseUnknown(): never {
  throw new Refusal('application_not_found', 'there is no such application')
}

function problemsOf({ apps, all }: Functions, rule: PolicyRule, place: string): string[] {
  return [
    ...unknown(
      `${place}.apps`,
      rule.apps,
      apps.map(({ name }) => name),
    ),
    ...unknown(
      `${place}.functions`,
      rule.functions,
      all.map(({ fn }) => fn.name),
    ),
    ...conditionProblems(`${place}.arguments`, rule.arguments),
  ]
}

function unknown(place: string, names: readonly string[] = [], known: readonly string[]): string[] {
  return names.flatMap((name, at) => {
    if (known.includes(name)) return []
    const meant = nearestAll(name, known).join(' or ')
    return [`${place}[${at}]: is not known here${meant === '' ? '' : `; did you mean ${meant}?`}`]
  })
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
